// SPDX-License-Identifier: MIT
#include "feed/logtable.h"

#include "feed/recordencoding.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace sweepscope::feed {

namespace {

constexpr std::size_t entryBytes = 8;

struct Entry {
    std::uint16_t id;
    std::uint16_t nameBytes;
    std::uint16_t unitBytes;
    std::uint16_t reserved;
};
static_assert(sizeof(Entry) == entryBytes);

struct Fixed {
    RecordHeader header;
    std::int64_t stepBase;
    std::uint32_t series;
    std::uint32_t reserved;
};
static_assert(sizeof(Fixed) == 24);

template <typename T>
void append(std::string &bytes, const T &object)
{
    bytes.append(reinterpret_cast<const char *>(&object), sizeof object);
}

}  // namespace

std::string encodeTable(const LogTable &table)
{
    std::string bytes;
    append(bytes,
           Fixed{{RecordKind::Table, 0, 0, 0}, table.stepBase, static_cast<std::uint32_t>(table.series.size()), 0});
    for (const SeriesDeclaration &one : table.series) {
        const std::string_view name = encoding::cutText(one.name, maxNameBytes);
        const std::string_view unit = encoding::cutText(one.unit, maxUnitBytes);
        append(bytes,
               Entry{one.id, static_cast<std::uint16_t>(name.size()), static_cast<std::uint16_t>(unit.size()), 0});
        bytes.append(name).append(unit);
    }
    bytes.resize(encoding::paddedBytes(bytes.size()));
    if (bytes.size() > maxRecordBytes)
        return {};
    const RecordHeader header{RecordKind::Table, 0, 0, static_cast<std::uint32_t>(bytes.size())};
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

std::optional<LogTable> decodeTable(std::span<const unsigned char> untrusted)
{
    Fixed fixed{};
    if (untrusted.size() < sizeof fixed)
        return std::nullopt;
    std::memcpy(&fixed, untrusted.data(), sizeof fixed);
    if (fixed.header.kind != RecordKind::Table || fixed.header.lengthOrStep > untrusted.size()
        || (fixed.stepBase & 0xffffffff) != 0)
        return std::nullopt;
    LogTable table;
    table.stepBase = fixed.stepBase;
    untrusted = untrusted.first(fixed.header.lengthOrStep);
    untrusted = untrusted.subspan(std::min(untrusted.size(), sizeof fixed));
    for (std::uint32_t i = 0; i < fixed.series; ++i) {
        Entry entry{};
        if (untrusted.size() < sizeof entry)
            return std::nullopt;
        std::memcpy(&entry, untrusted.data(), sizeof entry);
        untrusted = untrusted.subspan(sizeof entry);
        if (untrusted.size() < std::size_t{entry.nameBytes} + entry.unitBytes || entry.id == noSeries)
            return std::nullopt;
        const auto *text = reinterpret_cast<const char *>(untrusted.data());
        table.series.push_back(
            {entry.id, std::string(text, entry.nameBytes), std::string(text + entry.nameBytes, entry.unitBytes)});
        untrusted = untrusted.subspan(std::size_t{entry.nameBytes} + entry.unitBytes);
    }
    return table;
}

}  // namespace sweepscope::feed
