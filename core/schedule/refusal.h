#pragma once

#include "base/error.h"
#include "facts/fact.h"
#include "schedule/gpuchoice.h"

#include <map>
#include <string>

namespace sweepscope::schedule {

/// Why there are no devices. Unavailable: not now. BadInput: never, this machine has too few.
struct Refusal {
    ErrorCode code;
    facts::Fact reason;                           ///< WaitingForDevices or DevicesImpossible
    std::map<std::string, Obstacle> obstacles{};  ///< of GPUs: what is in the way of each that it cannot have
    /// It can start when trials of ours end, whatever others do: what it waits for is worth keeping for it.
    bool endsWithOurs = true;
};

struct Request;

/// What a refusal of the request begins with: the kind of device, and how many are needed.
facts::Fact lacking(facts::Code code, const Request &request, bool gpus);

tl::unexpected<Refusal> refuse(ErrorCode code, facts::Fact reason);

/// What an error of the folder of leases means for a trial that waits.
facts::Fact leaseProblem(const Error &error);

}  // namespace sweepscope::schedule
