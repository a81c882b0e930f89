// SPDX-License-Identifier: MIT
#include "feed/recordparser.h"

#include "feed/logtable.h"
#include "feed/recordencoding.h"

#include <algorithm>
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

constexpr std::uint64_t yearNs = std::uint64_t{366} * 24 * 3600 * 1'000'000'000;
constexpr std::int64_t year2001Ns = 978'307'200'000'000'000;
constexpr std::int64_t year2100Ns = 4'102'444'800'000'000'000;

/// Whether a record may have this time after one that had `known`; no figure and no other word of a record looks like
/// it.
bool isPlausible(std::int64_t time, std::int64_t known) noexcept
{
    if (known == 0)
        return time > year2001Ns && time < year2100Ns;
    const auto a = static_cast<std::uint64_t>(time);
    const auto b = static_cast<std::uint64_t>(known);
    return (time > known ? a - b : b - a) < yearNs;
}

/// Steps of one series that are not made of two different bases.
bool areNear(std::int64_t a, std::int64_t b) noexcept
{
    const std::uint64_t apart = a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                                      : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
    return apart < std::uint64_t{1} << 24U;
}

/// Returns the length of the record at the start of `untrusted`; 0: not a record; more than its size: not known yet.
std::size_t plausibleLength(Bytes untrusted, std::int64_t known)
{
    const auto header = field<RecordHeader>(untrusted, 0);
    const std::size_t length = header.kind == RecordKind::Point ? pointBytes : header.lengthOrStep;
    if (header.reserved != 0 || length < wordBytes || length % wordBytes != 0 || length > maxRecordBytes)
        return 0;
    const auto isWhole = [&](std::size_t fixedBytes) { return length >= fixedBytes && length <= untrusted.size(); };
    const auto time = [&] { return isPlausible(field<std::int64_t>(untrusted, 8), known); };
    switch (header.kind) {
    case RecordKind::Preamble:
        return 0;
    case RecordKind::Series:
        if (isWhole(16)) {
            const std::size_t texts =
                std::size_t{field<std::uint16_t>(untrusted, 8)} + field<std::uint16_t>(untrusted, 10);
            return encoding::paddedBytes(16 + texts) == length ? length : 0;
        }
        return length < 16 ? 0 : length;
    case RecordKind::Point:
        return header.series == noSeries || (isWhole(pointBytes) && !time()) ? 0 : length;
    case RecordKind::Event:
        if (isWhole(32)) {
            const std::size_t text = field<std::uint16_t>(untrusted, 26);
            return encoding::paddedBytes(32 + text) == length && time() ? length : 0;
        }
        return length < 32 ? 0 : length;
    case RecordKind::Gap:
        return length != 24 || (isWhole(24) && !time()) ? 0 : length;
    case RecordKind::StepBase:
        return length != 16 || (isWhole(16) && (field<std::int64_t>(untrusted, 8) & 0xffffffff) != 0) ? 0 : length;
    case RecordKind::Table:
        return length < 24 || (isWhole(24) && !decodeTable(untrusted.first(length))) ? 0 : length;
    case RecordKind::Padding:
        return length;
    }
    return 0;
}

/// Three of them in a row are no accident. At the end of all bytes fewer must do.
bool startsRecords(Bytes untrusted, std::int64_t known, bool isEnd)
{
    for (int records = 0; records < 3; ++records) {
        const bool hasHeader = untrusted.size() >= wordBytes;
        const std::size_t length = hasHeader ? plausibleLength(untrusted, known) : wordBytes;
        if (length == 0)
            return false;
        if (length > untrusted.size())
            return isEnd && records > 0;
        untrusted = untrusted.subspan(length);
    }
    return true;
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

std::optional<std::uint64_t> RecordParser::findRecords(Bytes untrusted, std::uint64_t from, bool isEnd) const
{
    constexpr std::size_t undecided = 3 * maxRecordBytes;
    const std::size_t last = isEnd ? untrusted.size() : untrusted.size() - std::min(untrusted.size(), undecided);
    // Where the base changes all the time (a series with negative steps) only what says it anew is a good start.
    constexpr std::uint64_t few = 3;  // a run of a few points may begin with this many
    const bool needsBase = m_stepBases > few && m_points / m_stepBases < 1000;
    for (std::size_t at = 0; at + wordBytes <= last; at += wordBytes) {
        const auto kind = static_cast<RecordKind>(untrusted[at]);
        if (needsBase && kind != RecordKind::StepBase && kind != RecordKind::Table)
            continue;
        if (startsRecords(untrusted.subspan(at), m_timeNs, isEnd))
            return from + at;
    }
    return std::nullopt;
}

void RecordParser::skipTo(std::uint64_t offset)
{
    m_offset = offset;
    m_skipped = m_baseUnsure = true;
}

Expected<std::uint64_t> RecordParser::parse(Bytes untrusted, RecordVisitor &visitor)
{
    std::uint64_t records = 0;
    while (untrusted.size() >= wordBytes) {
        const auto header = field<RecordHeader>(untrusted, 0);
        const std::size_t length = header.kind == RecordKind::Point ? pointBytes : header.lengthOrStep;
        if (static_cast<std::uint8_t>(header.kind) == 0)
            return corrupt("record kind 0 is invalid");
        if (length < wordBytes || length % wordBytes != 0 || length > maxRecordBytes)
            return corrupt("a record cannot be " + std::to_string(length) + " bytes long");
        if (m_offset == 0 && (header.kind != RecordKind::Preamble || length > maxPreambleBytes))
            return corrupt("the feed does not start with a preamble");
        if (length > untrusted.size())
            break;
        if (auto good = dispatch(header, untrusted.first(length), visitor); !good)
            return tl::unexpected(good.error());
        m_offset += length;
        ++records;
        untrusted = untrusted.subspan(length);
    }
    return records;
}

Expected<void> RecordParser::dispatch(RecordHeader header, Bytes record, RecordVisitor &visitor)
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
    case RecordKind::Table:
        table(record, visitor);
        return {};
    case RecordKind::Padding:
        return {};
    }
    return {};  // a kind of a later version: its length was all we needed
}

