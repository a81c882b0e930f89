#pragma once

#include "sweep/sweepspec.h"

#include <filesystem>
#include <string>

namespace sweepscope::sweep {

/// Fills in what the sweep leaves to the person's environment: run.settings["data_folder"] from SWEEPSCOPE_MNIST when
/// the sweep trains on MNIST and does not name it. To be called before a sweep is launched: the engine may live in
/// another environment.
void resolveForLaunch(SweepSpec &spec);

/// Whether some trial of the built-in worker may train on MNIST.
bool usesMnist(const SweepSpec &spec);

/// run.settings["data_folder"], else SWEEPSCOPE_MNIST made absolute; empty when there is neither.
std::filesystem::path mnistFolder(const SweepSpec &spec);

}  // namespace sweepscope::sweep
