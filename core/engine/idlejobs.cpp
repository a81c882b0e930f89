#include "engine/idlejobs.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;

/// Less than its script waits, because what is written now is seen later.
constexpr auto patience = 5s;
constexpr std::chrono::seconds leastTime = 1min;

WallNs nanoseconds(std::chrono::seconds duration)
{
    return std::chrono::nanoseconds(duration).count();
}

}  // namespace

void IdleJobs::add(IdleJob job, std::chrono::steady_clock::time_point now)
{
    m_jobs.push_back({std::move(job), now + patience});
}

std::optional<IdleJob> IdleJobs::take(const schedule::JobSize &size, std::chrono::seconds spare, WallNs wall,
                                      std::chrono::steady_clock::time_point now)
{
    std::erase_if(m_jobs, [now](const Waiting &waiting) { return now >= waiting.until; });
    const auto found = std::ranges::find_if(m_jobs, [&](const Waiting &waiting) {
        const IdleJob &job = waiting.job;
        return job.size == size && job.ends - wall >= nanoseconds(std::max(leastTime, 2 * job.took) + spare);
    });
    if (found == m_jobs.end())
        return std::nullopt;
    IdleJob job = std::move(found->job);
    m_jobs.erase(found);
    return job;
}

}  // namespace sweepscope::engine
