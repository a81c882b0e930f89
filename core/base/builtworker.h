#pragma once

#include "base/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope {

/// Returns the folder of the sources that `sweepctl worker build` compiles. Packages that have the worker itself lack it.
std::filesystem::path workerSources();

/// Returns the user's folder for a worker compiled from these sources, in their data folder; empty without sources. Other
/// sources have another folder, because engine and worker of different versions do not fit.
std::filesystem::path builtWorkerFolder();

/// Returns the built-in worker, whether it exists or not: the one next to this program, else in builtWorkerFolder().
std::filesystem::path workerProgram();

/// An installed PyTorch, and the Python that imports it.
struct InstalledTorch {
    std::string python;
    std::filesystem::path folder;  ///< site-packages/torch
    std::string version;
};

/// Returns the version of the PyTorch in a folder site-packages/torch, without starting its Python; empty if there is none.
std::string torchVersion(const std::filesystem::path &folder);

/// Records for which PyTorch the worker in a builtWorkerFolder() was compiled.
Expected<void> recordTorch(const std::filesystem::path &folder, const InstalledTorch &torch);

/// Returns the record of a worker that sweepctl compiled; nullopt of others.
std::optional<InstalledTorch> recordedTorch(const std::filesystem::path &worker);

}  // namespace sweepscope
