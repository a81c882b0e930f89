#pragma once

#include "base/error.h"
#include "search/observation.h"
#include "sweep/sweepspec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::search {

/// A CSV file with results of other sweeps.
struct ResultsFile {
    std::string name;  ///< in messages
    std::string csv;
};

/// NotFound, Io, or BadInput for one of more than 200 MB.
Expected<std::vector<ResultsFile>> loadResults(const std::vector<std::filesystem::path> &paths);
/// The files that `search.warm_start` names; relative paths start in `folder`.
std::vector<std::filesystem::path> warmStartPaths(const sweep::SweepSpec &spec, const std::filesystem::path &folder);

/// Results of other sweeps with which a search starts.
struct WarmStart {
    std::vector<Observation>
        results;    ///< one for each point of a file, numbered up to 0; `source` is the file's place, from 1
    int unfit = 0;  ///< rows with a value that its parameter cannot have
};

/// Reads files with a row for each trial, as `sweepctl export` writes them, or any that have a column for some of the
/// parameters and one with the name of the objective. Optional columns: `state`; `violation`. An empty field of a
/// parameter means that the trial did not have it. Of rows with the same point the mean counts.
///
/// BadInput names the file and what it lacks: a header, or a column.
Expected<WarmStart> readResults(const std::vector<ResultsFile> &files, const sweep::SweepSpec &spec);

/// The same from the files themselves.
Expected<WarmStart> loadWarmStart(const std::vector<std::filesystem::path> &paths, const sweep::SweepSpec &spec);

/// Returns the weight of a result of another sweep in a search that has `results` of its own, which each weigh 1. It starts at
/// one half and falls as more arrive.
double warmStartWeight(std::size_t results);

}  // namespace sweepscope::search
