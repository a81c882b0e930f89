#include "engine/decisions/edit.h"
#include "engine/sweepledger.h"
#include "protocol/recordcodec.h"
#include "storefixture.h"
#include "sweep/budgetuse.h"
#include "sweep/sweepfile.h"
#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;
using facts::Code;
using sweep::EditKind;
using sweep::TrialState;

namespace {

class Ignored : public ChangeListener {
public:
    void sweepChanged(std::int64_t) override {}
    void trialsChanged(std::int64_t, int, int) override {}
    void devicesChanged() override {}
    void note(const std::string &) override {}
};

/// A sweep in the database, with methods that change it like an engine.
class EditedSweep {
public:
    EditedSweep(Store &store, sweep::SweepSpec spec) : m_spec(std::move(spec)), m_store(store)
    {
        sweep::SweepRecord record;
        record.name = m_spec.name;
        record.objective = m_spec.objective;
        record.toml = sweep::toToml(m_spec);
        record.baseFolder = "/tmp";
        record.created = m_now;
        m_inserted = store.insertSweep(record, sweep::planTrials(m_spec).value(), tests::fine).has_value();
        StoreReader reader(store.database());
        m_ledger.emplace(store, m_listener, record, reader.trials(record.id, 1, record.trialsTotal).value());
    }

    bool isInserted() const { return m_inserted; }
    const SweepLedger &ledger() const { return *m_ledger; }
    const sweep::SweepSpec &spec() const { return m_spec; }
    WallNs now() const { return m_now; }

    /// Runs trial `number` for `seconds` on two devices and ends it in this state; Running: it has not ended.
    void run(int number, TrialState end, WallNs seconds)
    {
        TrialChange change{m_ledger->trial(number), {}, {}};
        sweep::TrialRecord &record = change.row.record;
        record.attempts += 1;
        record.devices = {"cpu:0", "cpu:1"};
        record.started = record.attemptStarted = m_now;
        const std::string id =
            std::to_string(m_ledger->sweep().id) + "-" + std::to_string(number) + "-" + std::to_string(record.attempts);
        const AttemptRow attempt{m_ledger->sweep().id, number, record.attempts, id, std::nullopt, m_now, 2};
        change.apply(TrialEvent::AttemptBegun, {});
        QVERIFY(m_ledger->begin(change, attempt));
        m_now += seconds * second;
        change.transitions.clear();
        change.apply(TrialEvent::RanksStarted, {});
        if (end == TrialState::Running) {
            m_open[number] = attempt;
            commit(change);
            return;
        }
        change.apply(end == TrialState::Completed ? TrialEvent::Completed : TrialEvent::Failed, Code::RankExited);
        record.ended = m_now;
        QVERIFY(m_ledger->end(change, attempt, {"ended", "", {}, m_now}, m_now));
    }
    void happen(int number, TrialEvent event, Code reason)
    {
        TrialChange change{m_ledger->trial(number), {}, {}};
        change.apply(event, reason);
        commit(change);
    }
    void enqueue(sweep::ParameterSet point)
    {
        Decision decision;
        decision.sweep = SweepChange{m_ledger->sweep(), Code::TrialAdded};
        const int number = ++decision.sweep->record.trialsTotal;
        decision.added.push_back(queuedTrial(sweep::planPoint(m_spec, number, std::move(point))));
        decision.added.back().record.enqueued = true;
        QVERIFY(m_ledger->commit(decision, m_now));
    }
    std::optional<facts::Fact> spent(const sweep::SweepSpec &spec) const
    {
        sweep::BudgetUse used{m_now - m_ledger->sweep().created, m_ledger->sweep().deviceTime};
        for (const auto &[number, attempt] : m_open)
            used.deviceTime += deviceTime(attempt, m_now);
        return sweep::spentBudget(spec.budget, used);
    }
    void keepToBudget()
    {
        Decision decision;
        decision.queuedStop = spent(m_spec);
        if (decision.queuedStop)
            QVERIFY(m_ledger->commit(decision, m_now));
    }

    auto decide(const sweep::SweepSpec &after, EditKind kind) const
    {
        const std::set<int> attempts;
        const SweepView view{m_ledger->sweep(), m_spec, m_ledger->trials(), attempts, spent(after)};
        return editSweep(view, {sweep::toToml(after), after, sweep::planTrials(after).value(), kind}, m_now);
    }
    void apply(Decision decision, const sweep::SweepSpec &after)
    {
        m_now += second;
        QVERIFY(m_ledger->commit(decision, m_now));
        m_spec = after;
    }

