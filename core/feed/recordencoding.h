// SPDX-License-Identifier: MIT
#pragma once

#include "feed/format.h"
#include "feed/records.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// The records of sweepscope_feed.h as words, into any sink with `put(std::uint64_t)`: a ring's tail, a buffer. No
/// allocation.
namespace sweepscope::feed::encoding {

inline constexpr std::size_t gapBytes = 24;
inline constexpr std::size_t stepBaseBytes = 16;

constexpr std::size_t paddedBytes(std::size_t bytes) noexcept
{
    return (bytes + wordBytes - 1) / wordBytes * wordBytes;
}

constexpr std::size_t preambleBytes(std::string_view attemptId) noexcept
{
    return 40 + paddedBytes(attemptId.size());
}

constexpr std::size_t seriesBytes(std::string_view name, std::string_view unit) noexcept
{
    return 16 + paddedBytes(name.size() + unit.size());
}

constexpr std::size_t eventBytes(std::string_view text) noexcept
{
    return 32 + paddedBytes(text.size());
}

constexpr std::int64_t stepBaseOf(std::int64_t step) noexcept
{
    return step & ~std::int64_t{0xffffffff};
}

/// At most `maxBytes` of `text`, not cut inside a UTF-8 character.
constexpr std::string_view cutText(std::string_view text, std::size_t maxBytes) noexcept
{
    if (text.size() <= maxBytes)
        return text;
    std::size_t end = maxBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

constexpr std::uint64_t headerWord(RecordKind kind, std::uint16_t series, std::uint32_t lengthOrStep) noexcept
{
    return std::bit_cast<std::uint64_t>(RecordHeader{kind, 0, series, lengthOrStep});
}

/// Two texts back to back, zero-padded to whole words.
template <typename Sink>
void putTexts(Sink &sink, std::string_view first, std::string_view second = {}) noexcept(noexcept(sink.put(0)))
{
    std::uint64_t word = 0;
    std::size_t filled = 0;
    for (const std::string_view text : {first, second}) {
        for (const char c : text) {
            word |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * filled);
            if (++filled == wordBytes) {
                sink.put(word);
                word = 0;
                filled = 0;
            }
        }
    }
    if (filled != 0)
        sink.put(word);
}

template <typename Sink>
void putPreamble(Sink &sink, const Preamble &preamble)
{
    const auto word = [](std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; };
    sink.put(headerWord(RecordKind::Preamble, 0, static_cast<std::uint32_t>(preambleBytes(preamble.attemptId))));
    putTexts(sink, std::string_view(magic, sizeof magic));
    sink.put(word(formatVersion, static_cast<std::uint32_t>(preamble.rank)));
    sink.put(word(static_cast<std::uint32_t>(preamble.worldSize), 0));
    sink.put(static_cast<std::uint64_t>(preamble.createdNs));
    putTexts(sink, preamble.attemptId);
}

template <typename Sink>
void putSeries(Sink &sink, std::uint16_t id, std::string_view name,
               std::string_view unit) noexcept(noexcept(sink.put(0)))
{
    sink.put(headerWord(RecordKind::Series, id, static_cast<std::uint32_t>(seriesBytes(name, unit))));
    sink.put(std::uint64_t{unit.size()} << 16 | name.size());
    putTexts(sink, name, unit);
}

constexpr std::uint64_t pointWord(const Point &point) noexcept
{
    return headerWord(RecordKind::Point, point.series, static_cast<std::uint32_t>(point.step & 0xffffffff));
}

template <typename Sink>
void putPoint(Sink &sink, const Point &point) noexcept(noexcept(sink.put(0)))
{
    sink.put(pointWord(point));
    sink.put(static_cast<std::uint64_t>(point.timeNs));
    sink.put(std::bit_cast<std::uint64_t>(point.value));
}

template <typename Sink>
void putEvent(Sink &sink, EventKind kind, std::int64_t timeNs, std::int64_t step,
              std::string_view text) noexcept(noexcept(sink.put(0)))
{
    sink.put(headerWord(RecordKind::Event, 0, static_cast<std::uint32_t>(eventBytes(text))));
    sink.put(static_cast<std::uint64_t>(timeNs));
    sink.put(static_cast<std::uint64_t>(step));
    sink.put(std::uint64_t{text.size()} << 16 | static_cast<std::uint64_t>(kind));
    putTexts(sink, text);
}

template <typename Sink>
void putGap(Sink &sink, std::int64_t timeNs, std::uint64_t dropped) noexcept(noexcept(sink.put(0)))
{
    sink.put(headerWord(RecordKind::Gap, 0, gapBytes));
    sink.put(static_cast<std::uint64_t>(timeNs));
    sink.put(dropped);
}

template <typename Sink>
void putStepBase(Sink &sink, std::int64_t base) noexcept(noexcept(sink.put(0)))
{
    sink.put(headerWord(RecordKind::StepBase, 0, stepBaseBytes));
    sink.put(static_cast<std::uint64_t>(base));
}

/// One record of `bytes`, a multiple of a word and at most maxRecordBytes.
template <typename Sink>
void putPadding(Sink &sink, std::uint64_t bytes)
{
    sink.put(headerWord(RecordKind::Padding, 0, static_cast<std::uint32_t>(bytes)));
    for (std::uint64_t put = wordBytes; put < bytes; put += wordBytes)
        sink.put(0);
}

/// What RingHeader::streamId is: FNV-1a, 64 bit (http://www.isthe.com/chongo/tech/comp/fnv/), of the preamble record.
inline std::uint64_t streamId(const unsigned char *record, std::size_t bytes) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (std::size_t i = 0; i < bytes; ++i)
        hash = (hash ^ record[i]) * 0x100000001b3ULL;
    return hash;
}

}  // namespace sweepscope::feed::encoding
