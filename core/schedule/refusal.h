#pragma once

#include "base/error.h"
#include "schedule/gpuchoice.h"

#include <cstdint>
#include <map>
#include <string>

namespace sweepscope::schedule {

/// Why there are no devices. Unavailable: not now. BadInput: never, this machine has too few.
struct Refusal {
    ErrorCode code;
    std::string message;                          ///< for the waiting trial: "waits for 2 of 4 CPU slots: 3 are in use"
    std::map<std::string, Obstacle> obstacles{};  ///< of GPUs: what is in the way of each that it cannot have
    /// It can start when trials of ours end, whatever others do: what it waits for is worth keeping for it.
    bool endsWithOurs = true;
};

tl::unexpected<Refusal> refuse(ErrorCode code, std::string message);

/// "1 rank", "4 GPUs"
std::string counted(std::int64_t number, const std::string &singular);
/// "4 GPUs (2 ranks with 2 each)"
std::string needInWords(int ranks, int perRank, const std::string &what);

}  // namespace sweepscope::schedule
