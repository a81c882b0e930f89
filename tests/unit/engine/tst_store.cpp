#include "testprogram.h"

#include "unit/engine/storefixture.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace sweepscope::tests;
using facts::Code;
using sweep::TrialState;

/// Sweeps, trials and attempts are read back as they were written.
class TestStore : public StoreFixture {
    Q_OBJECT

    int historyRows(const char *where)
    {
        auto query = m_database->prepare((std::string("SELECT COUNT(*) FROM history WHERE ") + where).c_str());
        return query && m_database->execute(*query) && query->next() ? query->value(0).toInt() : -1;
    }

    static TrialChange begun(const TrialRow &row)
    {
        return {row, {{TrialState::Queued, TrialState::Starting, Code::None}}, {}};
    }

    bool change(const sweep::SweepRecord &sweep, TrialChange change, WallNs time)
    {
        Decision decision;
        decision.trials.push_back(std::move(change));
        return m_store->commit(sweep, decision, time).has_value();
    }

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }
    void folderHasOneUnderscoreForEachCharacterThatItCannotHave()
    {
        QCOMPARE(sweepFolderName(3, "m\u00e9di\u00e4 <b>"), std::string("0003-m_di___b_"));
        QCOMPARE(sweepFolderName(3, ""), std::string("0003-sweep"));
        QCOMPARE(sweepFolderName(3, std::string(100, 'x')), "0003-" + std::string(64, 'x'));
    }

    void newSweepIsStoredWithAllItsTrialsQueued()
    {
        sweep::SweepRecord record = newSweep("a/b c");
        const auto inserted = m_store->insertSweep(record, plans(3), fine);
        QVERIFY(inserted.has_value());
        QCOMPARE(record.id, 1);
        QCOMPARE(record.folder, std::string("0001-a_b_c"));
        QCOMPARE(record.trialsTotal, 3);
        for (const TrialRow &row : *inserted)
            QCOMPARE(row.record.sweepId, 1);

        const auto reading = Database::openForReading(file());
        QVERIFY(reading.has_value());
        StoreReader reader(**reading);
        const auto sweeps = reader.sweeps();
        QCOMPARE(sweeps->size(), 1U);
        QCOMPARE(sweeps->front().folder, record.folder);
        QVERIFY(sweeps->front().goal == sweep::Goal::Maximize);
        QCOMPARE(sweeps->front().parameterNames, record.parameterNames);
        const auto trials = reader.allTrials(1);
        QCOMPARE(trials->size(), 3U);
        const sweep::TrialRecord &second = trials->at(1);
        QCOMPARE(second.number, 2);
        QVERIFY(second.state == TrialState::Queued);
        QVERIFY2(second.parameters == plans(2).back().parameters, "1.0 stays a float, 2 an integer");
        QCOMPARE(second.seed, std::uint64_t(1) << 63);
        QCOMPARE(second.ranks, 2);
        QVERIFY(second.reason.code == Code::Queued);
        // The rows that the insertion returns equal those in the database.
        QCOMPARE(inserted->size(), trials->size());
        for (std::size_t i = 0; i < trials->size(); ++i) {
            const sweep::TrialRecord &handedOn = inserted->at(i).record;
            const sweep::TrialRecord &stored = trials->at(i);
            QVERIFY(handedOn.number == stored.number && handedOn.state == stored.state
                    && handedOn.parameters == stored.parameters && handedOn.seed == stored.seed
                    && handedOn.ranks == stored.ranks && handedOn.reason == stored.reason
                    && handedOn.priority == stored.priority);
        }
    }

    void sweepWithoutAFolderIsNotStored()
    {
        sweep::SweepRecord record = newSweep();
        const auto refuse = [](const sweep::SweepRecord &) -> Expected<void> {
            return makeError(ErrorCode::Io, "disk full");
        };
        const auto inserted = m_store->insertSweep(record, plans(2), refuse);
        QVERIFY(!inserted.has_value());
        QCOMPARE(inserted.error().message, std::string("disk full"));
        QCOMPARE(record.id, 0);
        QVERIFY(StoreReader(*m_database).sweeps()->empty());
    }

    void sweepWrittenInPartsIsVisibleOnceComplete()
    {
        NewSweep sweep{newSweep(), plans(5), {}};
        const auto part = [&](bool isLast) {
            const Expected<bool> whole = m_store->insertPart(sweep, 2, fine, 0);
            return whole && *whole == isLast && StoreReader(*m_database).sweeps()->size() == (isLast ? 1U : 0U);
        };
        QVERIFY(part(false));
        QVERIFY(part(false));
        QVERIFY(part(true));
        QCOMPARE(sweep.record.folder, std::string("0001-digits"));
        const auto trials = StoreReader(*m_database).allTrials(1);
        QCOMPARE(trials->size(), 5U);
        for (std::size_t i = 0; i < trials->size(); ++i) {
            QCOMPARE(trials->at(i).number, static_cast<int>(i) + 1);
            QVERIFY(trials->at(i).parameters == sweep.trials.at(i).record.parameters);
            QCOMPARE(sweep.trials.at(i).record.sweepId, 1);
        }
    }

    void incompleteSweepIsRemoved()
    {
        sweep::SweepRecord whole = newSweep();
        QVERIFY(m_store->insertSweep(whole, plans(1), fine).has_value());
        NewSweep sweep{newSweep(), plans(5), {}};
        QVERIFY(m_store->insertPart(sweep, 4, fine, 0).has_value());
        const auto refuse = [](const sweep::SweepRecord &) -> Expected<void> {
            return makeError(ErrorCode::Io, "disk full");
        };
        QVERIFY(!m_store->insertPart(sweep, 4, refuse, 0).has_value());
        QCOMPARE(StoreReader(*m_database).allTrials(2)->size(), 4U);
        QVERIFY(m_store->removeUnfinished().has_value());
        QVERIFY(StoreReader(*m_database).allTrials(2)->empty());
        QCOMPARE(StoreReader(*m_database).allTrials(1)->size(), 1U);
        QCOMPARE(StoreReader(*m_database).sweeps()->size(), 1U);
    }

    void attemptIsOpenFromItsIntentToItsEnd()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
        StoreReader reader(*m_database);
        TrialRow row = reader.trials(1, 1, 1)->front();
        QVERIFY(!row.record.attemptStarted);
        row.record.state = TrialState::Starting;
        row.record.attempts = 1;
        row.record.devices = {"cpu:0", "cpu:1"};
        row.record.started = 2000;
        AttemptRow attempt{1, 1, 1, "id-1", std::nullopt, 2000};
        QVERIFY(m_store->beginAttempt(begun(row), attempt).has_value());
        QCOMPARE(reader.openAttempts(1)->size(), 1U);
        QVERIFY(!reader.openAttempts(1)->front().agent);
        QCOMPARE(reader.trials(1, 1, 1)->front().record.attemptStarted, attempt.created);

        attempt.agent = launch::ProcessIdentity{4711, 99};
        QVERIFY(m_store->noteAgent(attempt).has_value());
        QCOMPARE(reader.openAttempts(1)->front().agent->pid, 4711);
        QCOMPARE(reader.openAttempts(1)->front().agent->startTime, 99U);

        row.record.state = TrialState::Failed;
        row.record.objectiveLast = sweep::ObjectiveValue{std::numeric_limits<double>::quiet_NaN(), 4};
        row.record.objectiveBest = sweep::ObjectiveValue{0.1, 3};
        row.record.ended = 3000;
        row.record.firstAttempt = 1;
        row.record.ran = 77;
        row.firstStep = 2;
        row.objectiveReached = 9;
        row.failures = 1;
        const facts::Fact reason = facts::Fact(Code::RankExited).with(facts::Field::Rank, 1);
        const Transition failed{TrialState::Starting, TrialState::Failed, reason};
        QVERIFY(m_store->endAttempt({row, {failed}, {}}, attempt, {"failed", "exit_code", reason, 3000}).has_value());
        QVERIFY(reader.attempts(1, 1)->front().reason == reason);
        QVERIFY(reader.openAttempts(1)->empty());
        const TrialRow read = reader.trials(1, 1, 1)->front();
        QVERIFY(read.record.state == TrialState::Failed);
        QVERIFY(std::isnan(read.record.objectiveLast->value));
        QCOMPARE(read.record.objectiveLast->step, 4);
        QCOMPARE(read.record.objectiveBest->value, 0.1);
        QCOMPARE(read.record.devices, row.record.devices);
        QCOMPARE(read.failures, 1);
        QCOMPARE(read.record.attemptEnded, std::optional<WallNs>(3000));
        QCOMPARE(read.record.firstAttempt, 1);
        QCOMPARE(read.record.ran, 77);
        QCOMPARE(read.firstStep, std::optional<std::int64_t>(2));
        QCOMPARE(read.objectiveReached, std::optional<std::int64_t>(9));
        QCOMPARE(read.record.ended, row.record.ended);
        QCOMPARE(historyRows("trial = 1"), 2);
        QCOMPARE(historyRows("state_after = 'failed' AND reason LIKE '%rank_exited%' AND time = 3000"), 1);
    }

    void attemptThatEndsBeforeItsStartUsesNoDeviceTime()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        StoreReader reader(*m_database);
        for (const auto &[trial, ended] : {std::pair(1, 5000), std::pair(2, 100)}) {  // the clock was set back
            TrialRow row = reader.trials(1, trial, trial)->front();
            row.record.state = TrialState::Starting;
            const AttemptRow attempt{1, trial, 1, "id-" + std::to_string(trial), std::nullopt, 2000, 2};
            QVERIFY(m_store->beginAttempt(begun(row), attempt).has_value());
            QVERIFY(m_store->endAttempt({row, {}, {}}, attempt, {"lost", "lost", {}, ended}).has_value());
        }
        QCOMPARE(reader.sweeps()->front().deviceTime, WallNs{2 * 3000});
    }

    void secondAttemptWithTheSameNumberIsRefused()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
        TrialRow row = StoreReader(*m_database).trials(1, 1, 1)->front();
        const AttemptRow attempt{1, 1, 1, "id-1", std::nullopt, 2000};
        QVERIFY(m_store->beginAttempt(begun(row), attempt).has_value());
        row.record.step = 77;
        AttemptRow again = attempt;
        again.id = "id-2";
        QVERIFY(!m_store->beginAttempt(begun(row), again).has_value());
        QCOMPARE(StoreReader(*m_database).trials(1, 1, 1)->front().record.step, 0);
        QCOMPARE(historyRows("trial = 1"), 1);
    }

    void stoppingLeavesOnlyTrialsThatWereNotWaiting()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(4), fine).has_value());
        StoreReader reader(*m_database);
        TrialRow row = reader.trials(1, 2, 2)->front();
        row.record.state = TrialState::Starting;
        QVERIFY(m_store->beginAttempt(begun(row), {1, 2, 1, "x", std::nullopt, 1}).has_value());
        Decision stop;
        stop.queuedStop = Code::Stopped;
        QVERIFY(m_store->commit(record, stop, 9000).has_value());
        int stopped = 0;
        const auto trials = reader.allTrials(1);
        QVERIFY(trials.has_value());
        for (const sweep::TrialRecord &trial : *trials)
            stopped += trial.state == TrialState::Stopped && trial.ended == 9000;
        QCOMPARE(stopped, 3);
        QCOMPARE(historyRows("state_after = 'stopped'"), 3);
    }

    void summaryMatchesTheTrials()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(7), fine).has_value());
        sweep::SweepRecord other = newSweep("other");
        QVERIFY(m_store->insertSweep(other, plans(2), fine).has_value());
        StoreReader reader(*m_database);
        const auto become = [&](int number, TrialState state, std::optional<double> best) {
            TrialRow row = reader.trials(record.id, number, number)->front();
            row.record.state = state;
            if (best)
                row.record.objectiveBest = sweep::ObjectiveValue{*best, 1};
            if (state == TrialState::Stopped)
                row.record.reason = Code::RemovedByEdit;
            QVERIFY(change(record, {row, {{TrialState::Queued, state, Code::None}}, {}}, 2000));
        };
        become(1, TrialState::Completed, 0.2);
        become(2, TrialState::Completed, 0.9);
        become(3, TrialState::Running, 0.4);
        become(4, TrialState::Paused, std::nullopt);
        become(5, TrialState::Failed, std::nullopt);
        become(6, TrialState::Stopped, std::nullopt);

        auto summary = reader.summary(record);
        QVERIFY(summary.has_value());
        const std::map<TrialState, int> counts{{TrialState::Completed, 2},
                                               {TrialState::Running, 1},
                                               {TrialState::Paused, 1},
                                               {TrialState::Failed, 1},
                                               {TrialState::Queued, 1}};
        QVERIFY(summary->counts == counts);
        QCOMPARE(summary->best->number, 2);
        QCOMPARE(summary->underWay.size(), 2U);
        QCOMPARE(summary->underWay.front().number, 3);
        QCOMPARE(summary->underWay.back().number, 4);
        QCOMPARE(summary->lastCompleted.size(), 2U);

        record.goal = sweep::Goal::Minimize;
        QCOMPARE(reader.summary(record)->best->number, 1);
        QVERIFY(!reader.summary(other)->best);
        become(7, TrialState::Completed, -std::numeric_limits<double>::infinity());
        QCOMPARE(reader.summary(record)->best->number, 1);
    }

    void hundredThousandTrialsAreInsertedTogether()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(100'000), fine).has_value());
        QCOMPARE(StoreReader(*m_database).trials(1, 99'999, 200'000)->size(), 2U);
    }

    void metricsAreReadAsTheyWereWritten()
    {
        constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
        constexpr double infinite = std::numeric_limits<double>::infinity();
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        StoreReader reader(*m_database);
        TrialRow row = reader.trials(1, 2, 2)->front();
        QVERIFY(row.record.metrics.empty());
        row.record.metrics = {{"loss", 1, 7, 0.5, infinite}, {"größe", notANumber, 3}};
        QVERIFY(m_store->updateProgress({&row}).has_value());
        const auto trials = reader.allTrials(1);
        QVERIFY2(trials.has_value(), trials ? "" : trials.error().message.c_str());
        QVERIFY(sweep::isSame(trials->at(1).metrics, row.record.metrics));
        QVERIFY(trials->at(0).metrics.empty());
        QVERIFY(m_database->execute("UPDATE trial SET metrics = x'8101' WHERE number = 2").has_value());
        const auto damaged = reader.allTrials(1);
        QVERIFY(!damaged.has_value());
        QVERIFY2(damaged.error().message.find("trial 2") != std::string::npos, damaged.error().message.c_str());
    }

    void deletedSweepIsRemovedWithAllItsRows()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        sweep::SweepRecord other = newSweep("other");
        QVERIFY(m_store->insertSweep(other, plans(1), fine).has_value());
        pruning::LogEntry entry;
        entry.trial = 1;
        entry.value = {10, 0.5, std::numeric_limits<double>::quiet_NaN()};
        entry.isDecided = true;
        entry.bound = 0.25;
        QVERIFY(m_store->appendToPruneLog(1, {entry}).has_value());
        const auto log = StoreReader(*m_database).pruneLog(1);
        QCOMPARE(log->size(), 1U);
        QVERIFY(log->at(0).value.best == 0.5 && std::isnan(log->at(0).value.last) && log->at(0).bound == 0.25);
        QVERIFY(log->at(0).isDecided && !log->at(0).isPruned);
        const auto refuse = []() -> Expected<void> { return makeError(ErrorCode::Io, "the folder stays"); };
        const auto allow = []() -> Expected<void> { return {}; };
        QVERIFY(!m_store->deleteSweep(1, refuse).has_value());
        StoreReader reader(*m_database);
        QCOMPARE(reader.sweeps()->size(), 2U);
        QCOMPARE(reader.allTrials(1)->size(), 2U);
        QVERIFY(m_store->deleteSweep(1, allow).has_value());
        QCOMPARE(reader.sweeps()->size(), 1U);
        QVERIFY(reader.allTrials(1)->empty());
        QVERIFY(reader.pruneLog(1)->empty());
        QCOMPARE(historyRows("sweep = 1"), 0);
        QCOMPARE(reader.allTrials(2)->size(), 1U);
        sweep::SweepRecord third = newSweep("third");
        QVERIFY(m_store->insertSweep(third, plans(1), fine).has_value());
        QCOMPARE(third.id, 3);  // ids are never reused
    }

    void requestsOfAUserAreRead()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        sweep::SweepRecord stopping = record;
        stopping.state = sweep::SweepState::Stopping;
        stopping.stopMode = sweep::StopMode::Checkpoint;
        stopping.priority = 7;
        stopping.archived = true;
        stopping.rested = 4;
        QVERIFY(m_store->changeSweep({stopping, Code::StopRequested}, record.state, 9).has_value());
        StoreReader reader(*m_database);
        QVERIFY(reader.sweeps()->front().stopMode == sweep::StopMode::Checkpoint);
        QCOMPARE(reader.sweeps()->front().priority, 7);
        QVERIFY(reader.sweeps()->front().archived);
        QCOMPARE(reader.sweeps()->front().rested, 4);
        TrialRow row = reader.trials(1, 2, 2)->front();
        row.record.priority = 3;
        row.record.state = TrialState::Paused;
        QVERIFY(change(record, {row, {{TrialState::Queued, TrialState::Paused, Code::PausedBeforeStart}}, {}}, 10));
        QCOMPARE(reader.trials(1, 2, 2)->front().record.priority, 3);
        QVERIFY(reader.trials(1, 2, 2)->front().record.state == TrialState::Paused);
        QCOMPARE(historyRows("trial = 2 AND state_after = 'paused'"), 1);
    }

    void everyRequestForATrialIsReadAsWritten()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
        StoreReader reader(*m_database);
        QVERIFY(reader.trials(1, 1, 1)->front().pending == PendingRequest::Nothing);
        for (const PendingRequest pending :
             {PendingRequest::Pause, PendingRequest::Resume, PendingRequest::StopAtCheckpoint, PendingRequest::Stop,
              PendingRequest::Kill}) {
            TrialRow row = reader.trials(1, 1, 1)->front();
            row.pending = pending;
            QVERIFY(change(record, {row, {}, {}}, 10));
            QVERIFY(reader.trials(1, 1, 1)->front().pending == pending);
        }
    }

    void marksAreReadAsTheyWereWritten()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        StoreReader reader(*m_database);
        QVERIFY(reader.trials(1, 2, 2)->front().record.mark.isEmpty());
        TrialRow row = reader.trials(1, 2, 2)->front();
        row.record.mark = {true, {"baseline", "größer"}, "a\nb"};
        QVERIFY(change(record, {row, {{TrialState::Queued, TrialState::Queued, Code::Starred}}, {}}, 10));
        QVERIFY(reader.trials(1, 2, 2)->front().record.mark == row.record.mark);
        QVERIFY(reader.trials(1, 1, 1)->front().record.mark.isEmpty());
        QCOMPARE(historyRows("trial = 2 AND reason LIKE '%starred%'"), 1);
    }

    void searchSeesTheReasonOfAMarkedTrialsEnd()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
        StoreReader reader(*m_database);
        TrialRow row = reader.trials(1, 1, 1)->front();
        row.record.state = TrialState::Failed;
        QVERIFY(change(record, {row, {{TrialState::Queued, TrialState::Failed, Code::AgentNotStarted}}, {}}, 10));
        row.record.mark.starred = true;
        QVERIFY(change(record, {row, {{TrialState::Failed, TrialState::Failed, Code::Marked}}, {}}, 20));
        const auto changes = reader.changes(1);
        QCOMPARE(changes->size(), 2U);
        QVERIFY(changes->at(1).reason == facts::Fact(Code::AgentNotStarted));
    }

    void decisionIsWrittenCompletelyOrNotAtAll()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(2), fine).has_value());
        StoreReader reader(*m_database);
        Decision decision;
        decision.sweep = SweepChange{record, Code::Edited};
        decision.sweep->record.trialsTotal = 3;
        decision.queuedStop = Code::Stopped;
        TrialRow twice = reader.trials(1, 2, 2)->front();  // an existing number
        decision.added = {twice};
        QVERIFY(!m_store->commit(record, decision, 10).has_value());
        QCOMPARE(reader.sweeps()->front().trialsTotal, 2);
        QVERIFY(reader.trials(1, 1, 1)->front().record.state == TrialState::Queued);
        QCOMPARE(historyRows("trial = 1"), 0);
    }
};

SWEEPSCOPE_TEST(TestStore)
#include "tst_store.moc"
