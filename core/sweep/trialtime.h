#pragma once

#include "sweep/records.h"

#include <optional>
#include <vector>

/// How long the trials of a sweep take, by what they have come to.
namespace sweepscope::sweep {

/// How long the attempts of the trial's chain (trialchain.h) ran, or have run so far: no pause counts, whether the attempt
/// lay frozen or there was none, and no wait between two attempts. Every duration of a trial that people see is this one.
/// Nullopt before its first attempt, or where its start is not known.
std::optional<WallNs> runningTime(const TrialRecord &trial, WallNs now);
std::optional<double> runningSeconds(const TrialRecord &trial, WallNs now);

/// Whether the last attempt of the trial is a job that waits in a queue: that is no running time.
bool waitsAsJob(const TrialRecord &trial);

/// What the trial's chain has used: how long it ran, times its devices. Of an attempt that has not ended nothing counts.
WallNs deviceTime(const TrialRecord &trial);

/// From the start of the first attempt to the end, or until now: with pauses, waits between attempts, and attempts that
/// led to nothing. Nullopt before.
std::optional<WallNs> timeWithPauses(const TrialRecord &trial, WallNs now);

/// Only this many of the latest completed trials count: reading just these from the database gives the same estimate.
inline constexpr int countedTrials = 200;

/// Seconds of one attempt from start to end: as the last completed trials took, or else as running ones promise. `trials`
/// are in the order of their numbers. A trial that was tried several times only counts, in equal parts, where there is no better one.
std::optional<double> usualSeconds(const std::vector<TrialRecord> &trials, WallNs now);

/// Until a trial that runs has ended: by its progress where it is known, else as if it lasted as long as usual.
double secondsLeftOf(const TrialRecord &trial, double usual, WallNs now);

}  // namespace sweepscope::sweep
