#include "output/eventstream.h"

#include "output/eventcrc.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace sweepscope::output {

namespace {

constexpr std::size_t headerBytes = 12;
constexpr std::size_t crcBytes = 4;
/// Records of scalars and hyperparameters are smaller.
constexpr std::uint64_t mostHeldBytes = 1 << 20;
constexpr std::size_t mostTags = 10'000;
constexpr std::size_t longestTag = 1024;
constexpr std::size_t mostParameters = 10'000;

template <typename Number>
Number littleEndian(std::string_view bytes)
{
    static_assert(std::endian::native == std::endian::little);
    Number number{};
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

/// A field of a message of protobuf.
struct ProtoField {
    int number = 0;
    int wireType = 0;
    std::uint64_t integer = 0;
    std::string_view bytes;  ///< strings and messages; numbers of fixed size

    double real() const
    {
        if (wireType == 1)
            return littleEndian<double>(bytes);
        return wireType == 5 ? static_cast<double>(littleEndian<float>(bytes)) : 0;
    }
    bool isBytes() const { return wireType == 2; }
};

/// Goes through the fields of a message. Ends early if it is malformed.
class ProtoReader {
public:
    explicit ProtoReader(std::string_view untrusted) : m_rest(untrusted) {}

    bool next(ProtoField &field)
    {
        std::uint64_t key = 0;
        if (m_rest.empty() || !varint(key) || key >> 3U == 0 || key >> 3U > mostFields)
            return false;
        field = {};
        field.number = static_cast<int>(key >> 3U);
        field.wireType = static_cast<int>(key & 7U);
        switch (field.wireType) {
        case 0:
            return varint(field.integer);
        case 1:
            return cut(8, field.bytes);
        case 2:
            return varint(field.integer) && cut(field.integer, field.bytes);
        case 5:
            return cut(4, field.bytes);
        default:
            return false;
        }
    }

    bool varint(std::uint64_t &value)
    {
        value = 0;
        for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0)
                return true;
        }
        return false;
    }

private:
    static constexpr std::uint64_t mostFields = (1U << 29U) - 1;

    bool cut(std::uint64_t count, std::string_view &bytes)
    {
        if (count > m_rest.size())
            return false;
        bytes = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return true;
    }

    std::string_view m_rest;
};

/// 0 if it is not a time.
WallNs timeOf(double seconds)
{
    constexpr double latest = 9e9;
    return seconds > 0 && seconds < latest ? static_cast<WallNs>(seconds * 1e9) : 0;
}

std::optional<WallNs> knownTime(double seconds)
{
    const WallNs time = timeOf(seconds);
    return time > 0 ? std::optional(time) : std::nullopt;
}

/// The value of a TensorProto with one float or double; nullopt for others.
std::optional<double> numberInTensor(std::string_view untrusted)
{
    constexpr std::uint64_t floatType = 1;
    constexpr std::uint64_t doubleType = 2;
    std::uint64_t type = 0;
    std::string_view content;
    std::optional<double> value;
    int count = 0;
    ProtoField field;
    for (ProtoReader reader(untrusted); reader.next(field);) {
        if (field.number == 1) {
            type = field.integer;
        } else if (field.number == 4 && field.isBytes()) {
            content = field.bytes;
        } else if (field.number == 5 || field.number == 6) {  // float_val and double_val; newer writers pack them
            const std::size_t size = field.number == 5 ? sizeof(float) : sizeof(double);
            count += field.isBytes() ? static_cast<int>(field.bytes.size() / size) : 1;
            if (field.bytes.size() == size)
                value = size == sizeof(float) ? static_cast<double>(littleEndian<float>(field.bytes))
                                              : littleEndian<double>(field.bytes);
        }
    }
    if (type == floatType && content.size() == sizeof(float))
        return static_cast<double>(littleEndian<float>(content));
    if (type == doubleType && content.size() == sizeof(double))
        return littleEndian<double>(content);
    return content.empty() && count == 1 ? value : std::nullopt;
}

