#include "series/block.h"

#include <array>
#include <bit>
#include <functional>

namespace sweepscope::series {

namespace {

constexpr std::size_t padded(std::size_t bytes)
{
    return (bytes + 7) & ~std::size_t{7};
}

/// Of the straight line from `first` to `last`, which is not below it.
std::uint64_t slopeOf(std::int64_t first, std::int64_t last, std::size_t count)
{
    return count < 2 ? 0 : (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)) / (count - 1);
}

std::uint8_t widthOf(std::int64_t lowest, std::int64_t highest)
{
    const auto fits = [&](int bits) {
        const std::int64_t limit = std::int64_t{1} << (bits - 1);
        return lowest >= -limit && highest < limit;
    };
    if (lowest == 0 && highest == 0)
        return 0;
    return fits(8) ? 1 : fits(16) ? 2 : fits(32) ? 4 : 8;
}

template <typename T>
T load(const unsigned char *bytes, std::size_t i)
{
    T value;
    std::memcpy(&value, bytes + i * sizeof value, sizeof value);
    return value;
}

template <typename T>
unsigned char *store(unsigned char *out, std::span<const std::int64_t> values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(values[i]);
        std::memcpy(out + i * sizeof value, &value, sizeof value);
    }
    return out + padded(values.size() * sizeof(T));
}

/// One of the two ascending arrays, on its way into a block.
struct WrongBy {
    std::array<std::int64_t, blockSamples> values;
    std::uint8_t width = 0;

    template <typename Of>
    WrongBy(std::span<const Sample> samples, Of of)
    {
        const std::uint64_t slope = slopeOf(of(samples.front()), of(samples.back()), samples.size());
        auto expected = static_cast<std::uint64_t>(of(samples.front()));
        std::int64_t lowest = 0;
        std::int64_t highest = 0;
        for (std::size_t i = 0; i < samples.size(); ++i, expected += slope) {
            values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(of(samples[i])) - expected);
            lowest = std::min(lowest, values[i]);
            highest = std::max(highest, values[i]);
        }
        width = widthOf(lowest, highest);
    }

    unsigned char *put(unsigned char *out, std::size_t count) const
    {
        const std::span<const std::int64_t> all(values.data(), count);
        switch (width) {
        case 0:
            return out;
        case 1:
            return store<std::int8_t>(out, all);
        case 2:
            return store<std::int16_t>(out, all);
        case 4:
            return store<std::int32_t>(out, all);
        default:
            return store<std::int64_t>(out, all);
        }
    }
};

bool isFloat(double value)
{
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value)))
           == std::bit_cast<std::uint64_t>(value);
}

/// 16 bytes of values that are compared at once, and two such chains side by side: one would wait for each comparison.
template <typename T>
class Extremes {
public:
    explicit Extremes(T first)
    {
        for (Vector *vector : {&m_min[0], &m_min[1], &m_max[0], &m_max[1]})
            *vector = Vector{} + first;
    }
    static constexpr std::size_t step = 32 / sizeof(T);
    void add(const unsigned char *values)
    {
        Vector vectors[2];
        std::memcpy(vectors, values, sizeof vectors);
        m_min[0] = vectors[0] < m_min[0] ? vectors[0] : m_min[0];
        m_max[0] = vectors[0] > m_max[0] ? vectors[0] : m_max[0];
        m_min[1] = vectors[1] < m_min[1] ? vectors[1] : m_min[1];
        m_max[1] = vectors[1] > m_max[1] ? vectors[1] : m_max[1];
    }
    T min() const { return least(m_min[0] < m_min[1] ? m_min[0] : m_min[1], std::less<T>()); }
    T max() const { return least(m_max[0] > m_max[1] ? m_max[0] : m_max[1], std::greater<T>()); }

private:
    typedef T Vector __attribute__((vector_size(16)));  // of GCC and Clang

    template <typename Before>
    static T least(const Vector &vector, Before before)
    {
        T value = vector[0];
        for (std::size_t i = 1; i < 16 / sizeof(T); ++i)
            value = before(vector[i], value) ? vector[i] : value;
        return value;
    }

    Vector m_min[2];
    Vector m_max[2];
};

template <typename T>
double sumOf(const unsigned char *bytes, std::size_t begin, std::size_t end)
{
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
        a += static_cast<double>(load<T>(bytes, i));
        b += static_cast<double>(load<T>(bytes, i + 1));
        c += static_cast<double>(load<T>(bytes, i + 2));
        d += static_cast<double>(load<T>(bytes, i + 3));
    }
    for (; i < end; ++i)
        a += static_cast<double>(load<T>(bytes, i));
    return (a + b) + (c + d);
}

template <typename T>
Summary summarizeFinite(const unsigned char *bytes, std::size_t begin, std::size_t end)
{
    const T first = load<T>(bytes, begin);
    Extremes<T> extremes(first);
    std::size_t i = begin;
    for (; i + Extremes<T>::step <= end; i += Extremes<T>::step)
        extremes.add(bytes + i * sizeof(T));
    T min = extremes.min();
    T max = extremes.max();
    for (; i < end; ++i) {
        min = std::min(min, load<T>(bytes, i));
        max = std::max(max, load<T>(bytes, i));
    }
    Summary summary;
    summary.min = static_cast<double>(min);
    summary.max = static_cast<double>(max);
    summary.first = static_cast<double>(first);
    summary.last = static_cast<double>(load<T>(bytes, end - 1));
    summary.sum = sumOf<T>(bytes, begin, end);
    summary.count = summary.finite = end - begin;
    return summary;
}

}  // namespace

std::size_t blockBytes(std::size_t count, BlockWidths widths)
{
    return padded(count * widths.value) + padded(count * widths.step) + padded(count * widths.time);
}

