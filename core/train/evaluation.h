#pragma once

#include "train/batch.h"
#include "train/network.h"
#include "train/parallel/processgroup.h"
#include "train/stepreporter.h"

namespace sweepscope::train {

/// Mean loss and, for a classification, accuracy over all of `set`. Each rank computes every size-th sample, each
/// sample counts once (no padding), and the sums are added over ranks. Leaves the model in training mode. `set` must
/// not be empty.
Score evaluate(Network &network, const Samples &set, Task task, const BatchMaker &maker, ProcessGroup &group,
               bool bf16 = false);

}  // namespace sweepscope::train
