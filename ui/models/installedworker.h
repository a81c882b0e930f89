#pragma once

#include <filesystem>

namespace sweepscope::ui {

/// Returns where an engine of this machine has its built-in worker: it runs the programs of its own folder. Empty if that is
/// another folder than the window's.
std::filesystem::path workerNextToEngine();

/// Returns false if the path is empty, because it is unknown then.
bool isMissing(const std::filesystem::path &worker);

}  // namespace sweepscope::ui
