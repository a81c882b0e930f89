#pragma once

#include "base/workspacelayout.h"
#include "engine/attemptverdict.h"
#include "launch/launchspec.h"
#include "schedule/allocator.h"

#include <map>
#include <string>
#include <vector>

/// An attempt on several machines: an agent on each runs its share of the ranks.
namespace sweepscope::engine {

struct AttemptPart {
    std::string machine;  ///< empty: this one, always the first if it is one of them
    int firstRank = 0;
    int ranks = 1;

    bool operator==(const AttemptPart &) const = default;
};

/// `devices`: of all ranks, in their order, as TrialRecord::devices. One part if they are on one machine.
std::vector<AttemptPart> partsOf(const std::vector<std::string> &devices, int ranks);

/// On the nodes of one job, which have equal shares.
std::vector<AttemptPart> partsOfJob(const std::string &machine, int ranks, int nodes);

/// The first part has the attempt's own folder.
AttemptLayout filesOf(const AttemptLayout &attempt, const AttemptPart &part);

schedule::Allocation shareOf(const schedule::Allocation &whole, const AttemptPart &part);

/// Returns what the agent of parts[index] runs. `masterPort`: 0 for the first, whose agent chooses it.
launch::LaunchSpec shareOf(launch::LaunchSpec whole, const std::vector<AttemptPart> &parts, std::size_t index,
                           const std::string &masterAddress, int masterPort);

/// Returns launch.json of each agent of a job, by its path in the folder of the attempt. `nodes`: up to 1: there is one agent.
std::map<std::string, launch::LaunchSpec> launchFilesOf(const launch::LaunchSpec &whole, int nodes);

struct PartEnd {
    std::string machine;  ///< as a person calls it
    AttemptVerdict verdict;
};
/// Returns the verdict on an attempt whose parts ended like this, in the order in which that was seen. The first cause counts:
/// not parts that were stopped because others had ended, nor ranks that only lost others. `isEndRequested`: all were asked
/// to end, and ranks that lost others on the way have stopped like them.
AttemptVerdict verdictOf(const std::vector<PartEnd> &ends, bool isEndRequested);

}  // namespace sweepscope::engine
