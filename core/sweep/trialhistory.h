#pragma once

#include "base/clock.h"
#include "facts/fact.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// How a trial got where it is, as plain values: the database and the attempts' folders hold it, the protocol carries
/// it, command lines and the window show it.
namespace sweepscope::sweep {

/// One change of the state of a trial, or (trial 0) of a sweep. Where nothing but the reason is new, both states are the
/// same.
struct HistoryEntry {
    WallNs time = 0;
    int trial = 0;
    std::string before;  ///< empty: it was made
    std::string after;
    facts::Fact reason;
};

/// The code in a working directory: what git says of it, and a snapshot of the files.
struct SourceState {
    std::string revision;    ///< empty: it is in no repository, or in one without a commit
    std::string branch;      ///< empty: none is checked out
    bool isChanged = false;  ///< files that git knows differ from the revision
    std::string tree{};      ///< of the snapshot (core/snapshot); empty: there is none
    std::string below{};     ///< the working directory, relative to the top of the snapshot; empty: the top
    std::string problem{};   ///< why there is no snapshot; empty: none was wanted

    bool operator==(const SourceState &) const = default;
};

/// What an attempt ran, and where. Values of secret variables are masked.
struct AttemptLaunch {
    std::vector<std::string> command;
    std::string folder;
    std::vector<std::vector<std::string>> devices;  ///< of each rank
    facts::Fact deviceGroup;                        ///< GpusConnected; none for less than two GPUs
    std::vector<std::string> cpus;                  ///< of each rank, as in "0-3,8"; empty: any
    int threads = 1;                                ///< that each rank was given
    std::map<std::string, std::string> environment;
    std::optional<SourceState> source;
};

/// How an attempt went.
struct AttemptRecord {
    int trial = 0;
    int number = 0;
    WallNs created = 0;
    std::optional<WallNs> ended;
    std::string outcome;  ///< empty while it has not ended
    std::string failure;  ///< name of a launch::FailureKind; empty when it did not fail
    facts::Fact reason;
    std::optional<AttemptLaunch> launch;  ///< empty: its launch.json is gone
};

struct TrialHistory {
    std::vector<HistoryEntry> entries;    ///< in the order in which it happened
    std::vector<AttemptRecord> attempts;  ///< in order of their number
};

}  // namespace sweepscope::sweep
