#include "sweep/metricvalue.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::sweep {

namespace {

constexpr std::array<std::string_view, 4> bookkeeping{"total_steps", "weights_hash", "gradients_hash", "sample_order"};
/// As the built-in worker and the Python package call them (docs/training.md).
constexpr std::array<std::string_view, 12> aboutSteps{
    "lr",          "grad_norm", "step_time", "data_wait",    "compute_time",      "forward_time", "backward_time",
    "update_time", "copy_time", "comm_wait", "comm_overlap", "samples_per_second"};
constexpr std::string_view bucketTime = "bucket_time_";  // with a number

bool isSameNumber(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

bool isSame(const MetricValue &a, const MetricValue &b)
{
    return a.step == b.step && isSameNumber(a.last, b.last) && isSameNumber(a.lowest, b.lowest)
           && isSameNumber(a.highest, b.highest) && a.name == b.name;
}

bool isSame(const std::vector<MetricValue> &a, const std::vector<MetricValue> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const MetricValue &one, const MetricValue &other) { return isSame(one, other); });
}

const MetricValue *find(const std::vector<MetricValue> &metrics, std::string_view name)
{
    const auto found =
        std::find_if(metrics.begin(), metrics.end(), [name](const MetricValue &metric) { return metric.name == name; });
    return found == metrics.end() ? nullptr : &*found;
}

bool isBookkeeping(std::string_view series)
{
    return std::find(bookkeeping.begin(), bookkeeping.end(), series) != bookkeeping.end();
}

bool isAboutSteps(std::string_view metric)
{
    return std::find(aboutSteps.begin(), aboutSteps.end(), metric) != aboutSteps.end()
           || metric.starts_with(bucketTime);
}

}  // namespace sweepscope::sweep
