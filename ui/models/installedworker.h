#pragma once

#include <filesystem>

namespace sweepscope::ui {

/// Returns where an engine of this machine has its built-in worker. Empty if the programs of the engine are in another folder
/// than the window's.
std::filesystem::path workerOfEngine();

/// Returns false if the path is empty, because it is unknown then.
bool isMissing(const std::filesystem::path &worker);

}  // namespace sweepscope::ui
