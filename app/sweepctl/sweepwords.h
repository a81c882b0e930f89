#pragma once

#include "sweep/records.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Sweeps and trials in words, for terminals.
namespace sweepscope::ctl {

/// "lr=0.01 hidden=64"
std::string parametersInWords(const sweep::ParameterSet &parameters);
/// "8.2 s", "3 min 20 s", "2 h 5 min"
std::string durationInWords(double seconds);
/// "about 20 s left", "about 7 min left": an estimate is not exact to the second.
std::string timeLeftInWords(double seconds);
/// "2026-11-21 00:30:11", in the time zone of this terminal
std::string localTimeInWords(WallNs time);
/// A number as people read it: six significant digits.
std::string numberInWords(double value);
/// "val_loss 0.31 (best 0.29 at step 120)"; empty when there is none.
std::string objectiveInWords(const std::string &name, const sweep::TrialRecord &trial);
/// "val_accuracy 0.91, loss 0.2": what else it reported last; the first few, and none of single steps.
std::string metricsInWords(const sweep::TrialRecord &trial);
/// sweep::runningSeconds: without pauses.
std::optional<double> secondsOf(const sweep::TrialRecord &trial, WallNs now);

/// Without those that an edit removed.
std::map<sweep::TrialState, int> countStates(const std::vector<sweep::TrialRecord> &trials);
/// "5 completed, 1 failed, 2 running, 4 waiting": those that there are.
std::string countsInWords(const std::map<sweep::TrialState, int> &counts);

/// By the best objective and the goal; those without one come last, in the order of their numbers.
std::vector<const sweep::TrialRecord *> bestFirst(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// Seconds left, from the sweep file's own concurrency.
std::optional<double> secondsLeft(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ctl
