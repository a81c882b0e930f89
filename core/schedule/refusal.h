#pragma once

#include "base/error.h"
#include "facts/fact.h"
#include "schedule/gpuchoice.h"

#include <map>
#include <string>

namespace sweepscope::schedule {

/// Why there are no devices. Unavailable: not now. BadInput: never, because this machine has too few.
struct Refusal {
    ErrorCode code;
    facts::Fact reason;                           ///< WaitingForDevices or DevicesImpossible
    std::map<std::string, Obstacle> obstacles{};  ///< by GPU, for each that the trial cannot use
    /// It can start when our trials end, whatever other users do: so reserving what it waits for makes sense.
    bool endsWithOurs = true;
};

struct Request;

/// Returns the fact for a refusal: the kind of device, and how many are needed.
facts::Fact lacking(facts::Code code, const Request &request, bool gpus);

tl::unexpected<Refusal> refuse(ErrorCode code, facts::Fact reason);

/// Returns what an error of the lease folder means for a waiting trial.
facts::Fact leaseProblem(const Error &error);

}  // namespace sweepscope::schedule
