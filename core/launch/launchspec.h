#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "facts/fact.h"
#include "output/metricssection.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

/// The part of an attempt on several machines that one agent runs.
struct NodePart {
    int index = 0;      ///< of its machine: torchrun's GROUP_RANK
    int count = 1;      ///< of machines
    int firstRank = 0;  ///< the others follow
    int ranks = 1;      ///< of the whole attempt
    std::string masterAddress;
    int masterPort = 0;  ///< 0: the agent of machine 0 chooses one, and reports it with its first rank
    /// All agents belong to one job of Slurm and share a file system: the others find MASTER_PORT in the events of the first
    /// one, all read AttemptLayout::jobSignals(), and the files of their ranks are in the folder of the attempt.
    bool ofJob = false;
};

/// launch.json: everything that an agent needs to run one attempt. No shell is involved: argv arrays. Written by the
/// engine (or by hand), read by sweepscope-agent. Required: version (1), attempt_id, argv, working_folder, ranks.
struct LaunchSpec {
    std::string attemptId;  ///< unique over all attempts: fences off a superseded one
    std::string sweepName;
    int trial = 0;
    int attempt = 1;
    std::vector<std::string> argv;                   ///< the same for every rank
    std::map<std::string, std::string> environment;  ///< added to the agent's own
    std::string environmentFile;                     ///< absolute; read by the agent, below `environment`; may be empty
    std::optional<mode_t> umask;                     ///< of the ranks; nullopt: inherited from the agent
    std::string workingFolder;                       ///< absolute
    int ranks = 1;                                   ///< that this agent runs
    std::optional<NodePart> node;                    ///< of an attempt on several machines
    std::string sourceFolder;  ///< on the engine's machine: the folder that working_folder is a copy of; else empty
    std::string machine;       ///< where it runs; empty: where the file is
    std::vector<std::vector<std::string>> devices;  ///< per rank: GPU UUIDs or "cpu:N"; may be empty lists
    facts::Fact deviceGroup;                        ///< GpusConnected, for the person
    std::vector<std::vector<int>> cpus;             ///< per rank: CPUs that it is bound to; an empty list: any
    int ompThreads = 1;
    std::chrono::milliseconds timeout{0};     ///< of the whole attempt; 0 = none
    std::chrono::milliseconds grace{10'000};  ///< between SIGTERM and SIGKILL
    double hangFactor = 0;                    ///< see HangWatch; 0 = no hang detection
    std::chrono::milliseconds hangAfter{0};   ///< the least silence that counts as a hang
    std::chrono::milliseconds exitGrace{0};   ///< see EarlyExitWatch; 0 = no limit
    std::string pythonPath;                   ///< appended to PYTHONPATH, for `import sweepscope`
    bool watch = false;                       ///< Python scripts are watched, if ranks report themselves
    bool gpusOfJob = false;   ///< Slurm has chosen the GPUs: ranks see all that the agent sees, and `devices` has none
    bool distributed = true;  ///< a single rank has torchrun's environment, too
    /// Set if ranks do not report metrics themselves: they get no SWEEPSCOPE_RING, and the agent reads their output
    /// or their event files, whose folder is absolute here.
    std::optional<output::MetricsSection> metrics;

    int firstRank() const { return node ? node->firstRank : 0; }
    int worldSize() const { return node ? node->ranks : ranks; }
    /// `rank`: as in the whole attempt, like everywhere but in the lists above.
    std::size_t indexOf(int rank) const { return static_cast<std::size_t>(rank - firstRank()); }
    bool readsOutputOf(int rank) const { return metrics && (rank == 0 || metrics->everyRank); }
};

Expected<LaunchSpec> readLaunchSpec(const std::filesystem::path &file);
/// Returns the launch specification of each agent of an attempt, by first rank. An error if that of rank 0 cannot be
/// read; others that cannot be read are skipped.
Expected<std::vector<LaunchSpec>> readLaunchSpecs(const AttemptLayout &attempt);
/// BadInput: a string is not valid UTF-8.
Expected<std::string> toJson(const LaunchSpec &spec);
Expected<void> writeLaunchSpec(const LaunchSpec &spec, const std::filesystem::path &file);

}  // namespace sweepscope::launch