struct PluginData {
    std::string_view plugin;
    std::string_view content;
};

PluginData pluginDataIn(std::string_view untrustedMetadata)
{
    PluginData data;
    ProtoField field;
    for (ProtoReader metadata(untrustedMetadata); metadata.next(field);) {
        if (field.number != 1 || !field.isBytes())
            continue;
        for (ProtoReader plugin(field.bytes); plugin.next(field);) {
            if (field.number == 1)
                data.plugin = field.bytes;
            else if (field.number == 2)
                data.content = field.bytes;
        }
        break;
    }
    return data;
}

/// One entry of a map from names to google.protobuf.Value.
void readParameter(std::string_view untrusted, EventSession &session)
{
    std::string_view name;
    std::string_view value;
    ProtoField field;
    for (ProtoReader entry(untrusted); entry.next(field);) {
        if (field.number == 1)
            name = field.bytes;
        else if (field.number == 2)
            value = field.bytes;
    }
    if (name.empty() || name.size() > longestTag || session.parameters.size() >= mostParameters)
        return;
    for (ProtoReader reader(value); reader.next(field);) {
        auto &parameter = session.parameters[std::string(name)];
        if (field.number == 2 && field.wireType == 1)
            parameter = field.real();
        else if (field.number == 3)
            parameter = std::string(field.bytes);
        else if (field.number == 4)
            parameter = field.integer != 0;
        else  // null, lists and structures
            session.parameters.erase(std::string(name));
    }
}

EventSession sessionIn(std::string_view untrusted)
{
    EventSession session;
    ProtoField field;
    for (ProtoReader reader(untrusted); reader.next(field);) {
        if (field.number == 1 && field.isBytes())
            readParameter(field.bytes, session);
        else if (field.number == 5)
            session.started = knownTime(field.real());
    }
    return session;
}

EventSessionEnd sessionEndIn(std::string_view untrusted)
{
    constexpr std::uint64_t failure = 2;
    EventSessionEnd end;
    ProtoField field;
    for (ProtoReader reader(untrusted); reader.next(field);) {
        if (field.number == 1)
            end.hasFailed = field.integer == failure;
        else if (field.number == 2)
            end.ended = knownTime(field.real());
    }
    return end;
}

std::vector<std::string> metricsIn(std::string_view untrusted)
{
    std::vector<std::string> tags;
    ProtoField field;
    for (ProtoReader experiment(untrusted); experiment.next(field);) {
        if (field.number != 5 || !field.isBytes())
            continue;
        ProtoField part;
        for (ProtoReader info(field.bytes); info.next(part);) {
            if (part.number != 1 || !part.isBytes())
                continue;
            ProtoField word;
            for (ProtoReader name(part.bytes); name.next(word);) {
                if (word.number == 2 && !word.bytes.empty() && word.bytes.size() <= longestTag
                    && tags.size() < mostTags)
                    tags.emplace_back(word.bytes);
            }
        }
    }
    return tags;
}

}  // namespace

Expected<void> EventStream::add(std::string_view untrusted)
{
    if (m_isDamaged)
        return damaged();
    while (!untrusted.empty()) {
        switch (m_part) {
        case Part::Header:
            if (!hold(untrusted, headerBytes))
                return {};
            if (!readHeader())
                return damaged();
            break;
        case Part::Data: {
            const auto bytes = static_cast<std::size_t>(m_length);
            if (!hold(untrusted, bytes + crcBytes))
                return {};
            const std::string_view data = std::string_view(m_held).substr(0, bytes);
            if (maskedCrc(crc32c(data)) != littleEndian<std::uint32_t>(std::string_view(m_held).substr(bytes)))
                return damaged();
            readEvent(data);
            endRecord();
            break;
        }
        case Part::SkippedData: {
            const std::string_view part =
                untrusted.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_left, untrusted.size())));
            m_crc = crc32c(part, m_crc);
            m_left -= part.size();
            m_position += part.size();
            untrusted.remove_prefix(part.size());
            if (m_left == 0)
                m_part = Part::SkippedEnd;
            break;
        }
        case Part::SkippedEnd:
            if (!hold(untrusted, crcBytes))
                return {};
            if (maskedCrc(m_crc) != littleEndian<std::uint32_t>(m_held))
                return damaged();
            endRecord();
            break;
        }
    }
    return {};
}

