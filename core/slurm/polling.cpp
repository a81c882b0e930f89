#include "slurm/polling.h"

#include <algorithm>

namespace sweepscope::slurm {

namespace {

constexpr int idleFactor = 50;
constexpr int manyJobs = 200;
constexpr std::chrono::milliseconds soon{2'000};
constexpr int soonFactor = 5;  ///< over ssh to a busy login node, a call may take a second
constexpr int mostDoublings = 16;

}  // namespace

std::optional<std::chrono::milliseconds> untilNextPoll(const PollState &state, int jobs, const PollPolicy &policy)
{
    if (jobs <= 0)
        return std::nullopt;
    auto interval = std::max(policy.shortest * (1 + jobs / manyJobs), state.took * idleFactor);
    // A call that was not answered took as long as its limit, which says nothing about the controller's time.
    if (state.failures > 0)
        interval = policy.shortest * (1 + jobs / manyJobs);
    for (int i = 0; i < std::min(state.failures, mostDoublings) && interval < policy.longestAfterFailure; ++i)
        interval *= 2;
    if (state.failures > 0)
        interval = std::min(interval, std::max(policy.longestAfterFailure, policy.shortest));
    interval = std::min(interval, std::max(policy.longest, policy.shortest));
    if (state.hasChanged && state.failures == 0)
        interval = std::min(interval, std::max(soon, state.took * soonFactor));
    return std::max(interval - state.sinceLast, std::chrono::milliseconds(0));
}

}  // namespace sweepscope::slurm
