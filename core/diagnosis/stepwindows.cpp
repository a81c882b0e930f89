#include "diagnosis/stepwindows.h"
#include "diagnosis/untrusted.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::diagnosis {

namespace {

using series::XAxis;

constexpr double leastStepsInWindow = 10;  ///< of a window
constexpr double mostWindows = 600;        ///< more would tell nothing more
constexpr double windowSeconds = 1.0;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// How long the steps of each of `count` windows took: the ranks' own account, else the clock's.
std::vector<double> secondsOf(const RankEvidence &rank, const series::Series &steps, double from, double to, int count)
{
    std::vector<double> seconds(static_cast<std::size_t>(count));
    if (const series::Series *stepTime = rank.find("step_time")) {
        for (const series::Column &column : stepTime->columns(XAxis::Step, from, to, count)) {
            if (column.hasFinite())
                seconds[static_cast<std::size_t>(series::columnAt(column.x, from, to, count))] +=
                    column.mean * static_cast<double>(column.count);
        }
        return seconds;
    }
    WallNs begin = timeOfStep(steps, from);
    for (int i = 0; i < count; ++i) {
        const WallNs end = timeOfStep(steps, from + (to - from) * (i + 1) / count);
        seconds[static_cast<std::size_t>(i)] = std::max(0.0, toSeconds(difference(end, begin)));
        begin = end;
    }
    return seconds;
}

}  // namespace

std::optional<StepWindows> StepWindows::over(const AttemptEvidence &evidence, std::string_view name,
                                             std::string &missing)
{
    const std::vector<RankEvidence> &ranks = evidence.ranks;
    StepWindows windows;
    windows.m_from = -infinity;
    windows.m_to = infinity;
    double fewest = infinity;
    for (const RankEvidence &rank : ranks) {
        const series::Series *series = rank.find(name);
        if (series == nullptr || series->size() <= static_cast<std::size_t>(warmUpSteps)) {
            missing = "rank " + std::to_string(rank.rank) + " reports "
                      + (series == nullptr ? "no " + std::string(name) : "only its first steps");
            return std::nullopt;
        }
        const auto [first, last] = series->extent(XAxis::Step);
        windows.m_from = std::max(
            {windows.m_from, first, static_cast<double>(series->sample(static_cast<std::size_t>(warmUpSteps)).step)});
        if (evidence.now) {
            const WallNs since = difference(series->back().timeNs, static_cast<WallNs>(liveSeconds * 1e9));
            windows.m_from =
                std::max(windows.m_from, static_cast<double>(series->sample(sampleAt(*series, since)).step));
        }
        windows.m_to = std::min(windows.m_to, last);
        fewest = std::min(fewest, static_cast<double>(series->size()));
    }
    if (ranks.empty() || !(windows.m_from < windows.m_to)) {
        missing = "no step was reported by all ranks";
        return std::nullopt;
    }
    const series::Series &steps = *ranks.front().find(name);
    const double seconds = secondsOf(ranks.front(), steps, windows.m_from, windows.m_to, 1).front();
    if (!(seconds >= leastSeconds)) {
        missing = "less than " + std::to_string(static_cast<int>(leastSeconds)) + " s of steps was reported";
        return std::nullopt;
    }
    const double most = std::min({fewest / leastStepsInWindow, seconds / windowSeconds, mostWindows});
    windows.m_count = std::max(1, static_cast<int>(most));
    windows.m_seconds = secondsOf(ranks.front(), steps, windows.m_from, windows.m_to, windows.m_count);
    return windows;
}

std::vector<std::optional<double>> StepWindows::means(const series::Series &series) const
{
    // A run that was resumed inside one feed has steps twice: all of them count.
    std::vector<double> sums(static_cast<std::size_t>(m_count));
    std::vector<double> counts(sums.size());
    for (const series::Column &column : series.columns(XAxis::Step, m_from, m_to, m_count)) {
        if (!column.hasFinite())
            continue;
        const auto index = static_cast<std::size_t>(series::columnAt(column.x, m_from, m_to, m_count));
        sums[index] += column.mean * static_cast<double>(column.count);
        counts[index] += static_cast<double>(column.count);
    }
    std::vector<std::optional<double>> means(sums.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (counts[i] > 0)
            means[i] = sums[i] / counts[i];
    }
    return means;
}

Window StepWindows::window(Stretch stretch, const series::Series &series) const
{
    const auto stepAt = [this](int edge) { return m_from + (m_to - m_from) * edge / m_count; };
    const double first = std::ceil(stepAt(stretch.begin));
    const double last = stretch.end == m_count ? m_to : std::ceil(stepAt(stretch.end)) - 1;
    return {timeOfStep(series, first), timeOfStep(series, last), toWhole(first), toWhole(last)};
}

std::optional<Stretch> StepWindows::longStretch(const std::function<std::optional<bool>(int)> &holds) const
{
    Stretch longest;
    constexpr int leastWindows = 3;
    const int least = std::min(leastWindows, m_count);
    int known = 0;       // windows of the present stretch that something is known of
    double seconds = 0;  // that these took
    double longestSeconds = 0;
    Stretch present;
    for (int i = 0; i < m_count; ++i) {
        const std::optional<bool> here = holds(i);
        if (!here)
            continue;
        if (!*here) {
            known = 0;
            seconds = 0;
            continue;
        }
        if (known++ == 0)
            present.begin = i;
        present.end = i + 1;
        seconds += m_seconds[static_cast<std::size_t>(i)];
        if (known >= least && seconds > longestSeconds) {
            longestSeconds = seconds;
            longest = present;
        }
    }
    return longestSeconds >= leastSeconds ? std::optional(longest) : std::nullopt;
}

std::optional<double> meanOver(const std::vector<std::optional<double>> &values, Stretch stretch)
{
    double sum = 0;
    int count = 0;
    for (int i = stretch.begin; i < stretch.end; ++i) {
        if (const std::optional<double> &value = values[static_cast<std::size_t>(i)]) {
            sum += *value;
            ++count;
        }
    }
    if (count == 0)
        return std::nullopt;
    return sum / count;
}

namespace {

template <typename Before>
std::size_t firstNotBefore(const series::Series &series, Before before)
{
    std::size_t low = 0;
    std::size_t high = series.size() - 1;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (before(series.sample(middle)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

WallNs timeOfStep(const series::Series &series, double step)
{
    const auto before = [step](const series::Sample &sample) { return static_cast<double>(sample.step) < step; };
    return series.sample(firstNotBefore(series, before)).timeNs;
}

std::size_t sampleAt(const series::Series &series, WallNs time)
{
    return firstNotBefore(series, [time](const series::Sample &sample) { return sample.timeNs < time; });
}

}  // namespace sweepscope::diagnosis
