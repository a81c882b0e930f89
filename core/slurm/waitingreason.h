#pragma once

#include "facts/fact.h"
#include "slurm/jobs.h"

#include <cstdint>
#include <string_view>

namespace sweepscope::slurm {

/// Who can do something about a waiting job.
enum class Actor : std::uint8_t { Nobody, User, Administrator };

/// A reason of squeue, of versions 22.05 to 24.11.
struct WaitingReason {
    facts::Code code = facts::Code::JobWaitsOtherwise;
    Actor actor = Actor::Nobody;
    bool starts = true;  ///< if nobody acts
};
WaitingReason classifyReason(std::string_view reason);

/// Returns why a pending job waits, with Slurm's estimate of its start as the cause. `now`: seconds since 1970.
facts::Fact waitingFact(const Job &job, std::int64_t now);

}  // namespace sweepscope::slurm
