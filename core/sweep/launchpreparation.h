#pragma once

#include "sweep/sweepspec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// A data set whose files lie in run.settings["data_folder"], or where an environment variable says.
struct FolderDataset {
    std::string name;
    std::string variable;
    std::vector<std::string> files;  ///< each plain or with .gz
};

/// Those that some trial of the built-in worker may train on.
std::vector<FolderDataset> folderDatasets(const SweepSpec &spec);

/// run.settings["data_folder"], else what the variable says, made absolute; empty when there is neither.
std::filesystem::path dataFolder(const SweepSpec &spec, const FolderDataset &dataset);

/// Fills in what the sweep leaves to the person's environment: run.settings["data_folder"], when all trials train on
/// one such data set and the sweep does not name the folder. To be called before a sweep is launched: the engine may
/// live in another environment.
void resolveForLaunch(SweepSpec &spec);

/// Returns the threads per rank that the user set in the sweep's environment, in the built-in worker's settings or in
/// the engine's environment; 0 if none is set.
int requestedThreads(const SweepSpec &spec, const ParameterSet &parameters);

}  // namespace sweepscope::sweep
