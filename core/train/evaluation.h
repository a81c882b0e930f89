#pragma once

#include "train/batch.h"
#include "train/network.h"
#include "train/parallel/processgroup.h"
#include "train/score.h"

namespace sweepscope::train {

/// Loss and metrics over all of `set`, which is one of `data`. Each rank computes every size-th sample, each sample counts
/// once (no padding), and the sums are added over ranks. If data.isPart, `set` holds this rank's samples alone.
/// Takes no more memory than training with batches of `trainingBatch`: batches are halved if it runs out all the same.
/// Leaves the model in training mode. At least one rank must have a sample.
Score evaluate(Network &network, const Samples &set, const TrialData &data, const BatchMaker &maker,
               ProcessGroup &group, bool bf16, std::int64_t trainingBatch);

}  // namespace sweepscope::train
