#pragma once

#include <optional>
#include <string>

namespace sweepscope::train {

/// A sentence for the log when matrix products come from the reference BLAS, which is about ten times slower than
/// OpenBLAS; empty otherwise.
std::optional<std::string> blasWarning();

/// Threads of one operation, in LibTorch and in OpenBLAS (which LibTorch does not tell). Call before the first
/// operation.
void setComputeThreads(int threads);

/// Threads of one operation in LibTorch.
int computeThreads();

/// Makes the calling thread's operations single-threaded: for threads that run concurrently with training.
void computeAlone();

}  // namespace sweepscope::train
