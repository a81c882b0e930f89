#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::sweep {

/// What a trial's rank 0 has reported of one metric in all attempts of its chain (trialchain.h). The objective is no such metric: it has its own
/// place in the trial's record.
struct MetricValue {
    std::string name;
    double last = 0;                                           ///< may be NaN or infinite
    std::int64_t step = 0;                                     ///< at which that was reported
    double lowest = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no report was a number
    double highest = std::numeric_limits<double>::quiet_NaN();
};
/// NaN is the same as NaN.
bool isSame(const MetricValue &a, const MetricValue &b);
bool isSame(const std::vector<MetricValue> &a, const std::vector<MetricValue> &b);

/// A trial keeps its first ones: a program that makes up names must not fill the database.
inline constexpr std::size_t mostMetrics = 64;

/// Null when there is none of that name.
const MetricValue *find(const std::vector<MetricValue> &metrics, std::string_view name);

/// Whether a series is reported for the program's own sake and says nothing of a trial as a whole: total_steps, and
/// what ranks are compared by.
bool isBookkeeping(std::string_view series);
/// Returns whether a metric describes a step rather than the model's quality: such metrics have no column by default.
bool isAboutSteps(std::string_view metric);

}  // namespace sweepscope::sweep
