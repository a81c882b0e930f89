#include "engine/decisions/decision.h"
#include "engine/store.h"
#include "engine/sweepedit.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using sweep::TrialState;

namespace {

sweep::SweepSpec gridOf(std::vector<sweep::ParameterValue> values)
{
    sweep::SweepSpec spec;
    spec.seed = 7;
    sweep::Dimension n;
    n.name = "n";
    n.values = std::move(values);
    spec.space = {n};
    return spec;
}

std::vector<TrialRow> rowsOf(const sweep::SweepSpec &spec)
{
    std::vector<TrialRow> rows;
    std::vector<sweep::TrialPlan> plans = sweep::planTrials(spec).value();
    for (sweep::TrialPlan &plan : plans)
        rows.push_back(queuedTrial(std::move(plan)));
    return rows;
}

using Whole = std::int64_t;

}  // namespace

class TestSweepEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startedTrialsStayWhateverTheSpaceIs()
    {
        const sweep::SweepSpec before = gridOf({Whole{1}, Whole{2}, Whole{3}, Whole{4}});
        std::vector<TrialRow> rows = rowsOf(before);
        rows[0].record.state = TrialState::Completed;
        rows[1].record.state = TrialState::Running;
        rows[2].record.state = TrialState::Paused;
        const auto edit = planEdit(before, gridOf({Whole{5}, Whole{6}}), rows);
        QVERIFY(edit.has_value());
        QCOMPARE(edit->removed, std::vector<int>{4});
        QVERIFY(edit->restored.empty());
        QCOMPARE(edit->added.size(), 2U);
        QCOMPARE(edit->added.front().number, 5);
        QVERIFY(edit->added.front().parameters == (sweep::ParameterSet{{"n", Whole{5}}}));
        QVERIFY(edit->added.front().seed != edit->added.back().seed);
    }

    void removedTrialsComeBackAndStoppedOnesDoNot()
    {
        const sweep::SweepSpec before = gridOf({Whole{1}, Whole{2}});
        std::vector<TrialRow> rows = rowsOf(before);
        rows[0].record.state = rows[1].record.state = TrialState::Stopped;
        rows[0].record.reason = facts::Code::RemovedByEdit;
        rows[1].record.reason = facts::Code::Stopped;
        const auto edit = planEdit(before, before, rows);
        QVERIFY(edit.has_value());
        QCOMPARE(edit->restored, std::vector<int>{1});
        QVERIFY(edit->added.empty() && edit->removed.empty());
    }

    void pointsThatWereAskedForStay()
    {
        const sweep::SweepSpec before = gridOf({Whole{1}, Whole{2}});
        std::vector<TrialRow> rows = rowsOf(before);
        rows.push_back(queuedTrial(sweep::planPoint(before, 3, {{"n", Whole{99}}})));
        rows.back().enqueued = true;
        const auto edit = planEdit(before, before, rows);
        QVERIFY(edit->removed.empty());
    }

    void budgetOfARandomSearchCountsWhatHasRun()
    {
        sweep::SweepSpec before;
        before.method = sweep::SearchMethod::Random;
        before.trials = 4;
        sweep::Dimension lr;
        lr.name = "lr";
        lr.kind = sweep::DimensionKind::Linear;
        lr.high = 1;
        before.space = {lr};
        std::vector<TrialRow> rows = rowsOf(before);
        rows[0].record.state = rows[1].record.state = TrialState::Completed;
        sweep::SweepSpec more = before;
        more.trials = 6;
        auto edit = planEdit(before, more, rows);
        QCOMPARE(edit->added.size(), 2U);
        QVERIFY2(edit->removed.empty(), "the same seed draws the same trials first");

        sweep::SweepSpec other = more;
        other.space[0].low = 2;
        other.space[0].high = 3;
        edit = planEdit(before, other, rows);
        QCOMPARE(edit->removed, (std::vector<int>{3, 4}));
        QCOMPARE(edit->added.size(), 4U);
        for (const sweep::TrialPlan &plan : edit->added)
            QVERIFY(std::get<double>(plan.parameters.front().second) >= 2);
    }

    void whatWouldMixResultsIsRefused()
    {
        const sweep::SweepSpec before = gridOf({Whole{1}, Whole{2}});
        sweep::SweepSpec after = before;
        after.objective = "accuracy";
        after.run.ranks = 4;
        after.space[0].name = "m";
        const auto edit = planEdit(before, after, rowsOf(before));
        QVERIFY(!edit.has_value());
        QCOMPARE(edit.error().size(), 3U);
        QCOMPARE(edit.error().front().field, std::string("sweep.objective"));
    }
};

QTEST_GUILESS_MAIN(TestSweepEdit)
#include "tst_sweepedit.moc"
