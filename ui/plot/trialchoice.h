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

/// Returns the trial for a page that follows the newest running one, in this order:
/// - `present` while it runs
/// - the running trial of its sweep that started last
/// - while its sweep is active: its trial that started last after `present` ended, else `present`
/// - the running trial that started last in the newest sweep that has one
/// - of the sweep of `present` again: the trial that started last after it ended, else `present`
/// - without `present`: the trial of the newest sweep that started last, else its first
TrialChoice newestTrial(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                        const TrialChoice &present);

}  // namespace sweepscope::ui