    /// Computes the preview of a window, from what the protocol sends.
    sweep::EditPlan preview(const sweep::SweepSpec &after, EditKind kind) const
    {
        std::vector<sweep::TrialRecord> told;
        for (const TrialRow &row : m_ledger->trials())
            told.push_back(protocol::trialFromCbor(QCborValue(protocol::toCbor(row.record))).value());
        const auto sweep = protocol::sweepFromCbor(QCborValue(protocol::toCbor(m_ledger->sweep()))).value();
        std::vector<const sweep::TrialRecord *> records;
        for (const sweep::TrialRecord &trial : told)
            records.push_back(&trial);
        const sweep::BudgetUse used = sweep::budgetUse(sweep, m_spec, told, m_now);
        return sweep::planEdit(m_spec, after, records, sweep::spentBudget(after.budget, used), kind).value();
    }
    std::map<int, TrialRow> rows() const
    {
        std::map<int, TrialRow> rows;
        std::vector<TrialRow> all = StoreReader(m_store.database()).trials(m_ledger->sweep().id, 1, 1000).value();
        for (TrialRow &row : all)
            rows[row.record.number] = std::move(row);
        return rows;
    }
    std::size_t historyOf(int trial) const
    {
        return StoreReader(m_store.database()).history(m_ledger->sweep().id, trial).value().size();
    }

private:
    void commit(const TrialChange &change)
    {
        Decision decision;
        decision.trials = {change};
        QVERIFY(m_ledger->commit(decision, m_now));
    }