PackedBlock packBlock(std::span<const Sample> samples, std::vector<unsigned char> &bytes)
{
    const std::size_t count = samples.size();
    const WrongBy steps(samples, [](const Sample &sample) { return sample.step; });
    const WrongBy times(samples, [](const Sample &sample) { return sample.timeNs; });
    PackedBlock packed;
    Block &block = packed.block;
    block.count = static_cast<std::uint16_t>(count);
    block.firstStep = samples.front().step;
    block.lastStep = samples.back().step;
    block.firstTimeNs = samples.front().timeNs;
    block.lastTimeNs = samples.back().timeNs;
    block.widths.step = steps.width;
    block.widths.time = times.width;
    block.widths.value = 4;
    for (const Sample &sample : samples) {
        if (!isFloat(sample.value)) {
            block.widths.value = 8;
            break;
        }
    }

    const std::size_t start = bytes.size();
    bytes.resize(start + blockBytes(count, block.widths));
    unsigned char *out = bytes.data() + start;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = samples[i].value;
        block.allFinite = block.allFinite && std::isfinite(value);
        if (block.widths.value == 4) {
            const auto narrow = static_cast<float>(value);
            std::memcpy(out + 4 * i, &narrow, sizeof narrow);
        } else {
            std::memcpy(out + 8 * i, &value, sizeof value);
        }
    }
    if (!block.allFinite) {
        for (const Sample &sample : samples)
            packed.summary.add(sample.value);
    } else {
        packed.summary =
            block.widths.value == 4 ? summarizeFinite<float>(out, 0, count) : summarizeFinite<double>(out, 0, count);
    }
    times.put(steps.put(out + padded(count * block.widths.value), count), count);
    block.checksum = checksumOf({bytes.data() + start, bytes.size() - start});
    return packed;
}

/// Four chains of multiplications side by side: a byte-wise sum would cost more than packing.
std::uint32_t checksumOf(std::span<const unsigned char> bytes)
{
    constexpr std::uint64_t prime = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash[4] = {1, 2, 3, bytes.size()};
    std::size_t at = 0;
    for (; at + 32 <= bytes.size(); at += 32) {
        for (std::size_t lane = 0; lane < 4; ++lane)
            hash[lane] = (std::rotl(hash[lane], 29) ^ load<std::uint64_t>(bytes.data() + at, lane)) * prime;
    }
    for (; at + 8 <= bytes.size(); at += 8)
        hash[0] = (std::rotl(hash[0], 29) ^ load<std::uint64_t>(bytes.data() + at, 0)) * prime;
    for (; at < bytes.size(); ++at)
        hash[0] = (std::rotl(hash[0], 29) ^ bytes[at]) * prime;
    const std::uint64_t all = ((hash[0] * prime ^ hash[1]) * prime ^ hash[2]) * prime ^ hash[3];
    return static_cast<std::uint32_t>((all * prime) >> 32U);
}

BlockView::BlockView(const Block &block, const unsigned char *bytes)
    : m_values(bytes), m_count(block.count), m_floats(block.widths.value == 4), m_allFinite(block.allFinite)
{
    const std::size_t count = block.count;
    const unsigned char *steps = bytes + padded(count * block.widths.value);
    m_steps = {static_cast<std::uint64_t>(block.firstStep), slopeOf(block.firstStep, block.lastStep, count),
               block.widths.step, steps};
    m_times = {static_cast<std::uint64_t>(block.firstTimeNs), slopeOf(block.firstTimeNs, block.lastTimeNs, count),
               block.widths.time, steps + padded(count * block.widths.step)};
}

std::int64_t BlockView::Ascending::at(std::size_t i) const
{
    std::int64_t wrong = 0;
    switch (width) {
    case 1:
        wrong = load<std::int8_t>(wrongBy, i);
        break;
    case 2:
        wrong = load<std::int16_t>(wrongBy, i);
        break;
    case 4:
        wrong = load<std::int32_t>(wrongBy, i);
        break;
    case 8:
        wrong = load<std::int64_t>(wrongBy, i);
        break;
    default:
        break;
    }
    return static_cast<std::int64_t>(first + slope * i + static_cast<std::uint64_t>(wrong));
}

double BlockView::value(std::size_t i) const
{
    return m_floats ? static_cast<double>(load<float>(m_values, i)) : load<double>(m_values, i);
}

Summary BlockView::summarize(std::size_t begin, std::size_t end) const
{
    if (begin >= end)
        return {};
    if (m_allFinite)
        return m_floats ? summarizeFinite<float>(m_values, begin, end) : summarizeFinite<double>(m_values, begin, end);
    Summary summary;
    for (std::size_t i = begin; i < end; ++i)
        summary.add(value(i));
    return summary;
}

std::pair<Summary, Summary> BlockView::split(std::size_t at, const Summary &whole) const
{
    const bool headIsShort = at <= m_count / 2;
    const Summary part = headIsShort ? summarize(0, at) : summarize(at, m_count);
    Summary rest;
    if (m_allFinite && whole.min < part.min && part.max < whole.max) {
        rest.min = whole.min;
        rest.max = whole.max;
        rest.first = value(headIsShort ? at : 0);
        rest.last = value(headIsShort ? m_count - 1 : at - 1);
        rest.sum = whole.sum - part.sum;  // as exact as adding up: nothing in `part` is larger than what is in `rest`
        rest.count = rest.finite = m_count - part.count;
    } else {
        rest = headIsShort ? summarize(at, m_count) : summarize(0, at);
    }
    return headIsShort ? std::pair(part, rest) : std::pair(rest, part);
}

}  // namespace sweepscope::series
