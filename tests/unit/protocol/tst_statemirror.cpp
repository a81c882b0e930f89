#include "protocol/statemirror.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::protocol;

namespace {

protocol::SweepChanged sweepNamed(std::int64_t id, const std::string &name)
{
    sweep::SweepRecord record;
    record.id = id;
    record.name = name;
    record.trialsTotal = 1'000'000;
    return {record};
}

protocol::TrialsChanged trialsNumbered(std::int64_t sweepId, std::initializer_list<int> numbers,
                                       sweep::TrialState state = sweep::TrialState::Queued)
{
    protocol::TrialsChanged changed{sweepId, {}};
    for (const int number : numbers) {
        sweep::TrialRecord trial;
        trial.number = number;
        trial.state = state;
        changed.trials.push_back(trial);
    }
    return changed;
}

using Ranges = QList<std::pair<int, int>>;

}  // namespace

class TestStateMirror : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sweepsAreOrderedByIdAndReplaced()
    {
        StateMirror mirror;
        mirror.apply(sweepNamed(2, "b"));
        mirror.apply(sweepNamed(1, "a"));
        mirror.apply(sweepNamed(2, "c"));
        QCOMPARE(mirror.sweeps().size(), 2U);
        QCOMPARE(mirror.sweeps().at(0).name, std::string("a"));
        QCOMPARE(mirror.sweep(2)->name, std::string("c"));
        QVERIFY(mirror.sweep(3) == nullptr);
    }

    void trialsBeyondTheTotalAreRemoved()
    {
        StateMirror mirror;
        const auto ignored = [](int, int) {};
        protocol::SweepChanged sweep = sweepNamed(1, "a");
        mirror.apply(protocol::SweepChanged(sweep));
        QVERIFY(mirror.apply(trialsNumbered(1, {1, 2, 3, 4}), ignored));
        sweep.sweep.trialsTotal = 4;
        QVERIFY(!mirror.apply(protocol::SweepChanged(sweep)));
        sweep.sweep.trialsTotal = 2;
        QVERIFY(mirror.apply(protocol::SweepChanged(sweep)));
        QCOMPARE(mirror.trials(1).size(), 2U);
        QCOMPARE(mirror.trials(1).back().number, 2);
    }

    void removedSweepIsRemovedWithItsTrials()
    {
        StateMirror mirror;
        mirror.apply(sweepNamed(1, "a"));
        mirror.apply(sweepNamed(2, "b"));
        const auto ignored = [](int, int) {};
        QVERIFY(mirror.apply(trialsNumbered(1, {1, 2}), ignored));
        mirror.apply(protocol::SweepRemoved{1});
        mirror.apply(protocol::SweepRemoved{7});
        QVERIFY(mirror.sweep(1) == nullptr);
        QCOMPARE(mirror.sweeps().size(), 1U);
        QVERIFY(mirror.trials(1).empty());
        QVERIFY2(!mirror.apply(trialsNumbered(1, {3}), ignored), "what was on its way is of no sweep any more");
    }

    void changedTrialsAreSignalledAsContiguousRanges()
    {
        StateMirror mirror;
        mirror.apply(sweepNamed(1, "a"));
        Ranges ranges;
        const auto note = [&](int first, int last) { ranges.append({first, last}); };
        QVERIFY(mirror.apply(trialsNumbered(1, {1, 2, 3, 4, 5}), note));
        QCOMPARE(ranges, (Ranges{{1, 5}}));
        ranges.clear();
        QVERIFY(mirror.apply(trialsNumbered(1, {2, 3, 5}, sweep::TrialState::Running), note));
        QCOMPARE(ranges, (Ranges{{2, 3}, {5, 5}}));
        QCOMPARE(mirror.trials(1).size(), 5U);
        QVERIFY(mirror.trials(1).at(2).state == sweep::TrialState::Running);
        QVERIFY(mirror.trials(1).at(3).state == sweep::TrialState::Queued);
    }

    void trialsOfAnUnknownSweepAreIgnored()
    {
        StateMirror mirror;
        QVERIFY(!mirror.apply(trialsNumbered(4, {1}), [](int, int) { QFAIL("nothing changed"); }));
        QVERIFY(mirror.trials(4).empty());
    }
};

QTEST_GUILESS_MAIN(TestStateMirror)
#include "tst_statemirror.moc"