    sweep::SweepSpec m_spec;
    Store &m_store;
    Ignored m_listener;
    std::optional<SweepLedger> m_ledger;
    std::map<int, AttemptRow> m_open;
    WallNs m_now = 1000 * second;
    bool m_inserted = false;
};

using Random = std::mt19937;

int draw(Random &random, int low, int high)
{
    return std::uniform_int_distribution(low, high)(random);
}

/// Always has the same parameters and method, so that one definition can replace another.
sweep::SweepSpec randomDefinition(Random &random, sweep::SearchMethod method)
{
    std::string momentum;
    for (const std::string value : {"0", "0.5", "0.9", "1"}) {
        if (draw(random, 0, 1) == 1)
            momentum += (momentum.empty() ? "" : ", ") + value;
    }
    std::string toml = "[sweep]\nname = \"random\"\nobjective = \"loss\"\n[space]\n";
    const bool isRandom = method == sweep::SearchMethod::Random;  // which needs enough points in the space
    const int last = isRandom ? 9 : draw(random, 3, 6);
    toml += "n = { int = [" + std::to_string(draw(random, 1, 2)) + ", " + std::to_string(last) + "] }\n";
    toml += "momentum = [" + (momentum.empty() ? "0, 1" : momentum) + "]\n";
    toml += draw(random, 0, 1) == 1 ? "kind = { values = [\"a\", \"b\"], when = \"n > 2\" }\n" : "kind = [\"a\"]\n";
    toml += "[search]\nmethod = \"" + std::string(isRandom ? "random" : "grid") + "\"\n";
    if (isRandom)
        toml +=
            "trials = " + std::to_string(draw(random, 1, 6)) + "\nseed = " + std::to_string(draw(random, 1, 2)) + "\n";
    toml += "[run]\ncommand = [\"true\", \"{n}\", \"{momentum}\", \"{kind}\"]\n";
    if (draw(random, 0, 2) == 0)
        toml += "[budget]\ndevice_time = " + std::to_string(draw(random, 1, 60)) + "\n";
    sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    if (!parsed.problems.empty())
        qFatal("%s", sweep::describe(parsed.problems.front(), {}).c_str());
    return std::move(parsed.spec);
}

void liveALittle(Random &random, EditedSweep &sweep)
{
    const int trials = static_cast<int>(sweep.ledger().trials().size());
    for (int i = 0; i < 4; ++i) {
        const int number = draw(random, 1, trials);
        const TrialState state = sweep.ledger().trial(number).record.state;
        if (state != TrialState::Queued)
            continue;
        const int what = draw(random, 0, 5);
        if (what <= 2)
            sweep.run(number,
                      std::array{TrialState::Completed, TrialState::Failed,
                                 TrialState::Running}[static_cast<std::size_t>(what)],
                      2);
        else if (what == 3)
            sweep.happen(number, TrialEvent::Stopped, Code::StoppedOnRequest);
        else if (what == 4)
            sweep.happen(number, TrialEvent::Paused, Code::PausedBeforeStart);
    }
    if (draw(random, 0, 3) == 0)
        sweep.enqueue({{"n", std::int64_t{draw(random, 1, 9)}}, {"momentum", 0.5}, {"kind", std::string("a")}});
    sweep.keepToBudget();
}

std::set<sweep::ParameterSet> canonicalPoints(const std::vector<sweep::TrialPlan> &plans)
{
    std::set<sweep::ParameterSet> points;
    for (const sweep::TrialPlan &plan : plans)
        points.insert(sweep::canonical(plan.parameters));
    return points;
}

bool contains(const std::vector<int> &numbers, int number)
{
    return std::ranges::find(numbers, number) != numbers.end();
}

/// Requires that the edit changed each trial as the preview had announced.
void compare(const sweep::EditPlan &said, const EditedSweep &sweep, const std::map<int, TrialRow> &before)
{
    const std::map<int, TrialRow> after = sweep.rows();
    QCOMPARE(after.size(), static_cast<std::size_t>(said.kept) + said.added.size());
    QCOMPARE(static_cast<std::size_t>(sweep.ledger().sweep().trialsTotal), after.size());
    QCOMPARE(sweep.ledger().trials().size(), after.size());
    for (const sweep::TrialPlan &added : said.added) {
        QVERIFY(after.contains(added.number));
        QVERIFY(after.at(added.number).record.parameters == added.parameters);
        QVERIFY(after.at(added.number).record.state == TrialState::Queued);
    }
    for (const auto &[number, row] : before) {
        if (contains(said.discarded, number)) {
            const bool isReplaced = number <= said.kept + static_cast<int>(said.added.size());
            QVERIFY(isReplaced || (!after.contains(number) && sweep.historyOf(number) == 0));
            continue;
        }
        const TrialRow &now = after.at(number);
        if (contains(said.removed, number))
            QVERIFY(row.record.state == TrialState::Queued && sweep::isRemoved(now.record));
        else if (contains(said.restored, number))
            QVERIFY(row.record.state == TrialState::Stopped && now.record.state == TrialState::Queued);
        else
            QVERIFY(now.record.state == row.record.state && now.record.reason == row.record.reason);
        QVERIFY(contains(said.unchanged, number) || contains(said.removed, number) || contains(said.restored, number)
                || sweep::isRemoved(now.record));
    }
}

/// Requires that every point of a grid exists once, and that nothing else is queued except what the user enqueued.
void checkGrid(const EditedSweep &sweep)
{
    const std::set<sweep::ParameterSet> wanted = canonicalPoints(sweep::planTrials(sweep.spec()).value());
    std::set<sweep::ParameterSet> there;
    for (const auto &[number, row] : sweep.rows()) {
        if (sweep::isRemoved(row.record))
            continue;
        const sweep::ParameterSet point = sweep::canonical(row.record.parameters);
        there.insert(point);
        QVERIFY(wanted.contains(point) || row.record.enqueued || row.record.state != TrialState::Queued);
    }
    QVERIFY(std::ranges::includes(there, wanted));
}

}  // namespace

