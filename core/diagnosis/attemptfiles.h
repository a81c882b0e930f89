#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/workspacelayout.h"
#include "diagnosis/devicehistory.h"
#include "diagnosis/evidence.h"
#include "diagnosis/finding.h"
#include "series/feedseries.h"
#include "sweep/records.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::diagnosis {

/// An attempt to look at.
struct AttemptPlace {
    AttemptLayout layout;
    int trial = 0;
    int attempt = 0;
    bool isRunning = false;
    std::optional<ObjectiveEvidence> objective{};  ///< of the last attempt of a completed trial
    std::string minimized{};                       ///< the objective of the sweep, unless it is maximized
};

/// Every attempt of the trials, in order; those that have not started are none.
std::vector<AttemptPlace> attemptsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                     const std::vector<sweep::TrialRecord> &trials);

/// What an attempt's files say, held for as long as rules look at it.
class AttemptFiles {
public:
    /// An error when the attempt's folder does not say what it was to run. Feeds are read as far as they can be.
    static Expected<AttemptFiles> read(const AttemptPlace &place, DeviceHistories &devices, WallNs now);

    const AttemptEvidence &evidence() const { return m_evidence; }
    /// What could not be read, in sentences; empty when all could.
    const std::string &damage() const { return m_damage; }

private:
    explicit AttemptFiles(AttemptEvidence evidence) : m_evidence(std::move(evidence)) {}
    void readRank(const AttemptLayout &layout, int rank);

    std::vector<std::unique_ptr<series::FeedSeries>> m_feeds;
    AttemptEvidence m_evidence;
    std::string m_damage;
};

/// All rules over the files of one attempt. `now` is for those that run.
Expected<Report> diagnose(const AttemptPlace &place, DeviceHistories &devices, WallNs now);

}  // namespace sweepscope::diagnosis
