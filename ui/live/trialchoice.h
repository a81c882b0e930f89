#pragma once

#include "sweep/records.h"

#include <QtGlobal>

#include <functional>
#include <vector>

namespace sweepscope::ui {

struct TrialChoice {
    qint64 sweepId = 0;
    int trial = 0;  ///< 0: none
    bool operator==(const TrialChoice &) const = default;
};

using TrialsOfSweep = std::function<const std::vector<sweep::TrialRecord> &(std::int64_t sweepId)>;

/// Which trial a page that follows the newest running one shows: `present` while that one is not final; then the
/// running trial that started last in its sweep; while that sweep goes on, `present` still; then the one that started
/// last in the newest sweep that has one that runs; else the one present; else the last to start of the newest sweep;
/// else its first.
TrialChoice newestTrial(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                        const TrialChoice &present);

}  // namespace sweepscope::ui
