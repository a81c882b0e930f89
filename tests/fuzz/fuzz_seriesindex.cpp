#include "base/filedescriptor.h"
#include "series/indexencoding.h"
#include "series/indexfile.h"
#include "series/series.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

/// For any bytes in an index, reading it gives blocks or an error, and blocks give columns; it never crashes, never
/// reads past an end and never loops forever. Checksums would stop nearly every input, so they are corrected here:
///
///     bytes 0 to 7   where the newest directory begins, in the data
///     the rest       the index's data, from its offset 4096 on
namespace {

using namespace sweepscope;
using namespace sweepscope::series;

/// A file in memory with a name: an index is not read through a link, such as those in /proc/self/fd.
struct NamedFile {
    std::string path = "/dev/shm/sweepscope-fuzz-XXXXXX";
    FileDescriptor descriptor{::mkstemp(path.data())};

    NamedFile()
    {
        if (!descriptor)
            std::abort();
    }
    NamedFile(const NamedFile &) = delete;
    NamedFile &operator=(const NamedFile &) = delete;
    ~NamedFile() { ::unlink(path.c_str()); }
};

struct Taker final : IndexVisitor {
    std::shared_ptr<BlockBytes> bytes = std::make_shared<BlockBytes>(std::make_shared<BlockCache>(64));
    std::vector<Series> all;

    void declaration(const feed::SeriesDeclaration &declaration) override
    {
        all.emplace_back(declaration.name, declaration.unit, bytes);
    }
    void event(const feed::Event &) override {}
    bool block(std::size_t series, const PackedBlock &block, std::uint64_t blocks) override
    {
        if (series >= all.size())
            return false;
        if (all[series].empty())
            all[series].reserve(blocks);
        return all[series].adopt(block);
    }
};

void ask(const Series &series)
{
    if (series.empty())
        return;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const XAxis axis : {XAxis::Step, XAxis::WallTime, XAxis::RelativeTime}) {
        const auto [low, high] = series.extent(axis);
        const std::vector<Column> all = series.columns(axis, -infinity, infinity, 50, Edges::WithNeighbours);
        (void)series.columns(axis, low, low + (high - low) / 3, 7);
        std::uint64_t count = 0;
        for (const Column &column : all)
            count += column.count;
        if (count > series.size())
            std::abort();
    }
    (void)series.back();
}

/// Reads the same samples from bytes that no checksum has verified.
void lookInto(const PackedBlock &packed, std::vector<unsigned char> bytes)
{
    bytes.resize(blockBytes(packed.block.count, packed.block.widths));
    const BlockView view(packed.block, bytes.data());
    for (std::size_t i = 0; i < packed.block.count; ++i)
        (void)view.sample(i);
    (void)view.summarize(packed.block.count / 3, packed.block.count);
    if (packed.block.count >= 3)
        (void)view.split(packed.block.count / 3, packed.summary);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    if (size < 8)
        return 0;
    std::uint64_t start = 0;
    std::memcpy(&start, data, sizeof start);
    const std::vector<unsigned char> content(data + 8, data + size);
    const std::uint64_t length = content.size();
    start = length > 0 ? start % length : 0;

    IndexSlot slot{};
    std::memcpy(slot.magic, indexMagic, sizeof indexMagic);
    slot.version = indexVersion;
    slot.sequence = 1;
    slot.end = indexDataOffset + length;
    slot.directory = indexDataOffset + start;
    slot.directoryBytes = length - start;
    const std::span<const unsigned char> directory(content.data() + start, length - start);
    slot.directoryChecksum = checksumOf(directory);
    slot.checksum = checksumOf({reinterpret_cast<const unsigned char *>(&slot), sizeof slot});

    const NamedFile file;
    std::vector<unsigned char> whole(indexDataOffset);
    std::memcpy(whole.data(), &slot, sizeof slot);
    whole.insert(whole.end(), content.begin(), content.end());
    if (::write(file.descriptor.get(), whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
        std::abort();
    auto index = IndexFile::open(file.path);
    if (!index)
        std::abort();
    Taker taker;
    (void)index->load(taker);
    taker.bytes->setFile(std::move(*index->descriptor()));
    for (const Series &series : taker.all)
        ask(series);

    DirectoryReader reader(directory);
    feed::SeriesDeclaration declaration;
    while (reader.next(declaration)) {
    }
    feed::Event event;
    while (reader.next(event)) {
    }
    IndexedBlock entry{};
    while (reader.next(entry)) {
        if (const auto packed = trustedBlock(entry, slot.end))
            lookInto(*packed, content);
    }
    return 0;
}
