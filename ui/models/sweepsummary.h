#pragma once

#include "sweep/failuregroups.h"
#include "sweep/records.h"

#include <QIcon>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The state of a sweep, for side bar and strip, from the records of its trials.
struct SweepSummary {
    int total = 0;          ///< that there are, and that a search is still to add
    bool hasNoEnd = false;  ///< a search without a number of trials
    int waiting = 0;
    int running = 0;  ///< including starting ones
    int inQueue = 0;  ///< of these: jobs that wait in the queue of a cluster
    int paused = 0;
    int completed = 0;
    int pruned = 0;
    int failed = 0;                               ///< including lost ones
    std::vector<sweep::FailureGroup> failures{};  ///< the same trials by cause
    int stopped = 0;
    double progress = 0;  ///< 0 to 1; includes the progress of running trials
    int bestTrial = 0;    ///< 0: none yet
    std::optional<sweep::PointMean>
        bestMean{};                    ///< of the best trial's point, if points are repeated; `best` has its value
    bool isProbe = false;              ///< it measures batch sizes, so the best objective is meaningless
    bool isRun = false;                ///< it has one trial, which need not be counted
    std::optional<double> ranSeconds;  ///< of a run that has ended: without waits
    std::optional<sweep::ObjectiveValue> best;
    std::optional<double> secondsLeft;
    /// The best value after each trial that ended with one, in the order in which they ended; sampled if there are
    /// many.
    std::vector<double> bestSoFar;
    bool lacksObjective = false;  ///< trials completed, and none reported the objective
    QStringList reported;         ///< if so: a few metrics that they did report

    int ended() const { return completed + pruned + failed + stopped; }
};

/// `concurrent`: maximum number of concurrent trials.
SweepSummary summarize(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials, int concurrent,
                       WallNs now);

/// Returns the number of the trial with the best objective, 0 if none has one. NaN is never best; among equals the
/// first is.
int bestTrial(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// Returns the most informative trial of a sweep: the running one that started last, else the best, else the one that
/// ended last, else the first; 0 if there are none.
int trialToShow(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal);

/// With the number of trials that failed, or the objective that none of a completed sweep reported: "Running, 3 failed",
/// "Failed", "Completed, no val_loss".
QString stateText(const sweep::SweepRecord &sweep, const SweepSummary &summary);
/// A sweep none of whose trials runs because they wait for devices gets the icon for waiting.
QIcon stateIcon(const sweep::SweepRecord &sweep, const SweepSummary &summary);

/// "IndexError in train.py:6, and 2 other causes", with the most frequent cause of failures; empty without failures.
QString failuresText(const SweepSummary &summary);

/// Completed trials: "5 of 12", or "5" of a search without a number of trials; "42%" of a run whose progress is known.
/// With pruned ones, which are no loss: "5 of 12, 7 pruned".
QString completedText(const SweepSummary &summary);
/// "5 of 12 trials completed, 2 running, 1 failed".
QString countsText(const SweepSummary &summary);

}  // namespace sweepscope::ui
