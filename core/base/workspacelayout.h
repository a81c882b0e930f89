#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope {

/// The files of one attempt of one trial. Written by the agent, read by everybody.
///
///   launch.json      what to run (written by the engine before the agent starts)
///   events.jsonl     facts, append-only, one JSON object a line
///   agent.log        what the agent itself has to say, if anything
///   rank-N.log       stdout and stderr of rank N, if it wrote anything
///   rank-N.times     when that was how long
///   params.json      the trial's parameters, for scripts that read a file rather than a variable; while they run
///   rank-N.feed      telemetry log of rank N, if it reported anything
///   rank-N.ring      symbolic link to the ring in shared memory, while the rank lives
///   children.txt     processes that the ranks have started ("pid start-time"), while the agent lives
///   host.feed        CPU and memory of each rank, sampled by the agent; none of ranks that end at once
///   checkpoint/      the ranks' own
///   slurm-job        of an attempt that is a job of Slurm: the id of the job that has it
///   slurm-next       the folder of the attempt that the job of this one runs next
///   slurm-host       the name of the job that was to run this attempt, if it had run another one before
///   slurm-signals    signals for the agents of a job on several nodes ("TERM"), one a line
///   trace-request    asks the ranks to record their next steps (sweep/tracerequest.h), if a person did
///   trace-rank-N.json  what rank N recorded then; later ones are trace-rank-N-2.json, ...
///   ranks-4-7/       what the agent of another machine wrote about itself, if ranks 4 to 7 run there; the files of
///                    these ranks are with the others
///
/// The folder of its trial may have parent/ too: a copy of another trial's checkpoint/, from which this one starts.
struct AttemptLayout {
    std::filesystem::path folder;
    std::filesystem::path ranksFolder{};  ///< of the files of ranks; empty: `folder`

    const std::filesystem::path &ofRanks() const { return ranksFolder.empty() ? folder : ranksFolder; }
    std::filesystem::path launchFile() const { return folder / "launch.json"; }
    std::filesystem::path parametersFile() const { return folder / "params.json"; }
    std::filesystem::path eventsFile() const { return folder / "events.jsonl"; }
    std::filesystem::path agentLog() const { return folder / "agent.log"; }
    std::filesystem::path rankLog(int rank) const { return ofRanks() / ("rank-" + std::to_string(rank) + ".log"); }
    std::filesystem::path rankTimes(int rank) const { return ofRanks() / ("rank-" + std::to_string(rank) + ".times"); }
    std::filesystem::path rankFeed(int rank) const { return ofRanks() / ("rank-" + std::to_string(rank) + ".feed"); }
    std::filesystem::path rankIndex(int rank) const { return ofRanks() / ("rank-" + std::to_string(rank) + ".index"); }
    std::filesystem::path rankRing(int rank) const { return ofRanks() / ("rank-" + std::to_string(rank) + ".ring"); }
    std::filesystem::path childNotes() const { return folder / "children.txt"; }
    std::filesystem::path hostFeed() const { return folder / "host.feed"; }
    std::filesystem::path jobFile() const { return folder / "slurm-job"; }
    std::filesystem::path nextOfJob() const { return folder / "slurm-next"; }
    std::filesystem::path hostJob() const { return folder / "slurm-host"; }
    std::filesystem::path jobSignals() const { return folder / "slurm-signals"; }
    std::filesystem::path traceRequest() const { return folder / "trace-request"; }
    std::filesystem::path checkpointFolder() const { return folder / "checkpoint"; }
    /// Of an attempt on several machines, where the agent of these ranks has its own files.
    AttemptLayout ofRanks(int first, int last) const
    {
        return {folder / ("ranks-" + std::to_string(first) + "-" + std::to_string(last)), {}};
    }
};

/// The ranks of a folder named by AttemptLayout::ofRanks().
struct RankRange {
    int first = 0;
    int last = 0;
};
/// `folder`: its name or path. nullopt: it is no such folder.
std::optional<RankRange> rankRangeOf(const std::filesystem::path &folder);
/// Returns the rank of a file such as "rank-3.log"; nullopt: it is of none.
std::optional<int> rankOfFile(const std::string &name);

/// Where everything of one workspace lies. See docs/architecture.md, "On disk".
struct WorkspaceLayout {
    std::filesystem::path root;

    std::filesystem::path database() const { return root / "sweepscope.db"; }
    std::filesystem::path lockFile() const { return root / "engine.lock"; }
    /// Only where the workspace is on another machine, and this folder has copies of its files.
    std::filesystem::path mirrorFile() const { return root / "mirror.toml"; }
    std::filesystem::path mirrorState() const { return root / "state.cbor"; }  ///< protocol/storedstate.h
    std::filesystem::path machinesFile() const { return root / "machines.toml"; }
    std::filesystem::path engineLog() const { return root / "engine.log"; }
    /// Utilisation of this host's devices: the engine's sampler writes it, in the feed's format.
    std::filesystem::path devicesFeed() const { return devicesFeed({}); }
    /// A copy of another machine's; ids of devices in it are those that the machine uses. `machine`: its name in
    /// machines.toml, or empty for this one.
    std::filesystem::path devicesFeed(const std::string &machine) const
    {
        return root / "hosts" / (machine.empty() ? "localhost" : machine) / "devices.feed";
    }
    /// `folderName` is SweepRecord::folder, e.g. "0003-digits-mlp".
    std::filesystem::path sweepFolder(const std::string &folderName) const { return root / "sweeps" / folderName; }
    /// Copies of the files with results of other sweeps that its search starts from; `place` from 1.
    std::filesystem::path warmStartFile(const std::string &folderName, std::size_t place) const
    {
        return sweepFolder(folderName) / ("warm-start-" + std::to_string(place) + ".csv");
    }
    /// A bare git repository with the code that trials ran (core/snapshot).
    std::filesystem::path codeStore() const { return root / "code.git"; }
    /// Which code attempts of the sweep began with.
    std::filesystem::path sourceLog(const std::string &folderName) const
    {
        return sweepFolder(folderName) / "sources.jsonl";
    }
    std::filesystem::path trialFolder(const std::string &folderName, int trial) const;
    AttemptLayout attempt(const std::string &folderName, int trial, int attemptNumber) const;
    /// The copy of another trial's checkpoint, from which this one starts.
    std::filesystem::path parentCheckpoint(const std::string &folderName, int trial) const
    {
        return trialFolder(folderName, trial) / "parent";
    }
};

/// The user's folder for sockets: in XDG_RUNTIME_DIR, else in /tmp. Created with mode 0700 if it does not exist;
/// callers check its owner and mode (privatefolder.h).
std::filesystem::path runtimeFolder();

/// The engine's local socket for a workspace, in runtimeFolder(); named after the workspace's canonical path, so that it is
/// short enough and each workspace has its own.
std::filesystem::path engineSocketPath(const std::filesystem::path &workspaceRoot);
/// The same of what only reads a workspace in which no engine runs.
std::filesystem::path readerSocketPath(const std::filesystem::path &workspaceRoot);

/// Where people's sweeps go when they name no workspace: $SWEEPSCOPE_WORKSPACE, which may be relative, else
/// $XDG_DATA_HOME/sweepscope/workspace.
std::filesystem::path defaultWorkspaceRoot();

}  // namespace sweepscope
