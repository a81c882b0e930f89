#include "testprogram.h"

#include "engine/retrypolicy.h"
#include "engine/trialmachine.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace sweepscope::engine;
using sweepscope::sweep::TrialState;
namespace launch = sweepscope::launch;
using namespace std::chrono_literals;

class TestTrialMachine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialGoesFromWaitingToCompleted()
    {
        QVERIFY(after(TrialState::Queued, TrialEvent::AttemptBegun) == TrialState::Starting);
        QVERIFY(after(TrialState::Starting, TrialEvent::RanksStarted) == TrialState::Running);
        QVERIFY(after(TrialState::Running, TrialEvent::Completed) == TrialState::Completed);
    }

    void trialThatNeverStartedWaitsAgain()
    {
        QVERIFY(after(TrialState::Starting, TrialEvent::NeverStarted) == TrialState::Queued);
        QVERIFY(!after(TrialState::Running, TrialEvent::NeverStarted));
    }

    void onlyTrialsThatEndedWithoutAResultAreRetried()
    {
        for (const TrialState state : {TrialState::Failed, TrialState::Lost, TrialState::Stopped})
            QVERIFY(after(state, TrialEvent::Retried) == TrialState::Queued);
        for (const TrialState state :
             {TrialState::Queued, TrialState::Starting, TrialState::Running, TrialState::Paused, TrialState::Completed})
            QVERIFY(!after(state, TrialEvent::Retried));
    }

    void pausedTrialContinuesRestartsOrEnds()
    {
        QVERIFY(after(TrialState::Running, TrialEvent::Paused) == TrialState::Paused);
        QVERIFY(after(TrialState::Queued, TrialEvent::Paused) == TrialState::Paused);
        QVERIFY(!after(TrialState::Starting, TrialEvent::Paused));
        QVERIFY(!after(TrialState::Completed, TrialEvent::Paused));
        QVERIFY(after(TrialState::Paused, TrialEvent::Resumed) == TrialState::Running);
        QVERIFY(!after(TrialState::Queued, TrialEvent::Resumed));
        QVERIFY(after(TrialState::Paused, TrialEvent::Requeued) == TrialState::Queued);
        for (const TrialEvent event :
             {TrialEvent::Completed, TrialEvent::Failed, TrialEvent::Stopped, TrialEvent::Lost})
            QVERIFY(after(TrialState::Paused, event).has_value());
        QVERIFY(!after(TrialState::Paused, TrialEvent::AttemptBegun));
    }

    void endedTrialAllowsNoOtherTransition()
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
        QVERIFY(after(TrialState::Queued, TrialEvent::Stopped) == TrialState::Stopped);
        QVERIFY(!after(TrialState::Queued, TrialEvent::Lost));
    }

    void retriesAreFurtherAttemptsWithDoublingDelays()
    {
        using launch::FailureKind;
        const RetryPolicy none;
        QVERIFY(!none.decide(FailureKind::ExitCode, 1).again);
        sweepscope::sweep::RunSection run;
        run.retries = 2;
        const RetryPolicy two(run);
        for (const auto kind : {std::optional(FailureKind::ExitCode), std::optional<FailureKind>()}) {
            QVERIFY(two.decide(kind, 1).again);
            QVERIFY(two.decide(kind, 2).again);
            QVERIFY(!two.decide(kind, 3).again);
            QVERIFY(two.decide(kind, 3).why.empty());
        }
        QVERIFY(two.decide(FailureKind::Lost, 1).delay == 1000ms);
        QVERIFY(two.decide(FailureKind::Lost, 2).delay == 2000ms);
        QVERIFY(two.decide(FailureKind::Lost, 3).delay == 4000ms);
        QVERIFY(two.decide(FailureKind::Lost, 1000).delay == 30'000ms);
        QVERIFY(!two.decide(FailureKind::NotANumber, 1).again);
        QCOMPARE(two.decide(FailureKind::NotANumber, 1).why, std::string("not_a_number"));
    }

    void kindsOfFailureMayHaveSeparateRules()
    {
        using launch::FailureKind;
        sweepscope::sweep::RunSection run;
        run.retries = 1;
        run.policy.retry = {{"out_of_memory", {3, 20s}}, {"hang", {0, {}}}, {"not_a_number", {1, {}}}};
        const RetryPolicy policy(run);
        const RetryPolicy::Decision third = policy.decide(FailureKind::OutOfMemory, 3);
        QVERIFY(third.again);
        QCOMPARE(third.retry, 3);
        QCOMPARE(third.most, 3);
        QVERIFY(third.delay == 80s);
        QVERIFY(policy.decide(FailureKind::OutOfMemory, 100).delay == 1h);
        QVERIFY(!policy.decide(FailureKind::OutOfMemory, 4).again);
        QVERIFY(!policy.decide(FailureKind::Hang, 1).again);
        QCOMPARE(policy.decide(FailureKind::Hang, 1).why, std::string("hang"));
        QVERIFY(policy.decide(FailureKind::NotANumber, 1).again);  // requested by a user
        QVERIFY(policy.decide(FailureKind::Signal, 1).again);
        QVERIFY(!policy.decide(FailureKind::Signal, 2).again);

        QVERIFY(policy.countTogether("signal", "exit_code"));
        QVERIFY(policy.countTogether("hang", "hang"));
        QVERIFY(!policy.countTogether("hang", "exit_code"));
        QVERIFY(!policy.countTogether("signal", "out_of_memory"));
    }

    /// The sweep file's names of the kinds of failure that the agent distinguishes.
    void everyKindOfFailureCanHaveARule()
    {
        std::set<std::string> words;
        for (int i = 0; i <= static_cast<int>(launch::FailureKind::Lost); ++i)
            words.insert(toString(static_cast<launch::FailureKind>(i)));
        const std::vector<std::string> &known = sweepscope::sweep::failureKinds();
        QVERIFY(words == std::set<std::string>(known.begin(), known.end()));
        QCOMPARE(known.size(), words.size());
    }
};

SWEEPSCOPE_TEST(TestTrialMachine)
#include "tst_trialmachine.moc"
