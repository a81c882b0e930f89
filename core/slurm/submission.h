#pragma once

#include "facts/fact.h"
#include "slurm/jobs.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace sweepscope::slurm {

struct Accepted {
    std::string job;  ///< its id
};
/// It will not be accepted as it is.
struct Refused {
    facts::Fact fact;
    bool isTooLarge = false;  ///< no node, or the partition, has what it asks for: other jobs may be accepted
};
/// It was not accepted, and may be later: a limit on submitted jobs, or no controller.
struct Postponed {
    facts::Fact fact;
};
/// Whether it was accepted is not known: look for its name.
struct Uncertain {
    facts::Fact fact;
};
using SubmitAnswer = std::variant<Accepted, Refused, Postponed, Uncertain>;

/// Of sbatch --parsable.
SubmitAnswer parseSubmission(int exitCode, const std::string &untrustedOutput, const std::string &untrustedErrors);

/// What `sbatch --test-only` says.
struct StartEstimate {
    std::optional<std::int64_t> starts;  ///< seconds since 1970
    std::string nodes;                   ///< "gpu[1-2]"
};
/// A refusal is Refused or Postponed; no answer is Uncertain.
using TestAnswer = std::variant<StartEstimate, Refused, Postponed, Uncertain>;
TestAnswer parseTest(int exitCode, const std::string &untrustedOutput, const std::string &untrustedErrors);

enum class SubmitStep : std::uint8_t {
    Submit,
    Wait,    ///< for further answers about the queue
    Exists,  ///< as `sight` has it
};
/// Returns what to do for a job whose submission was recorded before sbatch was called. `sinceSubmission`: since the last call
/// of sbatch ended or was lost; nullopt if there was none. `sight` has the answers that came since then.
SubmitStep nextStep(std::optional<std::chrono::milliseconds> sinceSubmission, const JobSight &sight);

}  // namespace sweepscope::slurm
