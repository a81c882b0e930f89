#pragma once

#include "base/error.h"
#include "output/metricssection.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

/// launch.json: all that an agent needs to run one attempt. No shell anywhere: argv arrays. Written by the engine (or
/// by hand), read by sweepscope-agent. Required there: version (1), attempt_id, argv, working_folder, ranks.
struct LaunchSpec {
    std::string attemptId;  ///< unique over all attempts: fences a superseded one
    std::string sweepName;
    int trial = 0;
    int attempt = 1;
    std::vector<std::string> argv;                   ///< the same for every rank
    std::map<std::string, std::string> environment;  ///< added to the agent's own
    std::optional<mode_t> umask;                     ///< of the ranks; nullopt: the agent's own
    std::string workingFolder;                       ///< absolute
    int ranks = 1;
    std::vector<std::vector<std::string>> devices;  ///< per rank: GPU UUIDs or "cpu:N"; may be empty lists
    std::string deviceGroup;                        ///< how its GPUs are connected, in words; for the person
    std::vector<std::vector<int>> cpus;             ///< per rank: CPUs that it is bound to; an empty list: any
    int ompThreads = 1;
    std::chrono::milliseconds timeout{0};     ///< of the whole attempt; 0 = none
    std::chrono::milliseconds grace{10'000};  ///< between SIGTERM and SIGKILL
    double hangFactor = 0;                    ///< see HangWatch; 0 = a hang is not looked for
    std::chrono::milliseconds hangAfter{0};   ///< at least
    std::chrono::milliseconds exitGrace{0};   ///< see EarlyExitWatch; 0 = without end
    std::string pythonPath;                   ///< appended to PYTHONPATH: where `import sweepscope` is found
    /// Ranks that it is about report nothing themselves: they get no SWEEPSCOPE_RING, and the agent reads their output.
    std::optional<output::MetricsSection> metrics;

    bool readsOutputOf(int rank) const { return metrics && (rank == 0 || metrics->everyRank); }
};

Expected<LaunchSpec> readLaunchSpec(const std::filesystem::path &file);
Expected<void> writeLaunchSpec(const LaunchSpec &spec, const std::filesystem::path &file);

}  // namespace sweepscope::launch
