#include "testprogram.h"

#include "engine/decisions/attemptbegin.h"
#include "engine/decisions/attemptend.h"
#include "engine/decisions/edit.h"
#include "engine/decisions/enqueue.h"
#include "engine/decisions/mark.h"
#include "engine/decisions/means.h"
#include "engine/decisions/measure.h"
#include "engine/decisions/pause.h"
#include "engine/decisions/priority.h"
#include "engine/decisions/promote.h"
#include "engine/decisions/retry.h"
#include "engine/decisions/stop.h"
#include "engine/decisions/suggest.h"
#include "engine/decisions/trace.h"
#include "engine/objectivechange.h"
#include "search/suggestion.h"
#include "sweep/command.h"
#include "sweep/singlerun.h"
#include "sweep/trialtime.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace sweepscope;
using namespace sweepscope::engine;
using facts::Code;
using facts::Fact;
using facts::Field;
using sweep::StopMode;
using sweep::SweepState;
using sweep::TrialState;

namespace {

constexpr WallNs now = 1'000'000'000'000;

/// A sweep in memory: no database, no process, no clock.
struct Situation {
    sweep::SweepRecord sweep;
    sweep::SweepSpec spec;
    std::vector<TrialRow> trials;
    std::set<int> attempts;
    std::optional<Fact> budgetSpent;

    explicit Situation(const std::vector<TrialState> &states)
    {
        sweep.id = 1;
        sweep.name = "s";
        sweep.folder = "0001-s";
        sweep.trialsTotal = static_cast<int>(states.size());
        spec.name = "s";
        spec.run.worker = sweep::WorkerKind::Command;
        sweep::Dimension n;
        n.name = "n";
        for (std::size_t i = 0; i < states.size(); ++i) {
            n.values.emplace_back(static_cast<std::int64_t>(i) + 1);
            TrialRow row = queuedTrial({static_cast<int>(i) + 1, {{"n", static_cast<std::int64_t>(i) + 1}}, 0, 1});
            row.record.state = states[i];
            if (sweep::isUnderWay(states[i]) || states[i] == TrialState::Paused)
                attempts.insert(row.record.number);
            trials.push_back(std::move(row));
        }
        spec.space.push_back(std::move(n));
    }

    SweepView view() const { return {sweep, spec, trials, attempts, budgetSpent}; }
    TrialRow &trial(int number) { return trials.at(static_cast<std::size_t>(number - 1)); }
};

std::vector<int> changed(const Decision &decision, TrialState state)
{
    std::vector<int> numbers;
    for (const TrialChange &change : decision.trials) {
        if (change.row.record.state == state)
            numbers.push_back(change.row.record.number);
    }
    return numbers;
}

EndedAttempt ended(int trial, AttemptEnd end, std::optional<launch::FailureKind> failure = {}, Fact reason = {})
{
    return {trial, 1, {end, std::move(reason), now - 5, failure, false}, false, {}};
}

}  // namespace

