#include "series/energy.h"

#include <algorithm>

namespace sweepscope::series {

namespace {

/// A time during which the same trials held the GPU.
struct SharedSpan {
    WallNs from = 0;
    WallNs until = 0;
    double share = 1;
};

std::vector<SharedSpan> spansOf(const GpuHolding &own, std::span<const GpuHolding> others)
{
    std::vector<WallNs> bounds{own.from, own.until};
    for (const GpuHolding &other : others) {
        for (const WallNs time : {other.from, other.until}) {
            if (time > own.from && time < own.until)
                bounds.push_back(time);
        }
    }
    std::ranges::sort(bounds);
    std::vector<SharedSpan> spans;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        if (bounds[i] == bounds[i + 1])
            continue;
        int ranks = own.ranks;
        for (const GpuHolding &other : others)
            ranks += other.from <= bounds[i] && other.until >= bounds[i + 1] ? other.ranks : 0;
        spans.push_back({bounds[i], bounds[i + 1], static_cast<double>(own.ranks) / ranks});
    }
    return spans;
}

/// Energy between two readings, or the part of it from `from` to `until`.
std::optional<double> jouleBetween(EnergyMethod method, const TimedValue &a, const TimedValue &b, WallNs from,
                                   WallNs until)
{
    const bool isLong = b.time - a.time > longestReadingGap;
    const double seconds = toSeconds(b.time - a.time);
    if (method == EnergyMethod::Counter) {
        const bool isWhole = from == a.time && until == b.time;
        if (b.value < a.value || (isLong && !isWhole))
            return std::nullopt;
        return isWhole ? b.value - a.value : (b.value - a.value) / seconds * toSeconds(until - from);
    }
    if (isLong)
        return std::nullopt;
    const double slope = (b.value - a.value) / seconds;
    const double middle = a.value + slope * (toSeconds(from - a.time) + toSeconds(until - a.time)) / 2;
    return middle * toSeconds(until - from);
}

/// Power at the first or the last reading, for what lies before or after it.
std::optional<double> wattAtEdge(EnergyMethod method, const TimedValue &a, const TimedValue &b, const TimedValue &edge)
{
    if (method == EnergyMethod::Power)
        return edge.value;
    const bool isKnown = b.time > a.time && b.time - a.time <= longestReadingGap && b.value >= a.value;
    return isKnown ? std::optional((b.value - a.value) / toSeconds(b.time - a.time)) : std::nullopt;
}

std::optional<double> jouleOf(EnergyMethod method, std::span<const TimedValue> readings, const SharedSpan &span)
{
    if (readings.size() < (method == EnergyMethod::Counter ? 2U : 1U))
        return std::nullopt;
    double sum = 0;
    const auto add = [&sum](const std::optional<double> &joules) {
        sum += joules.value_or(0);
        return joules.has_value();
    };
    const TimedValue &first = readings.front();
    const TimedValue &last = readings.back();
    if (first.time - span.from > longestUnreadEdge || span.until - last.time > longestUnreadEdge)
        return std::nullopt;
    const auto addEdge = [&](const TimedValue &edge, const TimedValue &a, const TimedValue &b, WallNs unread) {
        const auto watt = wattAtEdge(method, a, b, edge);
        return add(watt ? std::optional(*watt * toSeconds(unread)) : std::nullopt);
    };
    if (span.from < first.time
        && !addEdge(first, first, readings[std::min<std::size_t>(1, readings.size() - 1)],
                    std::min(first.time, span.until) - span.from))
        return std::nullopt;
    if (span.until > last.time
        && !addEdge(last, readings[readings.size() - std::min<std::size_t>(2, readings.size())], last,
                    span.until - std::max(last.time, span.from)))
        return std::nullopt;
    auto next = std::ranges::upper_bound(readings, span.from, {}, &TimedValue::time);
    for (next = next == readings.begin() ? next + 1 : next; next < readings.end(); ++next) {
        const TimedValue &before = *(next - 1);
        if (before.time >= span.until)
            break;
        const WallNs from = std::max(before.time, span.from);
        const WallNs until = std::min(next->time, span.until);
        if (until > from && !add(jouleBetween(method, before, *next, from, until)))
            return std::nullopt;
    }
    return sum;
}

std::optional<Energy> energyBy(EnergyMethod method, std::span<const TimedValue> readings,
                               const std::vector<SharedSpan> &spans)
{
    Energy energy{0, method};
    for (const SharedSpan &span : spans) {
        const std::optional<double> joules = jouleOf(method, readings, span);
        if (!joules)
            return std::nullopt;
        energy.joules += *joules * span.share;
    }
    return energy;
}

}  // namespace

Energy operator+(const Energy &a, const Energy &b)
{
    const bool isCounted = a.method == EnergyMethod::Counter && b.method == EnergyMethod::Counter;
    return {a.joules + b.joules, isCounted ? EnergyMethod::Counter : EnergyMethod::Power};
}

std::optional<Energy> energyOf(const GpuReadings &gpu, const GpuHolding &own, std::span<const GpuHolding> others)
{
    if (own.until <= own.from)
        return std::nullopt;
    const std::vector<SharedSpan> spans = spansOf(own, others);
    const std::optional<Energy> counted = energyBy(EnergyMethod::Counter, gpu.joules, spans);
    return counted ? counted : energyBy(EnergyMethod::Power, gpu.watts, spans);
}

}  // namespace sweepscope::series