class TestSweepEdit : public tests::StoreFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void editMatchesItsPreview_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 40; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }
    void editMatchesItsPreview()
    {
        QFETCH(int, seed);
        Random random(static_cast<Random::result_type>(seed));
        const auto method = seed % 3 == 0 ? sweep::SearchMethod::Random : sweep::SearchMethod::Grid;
        EditedSweep sweep(*m_store, randomDefinition(random, method));
        QVERIFY(sweep.isInserted());
        std::vector<sweep::SweepSpec> definitions;
        for (int edit = 0; edit < 8; ++edit) {
            liveALittle(random, sweep);
            const bool isUndo = !definitions.empty() && draw(random, 0, 2) == 0;
            const EditKind kind = isUndo ? EditKind::Undo : EditKind::Edit;
            const sweep::SweepSpec after = isUndo ? definitions.back() : randomDefinition(random, method);
            if (isUndo)
                definitions.pop_back();
            else
                definitions.push_back(sweep.spec());
            const sweep::EditPlan said = sweep.preview(after, kind);
            const std::map<int, TrialRow> before = sweep.rows();
            const auto decision = sweep.decide(after, kind);
            QVERIFY(decision.has_value());
            if (!isUndo && after == sweep.spec()) {
                QVERIFY(decision->reply == facts::Facts{Code::NothingChanged} && !decision->changesRows());
                definitions.pop_back();
                continue;
            }
            QVERIFY(decision->reply == sweep::answerFacts(said, false));
            sweep.apply(*decision, after);
            compare(said, sweep, before);
            if (method == sweep::SearchMethod::Grid)
                checkGrid(sweep);
        }
    }

    void undoRemovesTrialsThatNeverStarted()
    {
        sweep::SweepSpec before = definition("int = [1, 3]");
        EditedSweep sweep(*m_store, before);
        const sweep::SweepSpec after = definition("int = [1, 6]");
        sweep.apply(*sweep.decide(after, EditKind::Edit), after);
        QCOMPARE(sweep.rows().size(), 6U);
        sweep.run(4, TrialState::Completed, 1);
        const auto undo = sweep.decide(before, EditKind::Undo);
        QVERIFY(undo.has_value());
        QCOMPARE(undo->discardFrom, 5);
        sweep.apply(*undo, before);
        QCOMPARE(sweep.rows().size(), 4U);
        QVERIFY(sweep.rows().at(4).record.state == TrialState::Completed);
        QCOMPARE(sweep.historyOf(5), 0U);
        QCOMPARE(sweep.ledger().openTrials(), 3);
        QCOMPARE(sweep.ledger().waitingTrials(), 3);
        QCOMPARE(sweep.ledger().sweep().trialsTotal, 4);

        // Their numbers can be reused.
        sweep.apply(*sweep.decide(after, EditKind::Edit), after);
        QCOMPARE(sweep.rows().size(), 6U);
        QVERIFY(sweep.rows().at(5).record.state == TrialState::Queued);
    }

    void stoppingSweepIsNotEdited()
    {
        sweep::SweepRecord record = tests::newSweep();
        record.state = sweep::SweepState::Stopping;
        const sweep::SweepSpec spec = definition("int = [1, 3]");
        const std::vector<TrialRow> rows;
        const std::set<int> attempts;
        QVERIFY(!editSweep({record, spec, rows, attempts}, {{}, spec, sweep::planTrials(spec).value()}, second)
                     .has_value());
    }

    void endedSweepRunsAgainOnlyIfTrialsRemain()
    {
        sweep::SweepRecord record = tests::newSweep();
        record.state = sweep::SweepState::Completed;
        record.ended = 3000;
        const sweep::SweepSpec spec = definition("int = [1, 2], step = 2");
        std::vector<TrialRow> rows{queuedTrial(sweep::planTrials(spec).value().front())};
        rows[0].record.state = TrialState::Completed;
        const std::set<int> attempts;
        const SweepView view{record, spec, rows, attempts};
        sweep::SweepSpec other = spec;
        other.run.retries = 5;
        auto decision = editSweep(view, {"retries", other, sweep::planTrials(other).value()}, 5000);
        QVERIFY(decision.has_value());
        QVERIFY(decision->sweep->record.state == sweep::SweepState::Completed && decision->sweep->record.ended);
        QCOMPARE(decision->sweep->record.toml, std::string("retries"));
        QCOMPARE(decision->definition->before, record.toml);

        decision = editSweep(view, {record.toml, spec, sweep::planTrials(spec).value()}, 5000);
        QVERIFY(decision->reply == facts::Facts{Code::NothingChanged} && !decision->changesRows());

        const sweep::SweepSpec more = definition("int = [1, 2]");
        decision = editSweep(view, {"more", more, sweep::planTrials(more).value()}, 5000);
        QVERIFY(decision->sweep->record.state == sweep::SweepState::Running && !decision->sweep->record.ended);
        QCOMPARE(decision->sweep->record.rested, 2000);
        QCOMPARE(decision->added.size(), 1U);
        QVERIFY(decision->reply.back() == facts::Fact(Code::DefinitionApplied));
        QVERIFY(std::ranges::find(decision->reply, Code::SweepRunsAgain, &facts::Fact::code) != decision->reply.end());
    }

private:
    static sweep::SweepSpec definition(const std::string &n)
    {
        return sweep::parseSweep("[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nn = { " + n
                                 + " }\n[run]\ncommand = [\"true\", \"{n}\"]\n")
            .spec;
    }
};

SWEEPSCOPE_TEST(TestSweepEdit)
#include "tst_sweepedit.moc"