Expected<void> RecordParser::preamble(Bytes record, RecordVisitor &visitor)
{
    if (m_offset != 0)
        return corrupt("a second preamble");
    if (record.size() < 40)
        return corrupt("the preamble is too short");
    if (std::memcmp(record.data() + 8, magic, sizeof magic) != 0)
        return corrupt("this is not a feed: its preamble lacks SWSCFEED");
    const auto version = field<std::uint32_t>(record, 16);
    if (version > formatVersion)
        return makeError(ErrorCode::Unsupported, "the feed has format version " + std::to_string(version)
                                                     + " at offset 0, but this program reads only up to version "
                                                     + std::to_string(formatVersion) + "; use a newer Sweepscope");
    if (version == 0)
        return corrupt("format version 0 is invalid");
    Preamble value;
    value.rank = field<std::int32_t>(record, 20);
    value.worldSize = field<std::int32_t>(record, 24);
    value.createdNs = m_timeNs = field<std::int64_t>(record, 32);
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
        return corrupt("the name of a series does not fit in its record");
    if (id == noSeries)
        return corrupt("invalid series id " + std::to_string(id));
    m_declared.set(id);
    visitor.series({id, text(record, 16, nameBytes), text(record, 16 + nameBytes, unitBytes)});
    return {};
}

Expected<void> RecordParser::point(RecordHeader header, Bytes record, RecordVisitor &visitor)
{
    if (!m_declared.test(header.series)) {
        if (!m_skipped || header.series == noSeries)
            return corrupt("a point of series " + std::to_string(header.series) + ", which was never declared");
        m_declared.set(header.series);
        visitor.series({header.series, "series " + std::to_string(header.series), {}});
    }
    ++m_points;
    visitor.point({header.series, stepOf(header), timeOf(record), field<double>(record, 16)});
    return {};
}

/// Returns the step of a point. If the step base may have been lost, assumes that the series continues near its last
/// steps, provided that these are distinguishable from damaged ones.
std::int64_t RecordParser::stepOf(RecordHeader header)
{
    LastSteps &known = m_lastSteps[header.series];
    if (m_baseUnsure && areNear(known.last, known.before)) {
        const auto ahead = static_cast<std::int32_t>(header.lengthOrStep - static_cast<std::uint32_t>(known.last));
        const auto step = static_cast<std::int64_t>(static_cast<std::uint64_t>(known.last)
                                                    + static_cast<std::uint64_t>(std::int64_t{ahead}));
        if (areNear(step, known.last))
            m_stepBase = step & ~std::int64_t{0xffffffff};
        m_baseUnsure = false;
    }
    const std::int64_t step = m_stepBase | std::int64_t{header.lengthOrStep};
    known = {step, known.last};
    return step;
}

/// It says nothing new to who has read everything before it.
void RecordParser::table(Bytes record, RecordVisitor &visitor)
{
    const auto known = m_skipped ? decodeTable(record) : std::nullopt;
    if (!known)
        return;
    m_stepBase = known->stepBase;
    m_baseUnsure = false;
    for (const SeriesDeclaration &one : known->series) {
        if (!m_declared.test(one.id)) {
            m_declared.set(one.id);
            visitor.series(one);
        }
    }
}

Expected<void> RecordParser::event(Bytes record, RecordVisitor &visitor)
{
    if (record.size() < 32)
        return corrupt("an event is too short");
    const std::size_t textBytes = field<std::uint16_t>(record, 26);
    if (32 + textBytes > record.size())
        return corrupt("the text of an event does not fit in its record");
    visitor.event({static_cast<EventKind>(field<std::uint16_t>(record, 24)), field<std::int64_t>(record, 16),
                   timeOf(record), text(record, 32, textBytes)});
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
    m_baseUnsure = false;
    ++m_stepBases;
    return {};
}

/// What a damaged record says must not be what others are held against.
std::int64_t RecordParser::timeOf(Bytes record)
{
    const auto time = field<std::int64_t>(record, 8);
    if (m_timeNs == 0 || isPlausible(time, m_timeNs))
        m_timeNs = time;
    return time;
}

tl::unexpected<Error> RecordParser::corrupt(const std::string &what) const
{
    return makeError(ErrorCode::Corrupt,
                     "damaged at offset " + std::to_string(m_offset) + ": " + what + "; everything before it was read");
}

}  // namespace sweepscope::feed
