#pragma once

#include "base/clock.h"
#include "launch/attemptenvironment.h"
#include "protocol/devicestatus.h"
#include "series/energy.h"
#include "sweep/costfactors.h"
#include "sweep/records.h"
#include "sweep/trialhistory.h"
#include "ui/trial/attemptfiles.h"
#include "ui/trial/factsmodel.h"

#include <optional>
#include <vector>

/// A trial's records as rows of the page's tables.
namespace sweepscope::ui {

std::vector<Fact> parameterFacts(const sweep::TrialRecord &trial);
std::vector<Fact> historyFacts(const sweep::TrialHistory &history);
/// "Metrics (rank 0 only)"
QString metricsTitle(const std::vector<int> &reportingRanks, int ranks);
std::vector<Fact> metricFacts(const std::vector<MetricSummary> &metrics);
std::vector<Fact> eventFacts(const std::vector<RankEvent> &events);
/// Variables: those that were added, then others that may affect results.
std::vector<Fact> environmentFacts(const sweep::AttemptLaunch &launch,
                                   const std::optional<launch::AttemptEnvironment> &environment);
/// Price of an attempt and its CO2; empty if unknown.
QString attemptCostText(const sweep::AttemptRecord *attempt, const series::Energy &energy,
                        const sweep::CostFactors &factors);
std::vector<Fact> packageFacts(const launch::AttemptEnvironment &environment);
std::vector<Fact> machineFacts(const launch::AttemptEnvironment &environment);

/// "Failed after 12 s · exit code", "running for 3 min 07 s". `isQueued`: if it has not ended, its job waits in the queue.
QString attemptText(const sweep::AttemptRecord &attempt, bool isQueued, WallNs now);
/// As typed into a shell, with its quoting.
QString commandText(const std::vector<std::string> &command);
/// "c0ffee12 (main), with changes that are not committed"
QString sourceText(const sweep::SourceState &source);
/// Returns the first 12 digits of the snapshot's id, or why there is none; empty if none was wanted.
QString snapshotText(const sweep::SourceState &source);
/// "rank 0: GPU 1 · rank 1: GPU 2"; a device that the machine does not have by its UUID
QString rankDevicesText(const std::vector<std::vector<std::string>> &devices,
                        const std::vector<protocol::DeviceStatus> &machine);

}  // namespace sweepscope::ui
