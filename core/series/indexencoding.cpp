#include "series/indexencoding.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace sweepscope::series {

namespace {

struct DeclarationHead {
    std::uint16_t id;
    std::uint16_t nameBytes;
    std::uint16_t unitBytes;
    std::uint16_t reserved;
};

struct EventHead {
    std::int64_t step;
    std::int64_t timeNs;
    std::uint16_t kind;
    std::uint16_t textBytes;
    std::uint32_t reserved;
};

class DirectoryBytes {
public:
    template <typename T>
    void put(const T &value)
    {
        const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof value);
    }
    void putText(std::string_view text) { m_bytes.insert(m_bytes.end(), text.begin(), text.end()); }
    void pad() { m_bytes.resize((m_bytes.size() + 7) / 8 * 8); }
    std::vector<unsigned char> take() { return std::move(m_bytes); }

private:
    std::vector<unsigned char> m_bytes;
};

bool isWidth(std::uint8_t width)
{
    return width == 0 || width == 1 || width == 2 || width == 4 || width == 8;
}

IndexedBlock indexed(const IndexBatch::Entry &entry, std::uint64_t bytesAt)
{
    const Block &block = entry.packed.block;
    const Summary &summary = entry.packed.summary;
    return {summary.min,
            summary.max,
            summary.first,
            summary.last,
            summary.sum,
            block.firstStep,
            block.lastStep,
            block.firstTimeNs,
            block.lastTimeNs,
            bytesAt + block.place,
            block.checksum,
            static_cast<std::uint16_t>(summary.count),
            static_cast<std::uint16_t>(summary.finite),
            block.widths.value,
            block.widths.step,
            block.widths.time,
            0,
            entry.series};
}

}  // namespace

DirectoryReader::DirectoryReader(std::span<const unsigned char> untrusted) : m_rest(untrusted)
{
    if (!read(m_header) || m_header.series > m_rest.size() / sizeof(std::uint64_t)) {
        m_short = true;
        m_header = {};
        return;
    }
    m_blocksOfSeries.resize(m_header.series);
    for (std::uint64_t &blocks : m_blocksOfSeries)
        (void)read(blocks);
}

template <typename T>
bool DirectoryReader::read(T &value)
{
    if (m_rest.size() < sizeof value) {
        m_short = true;
        return false;
    }
    std::memcpy(&value, m_rest.data(), sizeof value);
    m_rest = m_rest.subspan(sizeof value);
    return true;
}

bool DirectoryReader::readText(std::string &text, std::size_t bytes)
{
    if (m_rest.size() < bytes) {
        m_short = true;
        return false;
    }
    text.assign(reinterpret_cast<const char *>(m_rest.data()), bytes);
    m_rest = m_rest.subspan(bytes);
    return true;
}

bool DirectoryReader::skipPadding(std::size_t bytes)
{
    std::string padding;
    return readText(padding, (8 - bytes % 8) % 8);
}

bool DirectoryReader::next(feed::SeriesDeclaration &declaration)
{
    DeclarationHead head{};
    if (m_header.declarations == 0 || !read(head))
        return false;
    --m_header.declarations;
    declaration.id = head.id;
    return readText(declaration.name, head.nameBytes) && readText(declaration.unit, head.unitBytes)
           && skipPadding(head.nameBytes + std::size_t{head.unitBytes});
}

bool DirectoryReader::next(feed::Event &event)
{
    EventHead head{};
    if (m_header.events == 0 || !read(head))
        return false;
    --m_header.events;
    event.step = head.step;
    event.timeNs = head.timeNs;
    event.kind = static_cast<feed::EventKind>(head.kind);
    return readText(event.text, head.textBytes) && skipPadding(head.textBytes);
}

bool DirectoryReader::next(IndexedBlock &block)
{
    if (m_header.declarations != 0 || m_header.events != 0 || m_header.blocks == 0 || !read(block))
        return false;
    --m_header.blocks;
    return true;
}

bool DirectoryReader::isWhole() const
{
    return !m_short && m_rest.empty() && m_header.declarations == 0 && m_header.events == 0 && m_header.blocks == 0;
}

std::optional<PackedBlock> trustedBlock(const IndexedBlock &untrusted, std::uint64_t end)
{
    PackedBlock packed;
    Block &block = packed.block;
    Summary &summary = packed.summary;
    block.widths = {untrusted.valueWidth, untrusted.stepWidth, untrusted.timeWidth};
    const bool widths = (block.widths.value == 4 || block.widths.value == 8) && isWidth(block.widths.step)
                        && isWidth(block.widths.time);
    if (!widths || untrusted.count == 0 || untrusted.count > blockSamples || untrusted.finite > untrusted.count)
        return std::nullopt;
    const std::uint64_t bytes = blockBytes(untrusted.count, block.widths);
    if (untrusted.place < indexDataOffset || untrusted.place > end || bytes > end - untrusted.place)
        return std::nullopt;
    block.count = untrusted.count;
    block.allFinite = untrusted.finite == untrusted.count;
    summary.count = untrusted.count;
    summary.finite = untrusted.finite;
    if (untrusted.finite > 0) {
        if (!std::isfinite(untrusted.min) || !std::isfinite(untrusted.max) || untrusted.min > untrusted.max
            || !std::isfinite(untrusted.first) || !std::isfinite(untrusted.last))
            return std::nullopt;
        summary.min = untrusted.min;
        summary.max = untrusted.max;
        summary.first = untrusted.first;
        summary.last = untrusted.last;
        summary.sum = untrusted.sum;
    }
    block.firstStep = untrusted.firstStep;
    block.lastStep = untrusted.lastStep;
    block.firstTimeNs = untrusted.firstTimeNs;
    block.lastTimeNs = untrusted.lastTimeNs;
    block.place = untrusted.place;
    block.checksum = untrusted.checksum;
    return packed;
}

std::vector<unsigned char> encodeDirectory(const IndexBatch &batch, std::uint64_t bytesAt, IndexDirectory header)
{
    header.series = static_cast<std::uint32_t>(batch.blocksOfSeries.size());
    header.declarations = static_cast<std::uint32_t>(batch.declarations.size());
    header.events = static_cast<std::uint32_t>(batch.events.size());
    header.blocks = static_cast<std::uint32_t>(batch.blocks.size());
    DirectoryBytes out;
    out.put(header);
    for (const std::uint64_t blocks : batch.blocksOfSeries)
        out.put(blocks);
    for (const feed::SeriesDeclaration &declaration : batch.declarations) {
        out.put(DeclarationHead{declaration.id, static_cast<std::uint16_t>(declaration.name.size()),
                                static_cast<std::uint16_t>(declaration.unit.size()), 0});
        out.putText(declaration.name);
        out.putText(declaration.unit);
        out.pad();
    }
    for (const feed::Event &event : batch.events) {
        out.put(EventHead{event.step, event.timeNs, static_cast<std::uint16_t>(event.kind),
                          static_cast<std::uint16_t>(event.text.size()), 0});
        out.putText(event.text);
        out.pad();
    }
    for (const IndexBatch::Entry &entry : batch.blocks)
        out.put(indexed(entry, bytesAt));
    return out.take();
}

}  // namespace sweepscope::series
