#pragma once

#include "train/checkpoint.h"

#include <cstdint>
#include <string>

namespace sweepscope::train {

/// How far a checkpoint may be followed by a trial whose settings are others.
struct Continuation {
    bool startsOver = false;
    std::string differences{};      ///< "batch_size = 20, now 30"; empty if no relevant setting differs
    std::int64_t batch = 0;         ///< of the current epoch, where training continues
    bool ranksWeightsAnew = false;  ///< another score decides which weights are the best
};

/// Training starts over if `saved` has another seed, data, split, model or optimizer: its weights have seen what would
/// now be validated with, or do not fit. With another number of ranks, batch size or order of samples it goes on after
/// as many samples of the epoch, rounded down to whole batches. All other settings may differ without a word.
Continuation continuationOf(const TrialIdentity &saved, std::int64_t savedBatch, const TrialIdentity &own);

}  // namespace sweepscope::train
