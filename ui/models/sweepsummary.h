#pragma once

#include "sweep/records.h"

#include <QIcon>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// What the side bar and the strip say about a sweep, from the records of its trials.
struct SweepSummary {
    int total = 0;
    int waiting = 0;
    int running = 0;  ///< with starting
    int paused = 0;
    int completed = 0;
    int pruned = 0;
    int failed = 0;  ///< with lost
    int stopped = 0;
    double progress = 0;   ///< 0 to 1; running trials count with the share they have done
    int bestTrial = 0;     ///< 0: none yet
    bool isProbe = false;  ///< it measures batch sizes: the best objective says nothing
    std::optional<sweep::ObjectiveValue> best;
    std::optional<double> secondsLeft;
    /// The best value after each trial that ended with one, in the order in which they ended; of many, some of them.
    std::vector<double> bestSoFar;
    /// A few metrics that trials have reported, where trials completed and none has a best value.
    QStringList reported;

    int done() const { return completed + pruned + failed; }
    int ended() const { return done() + stopped; }
};

/// `concurrent`: trials that run at once, at most.
SweepSummary summarize(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials, int concurrent,
                       WallNs now);

/// Number of the trial with the best objective, 0 when none has one. NaN is never best; of equals the first.
int bestTrial(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// The trial that tells most about a sweep: the running one that started last, else the best, else the last that ended,
/// else the first. 0 when there are none.
int trialToShow(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// "Running", "Failed"; of a sweep that has come to its end how many of its trials did not: "Completed, 3 failed".
QString stateText(const sweep::SweepRecord &sweep, const SweepSummary &summary);
/// Of one none of whose trials runs because they wait for devices, that of waiting.
QIcon stateIcon(const sweep::SweepRecord &sweep, const SweepSummary &summary);

/// "5 of 12 trials done, 2 running, 1 failed"; of stopped trials nobody says that they are done.
QString countsText(const SweepSummary &summary);

}  // namespace sweepscope::ui
