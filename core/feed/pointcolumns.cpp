// SPDX-License-Identifier: MIT
#include "feed/pointcolumns.h"

#include "feed/byseries.h"
#include "feed/format.h"

#include <cstring>

namespace sweepscope::feed::packing {

namespace {

using Bytes = std::span<const unsigned char>;

struct Run {
    std::uint32_t points;
    std::uint32_t otherBytes;
};

struct PointWords {
    std::uint32_t head;
    std::uint32_t step;
    std::uint64_t time;
    std::uint64_t value;
};
static_assert(sizeof(PointWords) == pointBytes);

struct Columns {
    std::vector<std::uint32_t> heads;
    std::vector<std::uint32_t> steps;
    std::vector<std::uint64_t> times;
    std::vector<std::uint64_t> values;
};

/// Turns points into differences and back: both sides keep the same memory.
class Differences {
public:
    explicit Differences(bool xorValues) : m_xor(xorValues) {}

    PointWords encode(const PointWords &point)
    {
        Last &last = m_last[static_cast<std::uint16_t>(point.head >> 16)];
        const PointWords difference{point.head, point.step - last.step, point.time - m_time,
                                    m_xor ? point.value ^ last.value : point.value};
        store(last, point);
        return difference;
    }

    PointWords decode(const PointWords &difference)
    {
        Last &last = m_last[static_cast<std::uint16_t>(difference.head >> 16)];
        const PointWords point{difference.head, difference.step + last.step, difference.time + m_time,
                               m_xor ? difference.value ^ last.value : difference.value};
        store(last, point);
        return point;
    }

private:
    struct Last {
        std::uint32_t step = 0;
        std::uint64_t value = 0;
    };
    void store(Last &last, const PointWords &point)
    {
        last = {point.step, point.value};
        m_time = point.time;
    }

    bool m_xor;
    std::uint64_t m_time = 0;
    BySeries<Last> m_last;
};

bool isPoint(Bytes records)
{
    return records.size() >= pointBytes && records[0] == static_cast<unsigned char>(RecordKind::Point);
}

/// Bytes up to the next point; all that is left if there is no way to know.
std::size_t otherBytes(Bytes records)
{
    std::size_t at = 0;
    while (records.size() - at >= wordBytes && !isPoint(records.subspan(at))) {
        RecordHeader header{};
        std::memcpy(&header, records.data() + at, sizeof header);
        if (header.kind == RecordKind::Point || header.lengthOrStep < wordBytes || header.lengthOrStep % wordBytes != 0
            || header.lengthOrStep > records.size() - at)
            return records.size();
        at += header.lengthOrStep;
    }
    return records.size() - at < wordBytes ? records.size() : at;
}

template <typename Word>
void putPlanes(std::vector<unsigned char> &out, const std::vector<Word> &words)
{
    const std::size_t start = out.size();
    out.resize(start + words.size() * sizeof(Word));
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t plane = 0; plane < sizeof(Word); ++plane)
            out[start + plane * words.size() + i] = static_cast<unsigned char>(words[i] >> (8 * plane));
    }
}

template <typename Word>
std::vector<Word> takePlanes(Bytes &from, std::size_t count)
{
    std::vector<Word> words(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t plane = 0; plane < sizeof(Word); ++plane)
            words[i] |= static_cast<Word>(Word{from[plane * count + i]} << (8 * plane));
    }
    from = from.subspan(count * sizeof(Word));
    return words;
}

template <typename T>
void append(std::vector<unsigned char> &out, const T *values, std::size_t count)
{
    const auto *bytes = reinterpret_cast<const unsigned char *>(values);
    out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

}  // namespace

std::vector<unsigned char> toColumns(Bytes records, bool xorValues)
{
    std::vector<Run> runs;
    std::vector<unsigned char> others;
    Columns columns;
    Differences differences(xorValues);
    while (!records.empty()) {
        Run run{};
        for (; isPoint(records); records = records.subspan(pointBytes), ++run.points) {
            PointWords point{};
            std::memcpy(&point, records.data(), sizeof point);
            const PointWords difference = differences.encode(point);
            columns.heads.push_back(difference.head);
            columns.steps.push_back(difference.step);
            columns.times.push_back(difference.time);
            columns.values.push_back(difference.value);
        }
        const std::size_t rest = otherBytes(records);
        run.otherBytes = static_cast<std::uint32_t>(rest);
        append(others, records.data(), rest);
        records = records.subspan(rest);
        runs.push_back(run);
    }

    std::vector<unsigned char> out;
    const std::uint32_t counts[2] = {static_cast<std::uint32_t>(runs.size()),
                                     static_cast<std::uint32_t>(columns.heads.size())};
    append(out, counts, 2);
    append(out, runs.data(), runs.size());
    append(out, others.data(), others.size());
    putPlanes(out, columns.heads);
    putPlanes(out, columns.steps);
    putPlanes(out, columns.times);
    putPlanes(out, columns.values);
    return out;
}

std::optional<std::vector<unsigned char>> fromColumns(Bytes untrusted, bool xorValues, std::size_t rawBytes)
{
    std::uint32_t counts[2];
    if (untrusted.size() < sizeof counts)
        return std::nullopt;
    std::memcpy(counts, untrusted.data(), sizeof counts);
    untrusted = untrusted.subspan(sizeof counts);
    const std::size_t pointsBytes = std::size_t{counts[1]} * pointBytes;
    if (untrusted.size() / sizeof(Run) < counts[0] || pointsBytes > rawBytes)
        return std::nullopt;
    std::vector<Run> runs(counts[0]);
    const std::size_t runsBytes = runs.size() * sizeof(Run);
    if (runsBytes != 0)
        std::memcpy(runs.data(), untrusted.data(), runsBytes);
    untrusted = untrusted.subspan(runsBytes);

    std::uint64_t points = 0;
    std::uint64_t othersBytes = 0;
    for (const Run &run : runs) {
        points += run.points;
        othersBytes += run.otherBytes;
    }
    if (points != counts[1] || othersBytes + pointsBytes != rawBytes || untrusted.size() != rawBytes)
        return std::nullopt;
    Bytes others = untrusted.first(othersBytes);
    Bytes rest = untrusted.subspan(othersBytes);
    const auto heads = takePlanes<std::uint32_t>(rest, points);
    const auto steps = takePlanes<std::uint32_t>(rest, points);
    const auto times = takePlanes<std::uint64_t>(rest, points);
    const auto values = takePlanes<std::uint64_t>(rest, points);

    std::vector<unsigned char> out;
    out.reserve(rawBytes);
    Differences differences(xorValues);
    std::size_t next = 0;
    for (const Run &run : runs) {
        for (std::uint32_t i = 0; i < run.points; ++i, ++next) {
            const PointWords point = differences.decode({heads[next], steps[next], times[next], values[next]});
            append(out, &point, 1);
        }
        append(out, others.data(), run.otherBytes);
        others = others.subspan(run.otherBytes);
    }
    return out;
}

}  // namespace sweepscope::feed::packing
