#pragma once

#include "base/clock.h"
#include "schedule/allocator.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

class JobUse;

/// A job whose attempt has ended after a short time, and which waits a moment for the next one (slurm::BatchJob::lingers).
struct IdleJob {
    std::string name;
    std::string id;  ///< Slurm's
    schedule::JobSize size;
    std::string place;  ///< of the attempt, as JobFiles::name()
    std::shared_ptr<JobUse> use{};
    std::chrono::seconds took{0};  ///< the attempt
    WallNs ends = 0;               ///< its wall time is over
    int attempts = 1;              ///< that it has run
};

/// Jobs of a cluster that could run another attempt without a wait in the queue.
class IdleJobs {
public:
    void add(IdleJob job, std::chrono::steady_clock::time_point now);
    /// Returns one of this size that has time for twice as much as its last attempt took, `spare` besides. It is another's then.
    std::optional<IdleJob> take(const schedule::JobSize &size, std::chrono::seconds spare, WallNs wall,
                                std::chrono::steady_clock::time_point now);

private:
    struct Waiting {
        IdleJob job;
        std::chrono::steady_clock::time_point until;
    };
    std::vector<Waiting> m_jobs;
};

}  // namespace sweepscope::engine
