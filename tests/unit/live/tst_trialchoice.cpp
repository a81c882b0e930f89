#include "testprogram.h"

#include "unit/live/attemptfixture.h"

#include "ui/plot/trialchoice.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;

/// The displayed trial until the user chooses one.
class TrialChoiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newestRunningTrialIsKeptUntilItEnds()
    {
        using sweep::TrialState;
        std::vector<sweep::SweepRecord> sweeps(2);
        sweeps[0].id = 1;
        sweeps[1].id = 2;
        std::map<std::int64_t, std::vector<sweep::TrialRecord>> trials;
        const auto trial = [&trials](std::int64_t sweepId, int number, TrialState state,
                                     std::optional<WallNs> started) {
            sweep::TrialRecord record;
            record.sweepId = sweepId;
            record.number = number;
            record.state = state;
            record.started = started;
            trials[sweepId].push_back(record);
        };
        trial(1, 1, TrialState::Running, t0);
        trial(2, 1, TrialState::Completed, t0);
        trial(2, 2, TrialState::Running, t0 + second);
        trial(2, 3, TrialState::Running, t0 + 2 * second);
        trial(2, 4, TrialState::Queued, std::nullopt);
        const auto of = [&trials](std::int64_t id) -> const auto &
        {
            return trials[id];
        };

        QCOMPARE(newestTrial({}, of, {}), TrialChoice());
        QCOMPARE(newestTrial(sweeps, of, {}), (TrialChoice{2, 3}));
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 2}));
        trials[2][1].state = TrialState::Failed;
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 3}));
        // The next trial of a running sweep may wait for devices of another sweep.
        trials[2][2].state = TrialState::Completed;
        sweeps[0].state = sweeps[1].state = sweep::SweepState::Running;
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 2}));
        QCOMPARE(newestTrial(sweeps, of, {2, 0}), TrialChoice());
        sweeps[1].state = sweep::SweepState::Completed;
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{1, 1}));
        for (auto &[id, records] : trials) {
            for (sweep::TrialRecord &record : records)
                record.state = TrialState::Completed;
        }
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 2}));
        QCOMPARE(newestTrial(sweeps, of, {}), (TrialChoice{2, 3}));
    }

    /// While another page was shown, or between two refreshes.
    void trialsThatStartedAndEndedBetweenRefreshesAreFollowed()
    {
        std::vector<sweep::SweepRecord> sweeps(1);
        sweeps[0].id = 1;
        sweeps[0].state = sweep::SweepState::Running;
        std::vector<sweep::TrialRecord> trials(4);
        for (std::size_t i = 0; i < trials.size(); ++i) {
            trials[i].sweepId = 1;
            trials[i].number = static_cast<int>(i) + 1;
        }
        const auto of = [&trials](std::int64_t) -> const auto &
        {
            return trials;
        };
        const auto run = [&trials](std::size_t trial, int from, int to) {
            trials[trial].state = sweep::TrialState::Completed;
            trials[trial].started = t0 + from * second;
            trials[trial].ended = t0 + to * second;
        };
        run(0, 0, 10);
        QCOMPARE(newestTrial(sweeps, of, {1, 1}), (TrialChoice{1, 1}));
        run(1, 5, 8);  // at the same time
        QCOMPARE(newestTrial(sweeps, of, {1, 1}), (TrialChoice{1, 1}));
        run(2, 10, 12);  // the fourth one is queued
        QCOMPARE(newestTrial(sweeps, of, {1, 1}), (TrialChoice{1, 3}));
        run(3, 12, 14);
        sweeps[0].state = sweep::SweepState::Completed;
        QCOMPARE(newestTrial(sweeps, of, {1, 1}), (TrialChoice{1, 4}));
        QCOMPARE(newestTrial(sweeps, of, {1, 4}), (TrialChoice{1, 4}));
    }
};

SWEEPSCOPE_TEST(TrialChoiceTest)
#include "tst_trialchoice.moc"
