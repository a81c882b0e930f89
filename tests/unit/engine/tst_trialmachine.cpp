#include "engine/retrypolicy.h"
#include "engine/trialmachine.h"

#include <QTest>

using namespace sweepscope::engine;
using sweepscope::sweep::TrialState;
using namespace std::chrono_literals;

class TestTrialMachine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialGoesFromWaitingToCompleted()
    {
        QVERIFY(after(TrialState::Waiting, TrialEvent::AttemptBegun) == TrialState::Starting);
        QVERIFY(after(TrialState::Starting, TrialEvent::RanksStarted) == TrialState::Running);
        QVERIFY(after(TrialState::Running, TrialEvent::Completed) == TrialState::Completed);
    }

    void trialThatNeverStartedWaitsAgain()
    {
        QVERIFY(after(TrialState::Starting, TrialEvent::NeverStarted) == TrialState::Waiting);
        QVERIFY(!after(TrialState::Running, TrialEvent::NeverStarted));
    }

    void onlyTrialsThatEndedWithoutAResultAreRetried()
    {
        for (const TrialState state : {TrialState::Failed, TrialState::Lost, TrialState::Stopped})
            QVERIFY(after(state, TrialEvent::Retried) == TrialState::Waiting);
        for (const TrialState state : {TrialState::Waiting, TrialState::Starting, TrialState::Running,
                                       TrialState::Paused, TrialState::Completed})
            QVERIFY(!after(state, TrialEvent::Retried));
    }

    void pausedTrialGoesOnOrStartsAgainOrEnds()
    {
        QVERIFY(after(TrialState::Running, TrialEvent::Paused) == TrialState::Paused);
        QVERIFY(after(TrialState::Waiting, TrialEvent::Paused) == TrialState::Paused);
        QVERIFY(!after(TrialState::Starting, TrialEvent::Paused));
        QVERIFY(!after(TrialState::Completed, TrialEvent::Paused));
        QVERIFY(after(TrialState::Paused, TrialEvent::Resumed) == TrialState::Running);
        QVERIFY(!after(TrialState::Waiting, TrialEvent::Resumed));
        QVERIFY(after(TrialState::Paused, TrialEvent::Requeued) == TrialState::Waiting);
        for (const TrialEvent event :
             {TrialEvent::Completed, TrialEvent::Failed, TrialEvent::Stopped, TrialEvent::Lost})
            QVERIFY(after(TrialState::Paused, event).has_value());
        QVERIFY(!after(TrialState::Paused, TrialEvent::AttemptBegun));
    }

    void nothingElseHappensToATrialThatHasEnded()
    {
        for (const TrialState state :
             {TrialState::Completed, TrialState::Stopped, TrialState::Failed, TrialState::Lost}) {
            for (const TrialEvent event :
                 {TrialEvent::AttemptBegun, TrialEvent::RanksStarted, TrialEvent::NeverStarted, TrialEvent::Completed,
                  TrialEvent::Failed, TrialEvent::Stopped, TrialEvent::Lost})
                QVERIFY(!after(state, event));
        }
    }

    void waitingTrialCanBeStoppedAndCannotBeLost()
    {
        QVERIFY(after(TrialState::Waiting, TrialEvent::Stopped) == TrialState::Stopped);
        QVERIFY(!after(TrialState::Waiting, TrialEvent::Lost));
    }

    void retriesAreFurtherAttemptsAndPausesDouble()
    {
        const RetryPolicy none;
        QVERIFY(!none.mayRetry(1));
        RetryPolicy two;
        two.retries = 2;
        QVERIFY(two.mayRetry(1));
        QVERIFY(two.mayRetry(2));
        QVERIFY(!two.mayRetry(3));
        QVERIFY(two.delayAfter(1) == 1000ms);
        QVERIFY(two.delayAfter(2) == 2000ms);
        QVERIFY(two.delayAfter(3) == 4000ms);
        QVERIFY(two.delayAfter(1000) == 30'000ms);
    }
};

QTEST_GUILESS_MAIN(TestTrialMachine)
#include "tst_trialmachine.moc"
