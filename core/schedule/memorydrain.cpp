#include "schedule/memorydrain.h"

#include <algorithm>

namespace sweepscope::schedule {

namespace {

/// More than what a driver keeps of a process for a while, less than what a training takes.
constexpr double slackBytes = 512.0 * 1024 * 1024;
constexpr double slackShare = 0.05;
/// Where nobody has seen how much was in use before.
constexpr double looseSlackBytes = 1024.0 * 1024 * 1024;

}  // namespace

double drainedBelow(std::optional<double> before, double others, std::uint64_t memoryBytes)
{
    const double share = slackShare * static_cast<double>(memoryBytes);
    const double tight = memoryBytes > 0 ? std::min(slackBytes, share) : slackBytes;
    const double slack = before ? tight : std::max(looseSlackBytes, share);
    return std::max(before.value_or(0), others) + slack;
}

}  // namespace sweepscope::schedule