/// The engine's decisions; each takes a few microseconds.
class TestDecisions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pointIsRequestedWhileTheSearchRunsAndAnAttemptCouldStart()
    {
        Situation s({TrialState::Running});
        s.spec.devices.concurrent = 2;
        s.sweep.trialsToCome = 3;
        QVERIFY(wantsPoint(s.view()));
        s.sweep.trialsToCome.reset();
        QVERIFY(wantsPoint(s.view()));
        s.sweep.trialsToCome = 0;
        QVERIFY(!wantsPoint(s.view()));
        s.sweep.trialsToCome = 3;
        s.spec.devices.concurrent = 1;
        QVERIFY(!wantsPoint(s.view()));
        s.spec.devices.concurrent = 2;
        s.budgetSpent = Code::TimeBudgetSpent;
        QVERIFY(!wantsPoint(s.view()));
        s.budgetSpent.reset();
        for (const SweepState state : {SweepState::Paused, SweepState::Stopping}) {
            s.sweep.state = state;
            QVERIFY(!wantsPoint(s.view()));
        }
    }

    void suggestedTrialKeepsItsMethodAndHistory()
    {
        Situation s({TrialState::Completed});
        s.sweep.trialsToCome = 3;
        const search::Suggestion suggestion{{{"n", std::int64_t{7}}}, search::Method::Tpe, Code::ChosenAtRandom};
        const Decision decision = addSuggested(s.view(), suggestion, {12, 2});
        QCOMPARE(decision.sweep->record.trialsTotal, 2);
        QVERIFY(decision.sweep->record.trialsToCome == 2);
        QVERIFY(!decision.sweep->reason);
        const sweep::TrialRecord &trial = decision.added.at(0).record;
        QCOMPARE(trial.number, 2);
        QVERIFY(trial.parameters == suggestion.parameters);
        QVERIFY(trial.chosen
                == Fact(Code::ChosenAtRandom)
                       .with(Field::Method, "tpe")
                       .with(Field::Version, search::versionOf(search::Method::Tpe))
                       .with(Field::Revision, 12)
                       .with(Field::Definition, 2));
        s.sweep.trialsToCome.reset();
        QVERIFY(!addSuggested(s.view(), suggestion, {}).sweep->record.trialsToCome);
    }

    void trialsOfOnePointShareTheMeanOfThoseThatCompleted()
    {
        using S = TrialState;
        Situation s({S::Completed, S::Completed, S::Completed, S::Failed, S::Running, S::Completed});
        for (const int number : {2, 3, 4, 5})
            s.trial(number).record.parameters = s.trial(1).record.parameters;
        for (const auto &[number, value] : std::map<int, double>{{1, 1}, {2, 3}, {3, 5}, {4, 100}, {5, 100}, {6, 7}})
            s.trial(number).record.objectiveBest = sweep::ObjectiveValue{value, 1};
        QVERIFY(!meanChanges(s.view()).changesRows());
        s.spec.repeats = 3;
        const Decision decision = meanChanges(s.view());
        QCOMPARE(decision.trials.size(), 6);
        for (const TrialChange &change : decision.trials) {
            QVERIFY(change.transitions.empty());
            const bool isAlone = change.row.record.number == 6;
            QCOMPARE(change.row.record.pointMean->value, isAlone ? 7.0 : 3.0);
            QCOMPARE(change.row.record.pointMean->runs, isAlone ? 1 : 3);
            QCOMPARE(change.row.record.pointMean->error, isAlone ? 0.0 : 2 / std::sqrt(3.0));
            s.trial(change.row.record.number) = change.row;
        }
        QVERIFY(!meanChanges(s.view()).changesRows());
        s.trial(3).record.state = S::Queued;  // to be retried
        QCOMPARE(meanChanges(s.view(), 3).trials.size(), 5);
        QCOMPARE(meanChanges(s.view(), 3).trials.front().row.record.pointMean->value, 2.0);
        QVERIFY(!meanChanges(s.view(), 6).changesRows());
        s.spec.repeats = 1;
        QCOMPARE(meanChanges(s.view()).trials.size(), 6);
        QVERIFY(!meanChanges(s.view()).trials.front().row.record.pointMean);
    }

    void endedTrialsContinueOnceTheyAreAmongTheBest()
    {
        Situation s({TrialState::Running, TrialState::Pruned, TrialState::Pruned, TrialState::Pruned});
        s.spec.prune.emplace();
        s.spec.prune->method = sweep::PruneMethod::Halving;
        s.spec.prune->firstStep = 3;
        s.spec.prune->factor = 2;
        s.spec.prune->minTrials = 2;
        s.spec.prune->promote = true;
        pruning::Pruner pruner(*s.spec.prune, sweep::Goal::Minimize, 0);
        for (int trial = 1; trial <= 4; ++trial) {
            (void)pruner.reached(trial, {3, double(trial), double(trial)});
            if (trial > 1)
                s.trial(trial).record.reason =
                    Fact(Code::PrunedByRank).with(Field::Step, 3).with(Field::Value, double(trial));
        }
        const Promotion promotion = promoteTrials(s.view(), pruner);
        QCOMPARE(changed(promotion.decision, TrialState::Queued), std::vector<int>{2});
        const Fact &reason = promotion.decision.trials.front().transitions.front().reason;
        QVERIFY(reason.code == Code::Promoted);
        QVERIFY(reason.integer(Field::Count) == 4);
        QVERIFY(reason.number(Field::Bound) == 2.0);
        QVERIFY(!promotion.decision.trials.front().row.spared);  // it is compared at later rungs
        QCOMPARE(promotion.entries.size(), 1U);
        QVERIFY(promotion.entries.front().event == pruning::LogEntry::Event::Promoted);

        s.attempts.insert(2);  // which still ends
        QVERIFY(promoteTrials(s.view(), pruner).entries.empty());
        s.attempts.erase(2);
        s.sweep.state = SweepState::Paused;  // it waits
        QCOMPARE(promoteTrials(s.view(), pruner).entries.size(), 1U);
        s.sweep.state = SweepState::Stopping;
        QVERIFY(promoteTrials(s.view(), pruner).entries.empty());
        s.sweep.state = SweepState::Running;
        s.budgetSpent = Code::TimeBudgetSpent;
        QVERIFY(promoteTrials(s.view(), pruner).entries.empty());
        s.budgetSpent.reset();
        s.spec.prune->promote = false;
        QVERIFY(promoteTrials(s.view(), pruner).entries.empty());
        // A stop holds, too, if an edit allows promotion only later.
        const Decided early = stopTrials(s.view(), {2}, StopMode::Now, now);
        s.spec.prune->promote = true;
        for (const Decided &stop :
             {early, stopTrials(s.view(), {2}, StopMode::Now, now), stopSweep(s.view(), StopMode::Now, now)}) {
            Situation stopped = s;
            for (const TrialChange &change : stop->trials)
                stopped.trial(change.row.record.number) = change.row;
            QVERIFY(promoteTrials(stopped.view(), pruner).entries.empty());
        }
        pruning::enter(promotion.entries.front(), pruner);
        QVERIFY(promoteTrials(s.view(), pruner).entries.empty());
    }

    void searchEndsWhenLittleIsExpectedOfTheNextPoint()
    {
        Situation s({TrialState::Completed});
        s.sweep.trialsToCome = 3;
        search::Suggestion suggestion{{{"n", std::int64_t{7}}}, search::Method::Gp, {}};
        suggestion.why = Fact(Code::ChosenByPrediction).with(Field::Improvement, 0.01);
        QCOMPARE(addSuggested(s.view(), suggestion, {}).added.size(), std::size_t{1});  // without a rule
        s.spec.stop = sweep::StopSection{{}, 0, 0.005};
        QCOMPARE(addSuggested(s.view(), suggestion, {}).added.size(), std::size_t{1});
        s.spec.stop->minImprovement = 0.02;
        const Decision decision = addSuggested(s.view(), suggestion, {});
        QVERIFY(decision.added.empty());
        QVERIFY(decision.sweep->record.trialsToCome == 0);
        QVERIFY(decision.sweep->reason
                == Fact(Code::ImprovementSmall).with(Field::Bound, 0.02).with(Field::Improvement, 0.01));
        suggestion.why = Code::ChosenAtRandom;  // which expects nothing
        QCOMPARE(addSuggested(s.view(), suggestion, {}).added.size(), std::size_t{1});
    }

    void endOfASearchStopsQueuedTrials()
    {
        Situation s({TrialState::Running, TrialState::Queued});
        s.sweep.trialsToCome = 3;
        const Fact reason = Fact(Code::PointsExhausted).with(Field::Count, 2);
        Decision decision = endSearch(s.view(), reason);
        QVERIFY(decision.queuedStop == reason);
        QVERIFY(decision.sweep->record.trialsToCome == 0);
        QVERIFY(decision.sweep->reason == reason);
        s.sweep.trialsToCome = 0;
        decision = endSearch(s.view(), reason);
        QVERIFY(!decision.sweep);
        QVERIFY(stopSweep(s.view(), StopMode::Now, now)->sweep->record.trialsToCome == 0);
    }

    void stoppingASweepStopsQueuedTrialsAndEndsAttempts()
    {
        const Situation s({TrialState::Completed, TrialState::Running, TrialState::Queued, TrialState::Queued});
        const Decided decided = stopSweep(s.view(), StopMode::Now, now);
        QVERIFY(decided.has_value());
        QVERIFY(decided->sweep->record.state == SweepState::Stopping);
        QVERIFY(decided->queuedStop == Fact(Code::SweepStoppedBeforeStart));
        QVERIFY(decided->effects == (std::vector<AttemptEffect>{{2, AttemptAction::Stop}}));
        QVERIFY(decided->reply
                == (facts::Facts{Code::NoFurtherTrials, counted(Code::QueuedStopped, 2),
                                 counted(Code::RunningTerminated, 1).with(Field::Seconds, 10.0)}));
    }

    void trialWhoseJobWaitsIsStoppedAsAQueuedOne()
    {
        Situation s({TrialState::Running, TrialState::Starting, TrialState::Starting});
        s.trial(2).record.devices = {"job:0@localhost"};
        s.trial(3).record.devices = {"cpu:0"};
        QVERIFY(stopSweep(s.view(), StopMode::Now, now)->reply
                == (facts::Facts{Code::NoFurtherTrials, counted(Code::QueuedStopped, 1),
                                 counted(Code::RunningTerminated, 2).with(Field::Seconds, 10.0)}));
        QVERIFY(stopTrials(s.view(), {2}, StopMode::Now, now)->reply == facts::Facts{counted(Code::QueuedStopped, 1)});
        QVERIFY(stopSweep(s.view(), StopMode::Finish, now)->reply.back() == counted(Code::RunningFinish, 3));
    }

    void pauseOfTheSweepLeavesAStoppingTrial()
    {
        Situation s({TrialState::Running, TrialState::Running});
        s.trial(1).pending = PendingRequest::StopAtCheckpoint;
        const Decided decided = pauseSweep(s.view());
        QCOMPARE(changed(*decided, TrialState::Paused), std::vector<int>{2});
        QVERIFY(decided->effects == (std::vector<AttemptEffect>{{2, AttemptAction::Freeze}}));
        QVERIFY(decided->reply.back() == counted(Code::RunningFrozen, 1));
    }

    void noPauseIsDueForAStoppingTrial()
    {
        Situation paused({TrialState::Running});
        paused.sweep.state = SweepState::Paused;
        QVERIFY(isPauseDue(paused.view(), 1));
        paused.trial(1).pending = PendingRequest::Stop;
        QVERIFY(!isPauseDue(paused.view(), 1));

        Situation finishing({TrialState::Running});  // its ranks start after the sweep was asked to finish
        finishing.trial(1).pending = PendingRequest::Pause;
        finishing.sweep.state = SweepState::Stopping;
        finishing.sweep.stopMode = StopMode::Finish;
        QVERIFY(!isPauseDue(finishing.view(), 1));
    }

    void finishingStopCanOnlyBeEscalated()
    {
        Situation s({TrialState::Running});
        s.sweep.state = SweepState::Stopping;
        s.sweep.stopMode = StopMode::Checkpoint;
        const Decided softer = stopSweep(s.view(), StopMode::Finish, now);
        QVERIFY(softer.has_value() && !softer->changesRows() && softer->effects.empty());
        QVERIFY(softer->reply.front().code == Code::AlreadyStopping);
        const Decided harder = stopSweep(s.view(), StopMode::Kill, now);
        QVERIFY(harder->effects == (std::vector<AttemptEffect>{{1, AttemptAction::Kill}}));
    }

    void finishLeavesRunningTrialsAndEndsFrozenOnes()
    {
        const Situation s({TrialState::Running, TrialState::Paused});
        QVERIFY(stopSweep(s.view(), StopMode::Finish, now)->effects
                == (std::vector<AttemptEffect>{{2, AttemptAction::Stop}}));
    }

    void stoppingTrialsReportsEndedOnes()
    {
        const Situation s({TrialState::Queued, TrialState::Completed, TrialState::Running});
        const Decided decided = stopTrials(s.view(), {1, 2, 3}, StopMode::Now, now);
        QCOMPARE(changed(*decided, TrialState::Stopped), std::vector<int>{1});
        QVERIFY(decided->trials[1].row.pending == PendingRequest::Stop);
        QVERIFY(decided->reply.back() == Fact(Code::TrialsEnded).with(Field::Trials, "2"));
        QVERIFY(stopTrials(s.view(), {1}, StopMode::Finish, now).error() == Fact(Code::TrialsCannotFinish));
    }

    void onlyRunningTrialsAreTraced()
    {
        Situation s({TrialState::Running, TrialState::Paused, TrialState::Queued, TrialState::Running});
        const Decided decided = traceTrials(s.view(), {1, 2, 3, 4}, 25);
        QVERIFY(decided->effects
                == (std::vector<AttemptEffect>{{1, AttemptAction::Trace, 25}, {4, AttemptAction::Trace, 25}}));
        const Fact requested = Fact(Code::TraceRequested).with(Field::Count, 25);
        QVERIFY(decided->reply
                == (facts::Facts{requested, Fact(Code::RunningTraced).with(Field::Count, 2),
                                 Fact(Code::TrialsNotTraced).with(Field::Trials, "2,3")}));
        QCOMPARE(changed(*decided, TrialState::Running), (std::vector<int>{1, 4}));
        QVERIFY(decided->trials[0].transitions.at(0).reason == requested);
        s.trial(1).pending = PendingRequest::Stop;
        QVERIFY(traceTrials(s.view(), {1}, 25).error() == Fact(Code::NothingToTrace));
        QVERIFY(traceTrials(s.view(), {}, 25).error() == Fact(Code::NothingToTrace));
    }

    void pausingFreezesCommandsAndSavesBuiltInTrials()
    {
        Situation s({TrialState::Running, TrialState::Starting, TrialState::Queued});
        const Decided frozen = pauseSweep(s.view());
        QCOMPARE(changed(*frozen, TrialState::Paused), std::vector<int>{1});  // 2 follows once its ranks run
        QVERIFY(frozen->effects == (std::vector<AttemptEffect>{{1, AttemptAction::Freeze}}));
        s.spec.run.worker = sweep::WorkerKind::Builtin;
        QVERIFY(pauseSweep(s.view())->effects == (std::vector<AttemptEffect>{{1, AttemptAction::SaveAndEnd}}));
        s.sweep.state = SweepState::Paused;
        QVERIFY(pauseSweep(s.view()).error() == Fact(Code::SweepAlreadyPaused));
        s.trial(2).record.state = TrialState::Running;
        QVERIFY(isPauseDue(s.view(), 2));
    }

    void resumingContinuesFrozenTrialsAndQueuesSavedOnes()
    {
        Situation s({TrialState::Paused, TrialState::Paused, TrialState::Starting});
        s.attempts.erase(2);
        s.trial(3).pending = PendingRequest::Pause;
        const Decided decided = resumeTrials(s.view(), {1, 2, 3});
        QCOMPARE(changed(*decided, TrialState::Running), std::vector<int>{1});
        QCOMPARE(changed(*decided, TrialState::Queued), std::vector<int>{2});
        QVERIFY(decided->effects == (std::vector<AttemptEffect>{{1, AttemptAction::Thaw}}));
        QVERIFY(decided->trials[2].row.pending == PendingRequest::Nothing);
        QVERIFY(decided->reply
                == (facts::Facts{counted(Code::PausesCancelled, 1), counted(Code::FrozenResumed, 1),
                                 counted(Code::QueuedResume, 1)}));
        const Situation running({TrialState::Running});
        QVERIFY(resumeTrials(running.view(), {1}).error() == Fact(Code::NothingIsPaused));
    }

    void onlyStartedTrialsResumeFromACheckpoint()
    {
        Situation s({TrialState::Paused, TrialState::Paused});
        s.spec.run.worker = sweep::WorkerKind::Builtin;
        s.attempts.clear();
        s.trial(1).record.attempts = 1;
        s.trial(2).record.attempts = 0;
        QVERIFY(resumeTrials(s.view(), {1, 2})->reply
                == (facts::Facts{counted(Code::QueuedResume, 1), counted(Code::CheckpointsResume, 1)}));
    }

    void retryReopensAnEndedSweep()
    {
        Situation s({TrialState::Failed, TrialState::Completed, TrialState::Pruned});
        s.sweep.state = SweepState::Completed;
        s.sweep.ended = now - 10;
        s.trial(1).failures = 3;
        const Decided all = retryTrials(s.view(), {}, now);
        QCOMPARE(changed(*all, TrialState::Queued), std::vector<int>{1});
        QCOMPARE(all->trials[0].row.failures, 0);
        QVERIFY(all->sweep->record.state == SweepState::Running && !all->sweep->record.ended);
        QCOMPARE(all->sweep->record.rested, 10);
        const Decided named = retryTrials(s.view(), {2, 3}, now);
        QVERIFY(named->trials[0].row.spared);
        QVERIFY(named->reply.back() == Fact(Code::TrialsNotRetried).with(Field::Trials, "2"));
    }

    void exhaustedBudgetAllowsNoRetryAndNoFurtherTrial()
    {
        Situation s({TrialState::Failed});
        s.budgetSpent = Fact(Code::TimeBudgetSpent).with(Field::Seconds, 7.0);
        QVERIFY(retryTrials(s.view(), {}, now).error() == Fact(Code::BudgetMustGrow).dueTo(*s.budgetSpent));
        QVERIFY(enqueueTrial(s.view(), {{"n", "9"}}, now).error().code == Code::BudgetMustGrow);
    }

    void sweepOfResultsWithoutAProgramRunsNoTrial()
    {
        Situation s({TrialState::Failed, TrialState::Completed});
        s.sweep.state = SweepState::Completed;
        s.sweep.ended = now - 10;
        s.trial(2).record.attempts = 1;
        s.spec.run.command = sweep::commandOfResults();
        const Fact why =
            Fact(Code::InvalidInput)
                .with(Field::Detail, "an imported or joined sweep has no program to run; set run.command first");
        QVERIFY(retryTrials(s.view(), {}, now).error() == why);
        QVERIFY(retryTrials(s.view(), {1}, now).error() == why);
        QVERIFY(enqueueTrial(s.view(), {{"n", "9"}}, now).error() == why);
        QVERIFY(continueTrials(s.view(), {2}, {}, now).error() == why);
        s.spec.run.command = {"train"};
        QVERIFY(retryTrials(s.view(), {1}, now).has_value());
    }

    void anEnqueuedTrialStartsBeforeTheQueuedOnes()
    {
        Situation s({TrialState::Queued, TrialState::Queued});
        s.trial(2).record.priority = 4;
        const Decided decided = enqueueTrial(s.view(), {{"n", "9"}}, now);
        QVERIFY2(decided.has_value(), decided ? "" : decided.error().text(Field::Detail).c_str());
        QCOMPARE(decided->added.front().record.number, 3);
        QCOMPARE(decided->added.front().record.priority, 5);
        QVERIFY(decided->added.front().record.enqueued);
        QCOMPARE(decided->sweep->record.trialsTotal, 3);
    }

    void pointOfATrialWithAResultOrAChanceOfOneIsNotEnqueuedAgain()
    {
        for (const TrialState state : {TrialState::Queued, TrialState::Starting, TrialState::Running,
                                       TrialState::Paused, TrialState::Completed, TrialState::Pruned}) {
            const Situation s({TrialState::Failed, state});
            QVERIFY(enqueueTrial(s.view(), {{"n", "2"}}, now).error() == Fact(Code::PointTaken).with(Field::Trial, 2));
        }
        const Situation s({TrialState::Failed, TrialState::Lost, TrialState::Stopped});
        for (const char *n : {"1", "2", "3"})
            QVERIFY(enqueueTrial(s.view(), {{"n", n}}, now).has_value());
    }

    void parameterThatIsSwitchedOffIsNotEnqueued()
    {
        Situation s({TrialState::Completed});
        sweep::Dimension m;
        m.name = "m";
        m.values = {std::int64_t{1}};
        m.when = "n > 5";
        s.spec.space.push_back(m);
        QVERIFY(enqueueTrial(s.view(), {{"n", "5"}, {"m", "1"}}, now).error()
                == Fact(Code::ParameterSwitchedOff).with(Field::Parameter, "m").with(Field::Detail, "n > 5"));
        QVERIFY(enqueueTrial(s.view(), {{"n", "5"}}, now).has_value());
        QVERIFY(enqueueTrial(s.view(), {{"n", "6"}, {"m", "1"}}, now).has_value());
    }

    void trialThatContinuesAnotherHasItsSeedAndParametersExceptChanges()
    {
        Situation s({TrialState::Completed, TrialState::Pruned, TrialState::Queued});
        for (const int number : {1, 2}) {
            s.trial(number).record.attempts = 1;
            s.trial(number).record.seed = 70U + static_cast<unsigned>(number);
        }
        s.trial(3).record.priority = 4;
        const Decided decided = continueTrials(s.view(), {1, 2}, {{"n", "9"}}, now);
        QVERIFY2(decided.has_value(), decided ? "" : decided.error().text(Field::Detail).c_str());
        QCOMPARE(decided->sweep->record.trialsTotal, 5);
        QVERIFY(decided->reply.front() == Fact(Code::TrialsAdded).with(Field::Count, 2));
        const sweep::TrialRecord &second = decided->added.at(1).record;
        QCOMPARE(second.number, 5);
        QCOMPARE(second.seed, 72U);
        QCOMPARE(second.priority, 5);
        QVERIFY(second.enqueued);
        QVERIFY(second.parameters == (sweep::ParameterSet{{"n", std::int64_t{9}}}));
        QCOMPARE(sweep::parentOf(second.chosen), 2);
        QVERIFY(second.chosen.because.front()
                == Fact(Code::KeyChanged).with(Field::Key, "n").with(Field::Before, "2").with(Field::After, "9"));
    }

    void trialWithoutACheckpointHereIsNotContinued()
    {
        Situation s({TrialState::Running, TrialState::Stopped, TrialState::Completed});
        const auto refusal = [&s](int number) {
            const Decided decided = continueTrials(s.view(), {number}, {}, now);
            return decided ? std::string() : decided.error().text(Field::Detail);
        };
        QVERIFY(refusal(1).find("has not ended") != std::string::npos);
        QVERIFY(refusal(2).find("has not run") != std::string::npos);
        s.trial(3).record.attempts = 1;
        QCOMPARE(refusal(3), std::string());
        s.trial(3).record.devices = {"GPU-a@gpu2"};
        QVERIFY2(refusal(3).find("on the machine gpu2") != std::string::npos, refusal(3).c_str());
        s.trial(3).record.devices = {"cpu:0"};
        s.spec.devices.machines = {"*"};
        QVERIFY(refusal(3).find("other machines") != std::string::npos);
        s.spec.devices.machines.clear();
        s.spec.method = sweep::SearchMethod::Pbt;
        QCOMPARE(refusal(3), std::string());
        s.sweep.trialsToCome = 1;
        QVERIFY(refusal(3).find("pbt") != std::string::npos);
    }

    void trialIsContinuedOnceWithTheSameParameters()
    {
        Situation s({TrialState::Completed, TrialState::Completed});
        for (const int number : {1, 2})
            s.trial(number).record.attempts = 1;
        s.trial(2).record.parameters = {{"n", std::int64_t{9}}};
        QVERIFY(continueTrials(s.view(), {1}, {{"n", "9"}}, now).has_value());
        s.trial(2).record.chosen = Fact(Code::ChosenToContinue).with(Field::Trial, 1);
        QVERIFY(continueTrials(s.view(), {1}, {{"n", "9"}}, now).error()
                == Fact(Code::PointTaken).with(Field::Trial, 2));
        QVERIFY(continueTrials(s.view(), {1}, {{"n", "8"}}, now).has_value());
        s.trial(2).record.state = TrialState::Failed;
        QVERIFY(continueTrials(s.view(), {1}, {{"n", "9"}}, now).has_value());
    }

    void completedTrialOfTheBuiltinWorkerContinuesOnlyWithAChange()
    {
        Situation s({TrialState::Completed});
        s.spec.run.worker = sweep::WorkerKind::Builtin;
        s.trial(1).record.attempts = 1;
        QVERIFY(!continueTrials(s.view(), {1}, {}, now).has_value());
        const Decided decided = continueTrials(s.view(), {1}, {{"epochs", "60"}}, now);
        QVERIFY2(decided.has_value(), decided ? "" : decided.error().text(Field::Detail).c_str());
        QVERIFY(*sweep::find(decided->added.front().record.parameters, "epochs")
                == sweep::ParameterValue(std::int64_t{60}));
        s.trial(1).record.state = TrialState::Stopped;
        QVERIFY(continueTrials(s.view(), {1}, {}, now).has_value());
    }

    void replySaysThatAnEndedSweepRunsAgain()
    {
        Situation s({TrialState::Completed});
        s.sweep.state = SweepState::Completed;
        QCOMPARE(enqueueTrial(s.view(), {{"n", "9"}}, now)->reply.size(), 1U);
        s.sweep.ended = now - 10;
        QVERIFY(enqueueTrial(s.view(), {{"n", "9"}}, now)->reply.back() == Fact(Code::SweepRunsAgain));
    }

    void priorityAppliesOnlyToOpenTrials()
    {
        const Situation s({TrialState::Queued, TrialState::Completed});
        QCOMPARE(setPriority(s.view(), {1, 2}, 7)->trials.size(), 1U);
        QVERIFY(setPriority(s.view(), {2}, 7).error() == Fact(Code::TrialsHaveEnded));
        QCOMPARE(setPriority(s.view(), {}, 7)->sweep->record.priority, 7);
    }

    void onlyChangedMarksAreWritten()
    {
        Situation s({TrialState::Completed, TrialState::Completed});
        s.trial(1).record.mark.starred = true;
        sweep::MarkChange star;
        star.starred = true;
        QCOMPARE(markTrials(s.view(), {1, 2}, star)->trials.size(), 1U);
        QVERIFY(markTrials(s.view(), {1}, star)->reply == facts::Facts{Code::NothingChanged});
        QVERIFY(markTrials(s.view(), {}, star).error() == Fact(Code::MarkIsEmpty));
    }

    void failureIsRetriedUpToTheSweepsLimit()
    {
        Situation s({TrialState::Running});
        s.spec.run.retries = 1;
        const RetryPolicy policy(s.spec.run);
        const Fact reason = Fact(Code::RankExited).with(Field::Rank, 0).with(Field::ExitCode, 3);
        const EndedAttempt failed = ended(1, AttemptEnd::Failed, launch::FailureKind::ExitCode, reason);
        const AttemptEndDecision first = endAttempt(s.view(), policy, failed, now);
        QVERIFY(first.change.row.record.state == TrialState::Queued);
        QVERIFY(first.notBefore && *first.notBefore > now);
        QVERIFY(first.change.row.record.reason.code == Code::RetryScheduled);
        QVERIFY(first.change.row.record.reason.because.front() == reason);
        s.trial(1).failures = first.change.row.failures;
        const AttemptEndDecision second = endAttempt(s.view(), policy, failed, now);
        QVERIFY(second.change.row.record.state == TrialState::Failed);
        QVERIFY(second.change.row.record.reason == reason);
        QCOMPARE(second.change.row.record.ended, std::optional(now - 5));
    }

    void trialThatRanOutOfMemoryOnASharedGpuRunsAgainAloneWithoutARetry()
    {
        Situation s({TrialState::Running});
        s.trial(1).failures = 1;
        EndedAttempt failed = ended(1, AttemptEnd::Failed, launch::FailureKind::OutOfMemory, Code::OtherFailure);
        const RetryPolicy policy(s.spec.run);
        QVERIFY(endAttempt(s.view(), policy, failed, now).change.row.record.state == TrialState::Failed);
        failed.mayRerunAlone = true;
        const AttemptEndDecision decision = endAttempt(s.view(), policy, failed, now);
        QVERIFY(decision.change.row.record.state == TrialState::Queued);
        QVERIFY(decision.change.row.record.reason
                == Fact(Code::RerunAlone).with(Field::Attempt, failed.number).dueTo(Code::OtherFailure));
        QCOMPARE(decision.change.row.failures, 1);
        QVERIFY(!decision.notBefore);
        failed.verdict.failure = launch::FailureKind::ExitCode;
        QVERIFY(endAttempt(s.view(), policy, failed, now).change.row.record.state == TrialState::Failed);
        failed.verdict.failure = launch::FailureKind::OutOfMemory;
        s.sweep.state = SweepState::Stopping;
        QVERIFY(endAttempt(s.view(), policy, failed, now).change.row.record.state == TrialState::Failed);
    }

    void reproducibleFailureIsNotRetried()
    {
        Situation s({TrialState::Running});
        s.spec.run.retries = 5;
        const AttemptEndDecision decision =
            endAttempt(s.view(), RetryPolicy(s.spec.run),
                       ended(1, AttemptEnd::Failed, launch::FailureKind::NotANumber, Code::OtherFailure), now);
        QVERIFY(decision.change.row.record.state == TrialState::Failed);
        QVERIFY(decision.change.row.record.reason.code == Code::NotRetried);
    }

    void endInAStoppingSweepIsNotRetried()
    {
        Situation s({TrialState::Running});
        s.spec.run.retries = 5;
        s.sweep.state = SweepState::Stopping;
        QVERIFY(endAttempt(s.view(), RetryPolicy(s.spec.run),
                           ended(1, AttemptEnd::Lost, launch::FailureKind::Lost, Code::AgentLost), now)
                    .change.row.record.state
                == TrialState::Lost);
    }

    void pausedTrialWithACheckpointStaysPausedUntilResumed()
    {
        Situation s({TrialState::Paused});
        s.spec.run.worker = sweep::WorkerKind::Builtin;
        const EndedAttempt saved = ended(1, AttemptEnd::Stopped, {}, Code::EndedOnRequest);
        AttemptEndDecision decision = endAttempt(s.view(), RetryPolicy(s.spec.run), saved, now);
        QVERIFY(decision.change.row.record.state == TrialState::Paused);
        QVERIFY(decision.change.row.record.reason == Fact(Code::PausedSaved));
        s.trial(1).pending = PendingRequest::Resume;
        decision = endAttempt(s.view(), RetryPolicy(s.spec.run), saved, now);
        QVERIFY(decision.change.row.record.state == TrialState::Queued);
    }

    void jobThatWaitsHasNoRunningTime()
    {
        Situation s({TrialState::Queued});
        TrialRow row = beginAttempt(s.trial(1), {1, {"job:0@localhost"}, false, now}).row;
        QVERIFY(!row.record.started && !row.record.attemptStarted);
        QVERIFY(sweep::waitsAsJob(row.record));
        row.record.state = TrialState::Running;
        QVERIFY(!sweep::waitsAsJob(row.record));
        row = beginAttempt(s.trial(1), {1, {"cpu:0@gpu1"}, false, now}).row;
        QVERIFY(row.record.started == now && row.record.attemptStarted == now && !sweep::waitsAsJob(row.record));
    }

    void attemptWhoseJobEndedIsContinuedByAnother()
    {
        Situation s({TrialState::Running});
        EndedAttempt cut = ended(1, AttemptEnd::Stopped, {}, Code::JobTimeLimit);
        cut.verdict.isToBeContinued = true;
        AttemptEndDecision decision = endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now);
        QVERIFY(decision.change.row.record.state == TrialState::Queued);
        QVERIFY(decision.change.row.record.reason == Fact(Code::JobContinued).dueTo(Code::JobTimeLimit));
        QCOMPARE(decision.change.row.failures, 0);
        QVERIFY(!decision.notBefore);
        s.trial(1).record.state = TrialState::Paused;
        cut.verdict.end = AttemptEnd::Lost;
        QVERIFY(endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now).change.row.record.state == TrialState::Paused);
        s.trial(1).record.state = TrialState::Starting;
        QVERIFY(endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now).change.row.record.state == TrialState::Queued);
        s.trial(1).record.state = TrialState::Running;
        s.trial(1).pending = PendingRequest::Stop;
        cut.verdict.end = AttemptEnd::Stopped;
        QVERIFY(endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now).change.row.record.state == TrialState::Stopped);
    }

    void trialThatCannotGetBeyondItsTimeLimitFails()
    {
        Situation s({TrialState::Running});
        EndedAttempt cut = ended(1, AttemptEnd::Stopped, {}, Code::JobTimeLimit);
        cut.verdict.isToBeContinued = true;
        cut.madeProgress = false;
        const AttemptEndDecision decision = endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now);
        QVERIFY(decision.change.row.record.state == TrialState::Failed);
        QVERIFY(decision.change.row.record.reason == Fact(Code::JobTimeLimit));
        cut.verdict.reason = Code::JobPreempted;
        QVERIFY(endAttempt(s.view(), RetryPolicy(s.spec.run), cut, now).change.row.record.state == TrialState::Queued);
    }

    void anAttemptThatNeverStartedCostsNoRetry()
    {
        Situation s({TrialState::Starting});
        s.trial(1).record.started = 5;
        const AttemptEndDecision decision =
            endAttempt(s.view(), RetryPolicy(s.spec.run), ended(1, AttemptEnd::NeverStarted), now);
        QVERIFY(decision.change.row.record.state == TrialState::Queued);
        QCOMPARE(decision.change.row.failures, 0);
        QVERIFY(!decision.change.row.record.started);
        QVERIFY(decision.sweepNotBefore && *decision.sweepNotBefore > now);
    }

    void aJobThatSlurmRefusedKeepsItsReasonAndWaits()
    {
        Situation s({TrialState::Starting});
        const AttemptEndDecision decision = endAttempt(s.view(), RetryPolicy(s.spec.run),
                                                       ended(1, AttemptEnd::NeverStarted, {}, Code::JobRefused), now);
        QVERIFY(decision.change.row.record.state == TrialState::Queued);
        QVERIFY(decision.change.row.record.reason == Fact(Code::JobRefused));
        QVERIFY(*decision.sweepNotBefore >= now + 20'000'000'000);
    }

    void aTrialOutOfReachIsPausedOnceItsMachineIsBack()
    {
        Situation s({TrialState::Running, TrialState::Running});
        SweepView view = s.view();
        view.unreachable = {2};
        const Decided both = pauseTrials(view, {1, 2});
        QVERIFY(both->effects == (std::vector<AttemptEffect>{{1, AttemptAction::Freeze}}));
        QCOMPARE(changed(*both, TrialState::Paused), std::vector<int>{1});
        QVERIFY(both->reply == facts::Facts{counted(Code::RunningFrozen, 1)});
        s.trial(2).pending = PendingRequest::Pause;
        QVERIFY(!isPauseDue(view, 2));
        QVERIFY(isPauseDue(s.view(), 2));
        const Decided all = pauseSweep(view);
        QVERIFY(all->effects == (std::vector<AttemptEffect>{{1, AttemptAction::Freeze}}));
    }

    void anObjectiveIsTakenFromStoredMetricsWhereItsFeedIsGone()
    {
        Situation s({TrialState::Completed});
        TrialRow &row = s.trial(1);
        row.record.objectiveLast = sweep::ObjectiveValue{0.5, 9};
        row.record.objectiveBest = sweep::ObjectiveValue{0.3, 4};
        row.record.metrics = {{"acc", 0.7, 9, 0.1, 0.8}, {"lr", 1, 9, 1, 1}};
        row.record.reason = {};
        sweep::SweepSpec before;
        before.objective = "loss";
        sweep::SweepSpec after = before;
        after.objective = "acc";
        after.goal = sweep::Goal::Maximize;
        TrialRow changed = row;
        changeObjective(changed, before, after, nullptr);
        QVERIFY(changed.record.objectiveLast->value == 0.7 && changed.record.objectiveBest->value == 0.8);
        QCOMPARE(changed.record.metrics.size(), 2U);
        const sweep::MetricValue *loss = sweep::find(changed.record.metrics, "loss");
        QVERIFY(loss && loss->last == 0.5 && loss->lowest == 0.3 && std::isnan(loss->highest));
        QVERIFY(!sweep::find(changed.record.metrics, "acc"));
        // What was read from the feed counts, if the trial has not run again.
        const TrialReports reports{
            row.record.attempts, sweep::ObjectiveValue{0.7, 9}, sweep::ObjectiveValue{0.8, 6}, {}, 9};
        changeObjective(row, before, after, &reports);
        QCOMPARE(row.record.objectiveBest->step, 6);
        // No trial reported it.
        after.objective = "f1";
        changeObjective(changed, before, after, nullptr);
        QVERIFY(!changed.record.objectiveLast);
        QVERIFY(changed.record.reason == Fact(Code::ObjectiveMissing).with(Field::Metric, "f1"));
    }

    void completedTrialWithoutItsObjectiveHasAReason()
    {
        Situation s({TrialState::Running, TrialState::Running});
        s.sweep.objective = "val_loss";
        s.sweep.parameterNames = {"lr"};  // a single run needs none
        s.trial(2).record.objectiveLast = sweep::ObjectiveValue{0.5, 3};
        const RetryPolicy policy(s.spec.run);
        QVERIFY(endAttempt(s.view(), policy, ended(1, AttemptEnd::Completed), now).change.row.record.reason
                == Fact(Code::ObjectiveMissing).with(Field::Metric, "val_loss"));
        Situation run({TrialState::Running});
        run.spec = sweep::makeRun("train", {"train"}, {});
        QVERIFY(!endAttempt(run.view(), policy, ended(1, AttemptEnd::Completed), now).change.row.record.reason);
        QVERIFY(!endAttempt(s.view(), policy, ended(2, AttemptEnd::Completed), now).change.row.record.reason);
    }

    void aProbeStopsQueuedTrialsBeyondItsMemory()
    {
        Situation s({TrialState::Stopped, TrialState::Queued, TrialState::Queued});
        s.spec.probe = sweep::ProbeSection();
        s.spec.probe->parameter = "n";
        s.trial(1).record.parameters = {{"n", std::int64_t{64}}};
        s.trial(1).record.reason = Code::ProbeOutOfMemory;
        s.trial(2).record.parameters = {{"n", std::int64_t{32}}};
        s.trial(3).record.parameters = {{"n", std::int64_t{128}}};
        QCOMPARE(changed(stopBeyondMemory(s.view(), now), TrialState::Stopped), std::vector<int>{3});
    }

    void forbiddenTransitionIsRecordedAndChangesNothing()
    {
        TrialChange change{queuedTrial({1, {}, 0, 1}), {}, {}};
        change.row.record.state = TrialState::Completed;
        change.apply(TrialEvent::Paused, Code::Paused);
        QVERIFY(change.forbidden == TrialEvent::Paused);
        QVERIFY(change.row.record.state == TrialState::Completed);
        QVERIFY(change.transitions.empty());
    }

    void decisionsNeverNeedForbiddenTransitions()
    {
        const std::vector<TrialState> all{TrialState::Queued, TrialState::Starting,  TrialState::Running,
                                          TrialState::Paused, TrialState::Completed, TrialState::Pruned,
                                          TrialState::Failed, TrialState::Stopped,   TrialState::Lost};
        std::vector<int> numbers;
        for (std::size_t i = 1; i <= all.size(); ++i)
            numbers.push_back(static_cast<int>(i));
        for (const SweepState state : {SweepState::Running, SweepState::Paused, SweepState::Stopping}) {
            for (const PendingRequest pending :
                 {PendingRequest::Nothing, PendingRequest::Pause, PendingRequest::Resume, PendingRequest::Stop}) {
                Situation s(all);
                s.sweep.state = state;
                for (TrialRow &row : s.trials)
                    row.pending = s.attempts.contains(row.record.number) ? pending : PendingRequest::Nothing;
                const SweepView view = s.view();
                for (const Decided &decided :
                     {stopSweep(view, StopMode::Kill, now), stopTrials(view, numbers, StopMode::Now, now),
                      pauseSweep(view), pauseTrials(view, numbers), resumeSweep(view), resumeTrials(view, numbers),
                      retryTrials(view, numbers, now), retryTrials(view, {}, now), setPriority(view, numbers, 1),
                      traceTrials(view, numbers, 10)}) {
                    QVERIFY(!decided || std::ranges::none_of(decided->trials, [](const TrialChange &change) {
                        return change.forbidden.has_value();
                    }));
                }
            }
        }
    }
};

SWEEPSCOPE_TEST(TestDecisions)
#include "tst_decisions.moc"
