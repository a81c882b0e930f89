#pragma once

#include "sweep/records.h"

#include <optional>
#include <vector>

/// How long the trials of a sweep take, by what they have come to.
namespace sweepscope::sweep {

/// Seconds that its last attempt took, or has taken so far, without the time that it lay frozen. Nothing: it has not
/// begun, or it is not known when.
std::optional<double> attemptSeconds(const TrialRecord &trial, WallNs now);

/// Seconds of one attempt from start to end: as completed trials took, or else as running ones promise. A trial that was
/// tried several times only counts, in equal parts, where there is no better one.
std::optional<double> usualSeconds(const std::vector<TrialRecord> &trials, WallNs now);

/// Until a trial that runs has ended: by its progress where it is known, else as if it lasted as long as usual.
double secondsLeftOf(const TrialRecord &trial, double usual, WallNs now);

}  // namespace sweepscope::sweep
