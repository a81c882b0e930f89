#pragma once

#include "sweep/records.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Sweeps and trials as text, for terminals.
namespace sweepscope::ctl {

/// "0003-digits", or "0003-two_words \"two words\"" if the folder does not spell the name.
std::string titleInWords(const sweep::SweepRecord &sweep);
/// "lr=0.01 hidden=64"
std::string parametersInWords(const sweep::ParameterSet &parameters);
/// "8.2 s", "3 min 20 s", "2 h 5 min"
std::string durationInWords(double seconds);
/// "about 20 s left", "about 7 min left": rounded, because an estimate is not exact to the second.
std::string timeLeftInWords(double seconds);
/// "2026-11-21 00:30:11", in the local time zone
std::string localTimeInWords(WallNs time);
/// Six significant digits.
std::string numberInWords(double value);
/// "0.12 ± 0.01 (3 runs)"
std::string meanInWords(const sweep::PointMean &mean);
/// "val_loss 0.31 (best 0.29 at step 120)"; empty without a value.
std::string objectiveInWords(const std::string &name, const sweep::TrialRecord &trial);
/// "val_accuracy 0.91, loss 0.2": the last values of the first few other metrics, without those of single steps.
std::string metricsInWords(const sweep::TrialRecord &trial);
/// sweep::runningSeconds, which excludes pauses.
std::optional<double> secondsOf(const sweep::TrialRecord &trial, WallNs now);

/// "running", or "queued in Slurm" for a trial whose job waits there.
std::string stateInWords(const sweep::TrialRecord &trial);

/// Counts trials, without those that an edit removed.
std::map<sweep::TrialState, int> countStates(const std::vector<sweep::TrialRecord> &trials);
/// "5 completed, 1 failed, 2 running, 4 waiting": states without trials are left out.
std::string countsInWords(const std::map<sweep::TrialState, int> &counts);

/// Sorts by the best objective; trials without one come last, by number.
std::vector<const sweep::TrialRecord *> bestFirst(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// Estimates the seconds left with the concurrency of the sweep file.
std::optional<double> secondsLeft(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ctl
