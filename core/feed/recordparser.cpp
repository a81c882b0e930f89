// SPDX-License-Identifier: MIT
#include "feed/recordparser.h"

#include <cstring>
#include <string_view>

namespace sweepscope::feed {

namespace {

using Bytes = std::span<const unsigned char>;

/// The caller has checked that the field lies inside the record.
template <typename T>
T field(Bytes record, std::size_t at) noexcept
{
    T value;
    std::memcpy(&value, record.data() + at, sizeof value);
    return value;
}

std::string text(Bytes record, std::size_t at, std::size_t bytes)
{
    return {reinterpret_cast<const char *>(record.data()) + at, bytes};
}

}  // namespace

void RecordParser::startAt(const StreamPosition &position)
{
    m_offset = position.offset;
    m_stepBase = position.stepBase;
    m_declared.reset();
    for (const std::uint16_t id : position.declared)
        m_declared.set(id);
}

Expected<std::uint64_t> RecordParser::parse(Bytes untrusted, RecordVisitor &visitor)
{
    std::uint64_t records = 0;
    while (untrusted.size() >= wordBytes) {
        const auto header = field<RecordHeader>(untrusted, 0);
        const std::size_t length = header.kind == RecordKind::Point ? pointBytes : header.lengthOrStep;
        if (static_cast<std::uint8_t>(header.kind) == 0)
            return corrupt("no record has kind 0");
        if (length < wordBytes || length % wordBytes != 0 || length > maxRecordBytes)
            return corrupt("no record is " + std::to_string(length) + " bytes long");
        if (m_offset == 0 && (header.kind != RecordKind::Preamble || length > maxPreambleBytes))
            return corrupt("a feed starts with its preamble, and this is none");
        if (length > untrusted.size())
            break;
        if (auto good = handOut(header, untrusted.first(length), visitor); !good)
            return tl::unexpected(good.error());
        m_offset += length;
        ++records;
        untrusted = untrusted.subspan(length);
    }
    return records;
}

Expected<void> RecordParser::handOut(RecordHeader header, Bytes record, RecordVisitor &visitor)
{
    switch (header.kind) {
    case RecordKind::Preamble:
        return preamble(record, visitor);
    case RecordKind::Series:
        return series(header.series, record, visitor);
    case RecordKind::Point:
        return point(header, record, visitor);
    case RecordKind::Event:
        return event(record, visitor);
    case RecordKind::Gap:
        return gap(record, visitor);
    case RecordKind::StepBase:
        return stepBase(record);
    case RecordKind::Table:  // says nothing new to who comes from the start
    case RecordKind::Padding:
        return {};
    }
    return {};  // a kind of a later version: its length was all we needed
}

Expected<void> RecordParser::preamble(Bytes record, RecordVisitor &visitor) const
{
    if (m_offset != 0)
        return corrupt("a second preamble");
    if (record.size() < 40)
        return corrupt("the preamble is too short");
    if (std::memcmp(record.data() + 8, magic, sizeof magic) != 0)
        return corrupt("this is not a feed: its preamble does not say SWSCFEED");
    const auto version = field<std::uint32_t>(record, 16);
    if (version > formatVersion)
        return makeError(ErrorCode::Unsupported, "the feed has format version " + std::to_string(version)
                                                     + " at offset 0, and this program reads up to version "
                                                     + std::to_string(formatVersion) + "; use a newer Sweepscope");
    if (version == 0)
        return corrupt("no feed has format version 0");
    Preamble value;
    value.rank = field<std::int32_t>(record, 20);
    value.worldSize = field<std::int32_t>(record, 24);
    value.createdNs = field<std::int64_t>(record, 32);
    const std::string padded = text(record, 40, record.size() - 40);
    value.attemptId = padded.substr(0, padded.find('\0'));
    visitor.preamble(value);
    return {};
}

Expected<void> RecordParser::series(std::uint16_t id, Bytes record, RecordVisitor &visitor)
{
    if (record.size() < 16)
        return corrupt("a series declaration is too short");
    const std::size_t nameBytes = field<std::uint16_t>(record, 8);
    const std::size_t unitBytes = field<std::uint16_t>(record, 10);
    if (16 + nameBytes + unitBytes > record.size())
        return corrupt("the name of a series does not fit its record");
    if (id == noSeries)
        return corrupt("no series has the id " + std::to_string(id));
    m_declared.set(id);
    visitor.series({id, text(record, 16, nameBytes), text(record, 16 + nameBytes, unitBytes)});
    return {};
}

Expected<void> RecordParser::point(RecordHeader header, Bytes record, RecordVisitor &visitor) const
{
    if (!m_declared.test(header.series))
        return corrupt("a point of series " + std::to_string(header.series) + ", which was never declared");
    visitor.point({header.series, m_stepBase | std::int64_t{header.lengthOrStep}, field<std::int64_t>(record, 8),
                   field<double>(record, 16)});
    return {};
}

Expected<void> RecordParser::event(Bytes record, RecordVisitor &visitor) const
{
    if (record.size() < 32)
        return corrupt("an event is too short");
    const std::size_t textBytes = field<std::uint16_t>(record, 26);
    if (32 + textBytes > record.size())
        return corrupt("the text of an event does not fit its record");
    visitor.event({static_cast<EventKind>(field<std::uint16_t>(record, 24)), field<std::int64_t>(record, 16),
                   field<std::int64_t>(record, 8), text(record, 32, textBytes)});
    return {};
}

Expected<void> RecordParser::gap(Bytes record, RecordVisitor &visitor) const
{
    if (record.size() < 24)
        return corrupt("a gap is too short");
    visitor.gap({field<std::int64_t>(record, 8), field<std::uint64_t>(record, 16)});
    return {};
}

Expected<void> RecordParser::stepBase(Bytes record)
{
    if (record.size() < 16)
        return corrupt("a step base is too short");
    const auto base = field<std::int64_t>(record, 8);
    if ((base & 0xffffffff) != 0)
        return corrupt("the low half of a step base is not zero");
    m_stepBase = base;
    return {};
}

tl::unexpected<Error> RecordParser::corrupt(const std::string &what) const
{
    return makeError(ErrorCode::Corrupt,
                     "damaged at offset " + std::to_string(m_offset) + ": " + what + "; everything before it was read");
}

}  // namespace sweepscope::feed