bool EventStream::hold(std::string_view &untrusted, std::size_t bytes)
{
    const std::string_view part = untrusted.substr(0, std::min(bytes - m_held.size(), untrusted.size()));
    m_held += part;
    m_position += part.size();
    untrusted.remove_prefix(part.size());
    return m_held.size() == bytes;
}

bool EventStream::readHeader()
{
    const std::string_view header = m_held;
    if (maskedCrc(crc32c(header.substr(0, 8))) != littleEndian<std::uint32_t>(header.substr(8)))
        return false;
    m_length = littleEndian<std::uint64_t>(header);
    m_held.clear();
    const bool isHeld = m_length <= mostHeldBytes;
    m_part = isHeld ? Part::Data : Part::SkippedData;
    m_left = m_length;
    m_crc = 0;
    return true;
}

void EventStream::endRecord()
{
    m_held.clear();
    m_part = Part::Header;
    m_recordBegin = m_position;
}

Expected<void> EventStream::damaged()
{
    m_isDamaged = true;
    return makeError(ErrorCode::Corrupt, "the checksum of the record at byte " + std::to_string(m_recordBegin)
                                             + " is wrong; the rest of the file was not read");
}

void EventStream::readEvent(std::string_view data)
{
    std::int64_t step = 0;
    WallNs time = 0;
    ProtoField field;
    // The summary may come before the step.
    for (ProtoReader reader(data); reader.next(field);) {
        if (field.number == 1)
            time = timeOf(field.real());
        else if (field.number == 2)
            step = static_cast<std::int64_t>(field.integer);
    }
    for (ProtoReader reader(data); reader.next(field);) {
        if (field.number == 5 && field.isBytes())
            readSummary(field.bytes, step, time);
    }
}

void EventStream::readSummary(std::string_view data, std::int64_t step, WallNs time)
{
    ProtoField field;
    for (ProtoReader reader(data); reader.next(field);) {
        if (field.number == 1 && field.isBytes())
            readValue(field.bytes, step, time);
    }
}

void EventStream::readValue(std::string_view data, std::int64_t step, WallNs time)
{
    std::string_view tag;
    std::optional<double> value;
    std::optional<std::string_view> tensor;
    PluginData plugin;
    ProtoField field;
    for (ProtoReader reader(data); reader.next(field);) {
        if (field.number == 1)
            tag = field.bytes;
        else if (field.number == 2 && field.wireType == 5)
            value = field.real();
        else if (field.number == 8 && field.isBytes())
            tensor = field.bytes;
        else if (field.number == 9 && field.isBytes())
            plugin = pluginDataIn(field.bytes);
    }
    if (plugin.plugin == "hparams")
        return readHyperParameters(plugin.content);
    if (tag.empty() || tag.size() > longestTag)
        return;
    if (tensor && !value) {
        if (plugin.plugin == "scalars" && m_scalarTags.size() < mostTags)
            m_scalarTags.emplace(tag);
        if (m_scalarTags.contains(tag))
            value = numberInTensor(*tensor);
    }
    if (value && m_sink.scalar)
        m_sink.scalar({std::string(tag), step, time, *value});
}

void EventStream::readHyperParameters(std::string_view data)
{
    ProtoField field;
    for (ProtoReader reader(data); reader.next(field);) {
        if (!field.isBytes())
            continue;
        if (field.number == 2 && m_sink.metrics)
            m_sink.metrics(metricsIn(field.bytes));
        else if (field.number == 3 && m_sink.sessionStart)
            m_sink.sessionStart(sessionIn(field.bytes));
        else if (field.number == 4 && m_sink.sessionEnd)
            m_sink.sessionEnd(sessionEndIn(field.bytes));
    }
}

}  // namespace sweepscope::output
