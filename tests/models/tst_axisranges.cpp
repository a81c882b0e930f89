#include "testprogram.h"

// Ranges on axes, and the table filter that they produce.
#include "models/analysisfigures.h"
#include "sweep/splitmix.h"
#include "ui/analysis/axisranges.h"
#include "ui/models/trialrows.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::AxisRanges;
using ui::AxisScale;
using ui::FigurePtr;

namespace {

std::vector<int> within(const ui::AnalysisFigure &figure, const AxisRanges &ranges)
{
    std::vector<int> trials;
    const std::vector<char> rows = ui::rowsWithin(figure, ranges);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row])
            trials.push_back(figure.values.trials[row]);
    }
    return trials;
}

/// Returns the trials that a table shows with this filter; only -1 if the filter is invalid.
std::vector<int> filtered(const sweep::SweepRecord &record, const std::vector<sweep::TrialRecord> &all,
                          const QString &text)
{
    ui::TrialTableModel model;
    model.setSweep(record, all);
    ui::TrialRows rows(&model);
    const ui::TrialFilter filter(text);
    if (!filter.problem().isEmpty() || !filter.unknownNames(model).isEmpty())
        return {-1};
    rows.setFilter(filter);
    std::vector<int> trials = rows.fittingTrials();
    std::ranges::sort(trials);
    return trials;
}

/// A sweep with all kinds of names and values that a sweep file may have, including those with a meaning in a filter.
AnalysedSweep oddSweep(sweep::SplitMix64 &random)
{
    static const std::vector<std::string> names = {
        "state",        "best",          "last",       "trial",    "tag",      "seed",         "and",
        "or",           "not",           "unset",      "State",    "lr",       "two words",    "say \"x\"",
        "it's",         "both \" and '", "C:\\new\\",  "1..2",     "a=b",      "parameter.lr", "metric.accuracy",
        "min.accuracy", "trial.state",   "trial.best", "accuracy", "val_loss", "x\ny",         "%1 %2"};
    static const std::vector<std::string> words = {
        "sgd", "Sgd",      "SGD", "and",     "or",   "not",  "unset", "Unset", "1..2", "v1..v2", "\"",
        "'",   "\" and '", "\\",  "\\\"",    "a b",  " a b", "",      "(",     "!=",   "0.1",    "0.10",
        "1.0", "nan",      "inf", "starred", "True", "x\ny", "\\n",   "1e20",  "&&"};
    static const std::vector<sweep::ParameterValue> others = {0.1, std::int64_t{1}, true, 1e20};
    AnalysedSweep sweep(0);
    sweep.spec.space.clear();
    sweep.record.parameterNames.clear();
    while (sweep.record.parameterNames.size() < 5) {
        const std::string &name = names[random.nextBelow(names.size())];
        if (std::ranges::find(sweep.record.parameterNames, name) == sweep.record.parameterNames.end())
            sweep.record.parameterNames.push_back(name);
    }
    sweep::Dimension log;
    log.name = sweep.record.parameterNames[0];
    log.kind = sweep::DimensionKind::Log;
    log.low = 1e-4;
    log.high = 1;
    sweep.spec.space.push_back(log);
    const double infinity = std::numeric_limits<double>::infinity();
    const double ends[] = {infinity, -infinity, std::nan("")};
    std::vector<sweep::ParameterValue> some;
    for (int i = 0; i < 6; ++i)
        some.push_back(random.nextBelow(6) == 0 ? others[random.nextBelow(others.size())]
                                                : words[random.nextBelow(words.size())]);
    for (int number = 1; number <= 40; ++number) {
        sweep::TrialRecord trial;
        trial.number = number;
        trial.attempts = 1;
        trial.state = random.nextBelow(8) == 0   ? sweep::TrialState::Running
                      : random.nextBelow(8) == 0 ? sweep::TrialState::Pruned
                      : random.nextBelow(8) == 0 ? sweep::TrialState::Stopped
                                                 : sweep::TrialState::Completed;
        const auto value = [&] { return random.nextBelow(6) == 0 ? ends[random.nextBelow(3)] : 5 * random.nextUnit(); };
        if (random.nextBelow(10) != 0) {
            trial.objectiveBest = sweep::ObjectiveValue{value(), 1};
            trial.objectiveLast = sweep::ObjectiveValue{value(), 2};
            trial.metrics = {{"accuracy", value(), 3, value(), value()}};
        }
        const sweep::ParameterValue values[] = {
            std::pow(10.0, -4 * random.nextUnit()), some[random.nextBelow(some.size())],
            static_cast<std::int64_t>(random.nextBelow(5)) - 2,
            random.nextBelow(8) == 0 ? ends[random.nextBelow(2)] : random.nextUnit() - 0.5, some[random.nextBelow(2)]};
        for (std::size_t i = 0; i < 5; ++i) {
            if (random.nextBelow(10) != 0)
                trial.parameters.emplace_back(sweep.record.parameterNames[i], values[i]);
        }
        sweep.trials.push_back(std::move(trial));
    }
    return sweep;
}

}  // namespace

class AxisRangesTest : public QObject {
    Q_OBJECT

    const AnalysedSweep m_sweep{400};

    std::vector<int> filtered(const QString &text) const { return ::filtered(m_sweep.record, m_sweep.trials, text); }
    void isSameInTable(const ui::AnalysisFigure &figure, const AxisRanges &ranges) const
    {
        const QString filter = ui::filterText(figure, ranges);
        const std::vector<int> chosen = within(figure, ranges);
        QVERIFY2(filtered(filter) == chosen, qPrintable(u"%1: %2"_s.arg(chosen.size()).arg(filter)));
    }

private Q_SLOTS:
    void rangesAreStoredByTheirValues()
    {
        const FigurePtr before = AnalysedSweep(100).figure();
        const FigurePtr after = AnalysedSweep(400).figure();
        const ui::AxisRanges ranges{{u"lr"_s, {0.2, 1}}, {u"optimizer"_s, {0.4, 0.6}}, {QString(), {0, 0.3}}};
        QVERIFY(ui::restoredRanges(*before, {}).empty());
        const ui::AxisRanges same = ui::restoredRanges(*before, ui::storedRanges(*before, ranges));
        QCOMPARE(same.size(), ranges.size());
        for (const auto &[id, range] : ranges) {
            QVERIFY(std::abs(same.at(id).first - range.first) < 1e-9);
            QVERIFY(std::abs(same.at(id).second - range.second) < 1e-9);
        }
        const ui::AxisRanges later = ui::restoredRanges(*after, ui::storedRanges(*before, ranges));
        const ui::AxisRanges carried = ui::carriedOver(ranges, *before, *after);
        QCOMPARE(later.size(), carried.size());
        for (const auto &[id, range] : carried)
            QVERIFY(std::abs(later.at(id).first - range.first) < 1e-9);
        // Values have no place on an axis of another kind.
        const FigurePtr decades = AnalysedSweep(100).figure(true);
        QVERIFY(!ui::restoredRanges(*decades, ui::storedRanges(*before, ranges)).contains(QString()));
    }

    void filterMatchesTheSameTrials_data()
    {
        QTest::addColumn<QStringList>("axes");
        QTest::newRow("logarithmic") << QStringList{u"lr"_s};
        QTest::newRow("whole") << QStringList{u"layers"_s};
        QTest::newRow("words") << QStringList{u"optimizer"_s};
        QTest::newRow("flags") << QStringList{u"augment"_s};
        QTest::newRow("conditional") << QStringList{u"momentum"_s};
        QTest::newRow("value") << QStringList{QString()};
        QTest::newRow("some") << QStringList{u"lr"_s, u"optimizer"_s};
        QTest::newRow("all") << QStringList{u"lr"_s, u"layers"_s, u"optimizer"_s, u"momentum"_s, QString()};
    }
    void filterMatchesTheSameTrials()
    {
        QFETCH(const QStringList, axes);
        const FigurePtr figure = m_sweep.figure();
        sweep::SplitMix64 random(3);
        for (int attempt = 0; attempt < 60; ++attempt) {
            AxisRanges ranges;
            for (const QString &axis : axes)
                ranges[axis] = std::minmax({random.nextUnit(), random.nextUnit()});
            isSameInTable(*figure, ranges);
        }
        AxisRanges whole;
        for (const QString &axis : axes)
            whole[axis] = {0, 1};
        isSameInTable(*figure, whole);
        QCOMPARE(within(*figure, whole).size(), figure->values.size());
    }

    void filterMatchesTheSameTrialsWithAnyName()
    {
        using Kind = analysis::Target::Kind;
        const analysis::Target targets[] = {{Kind::ObjectiveBest, {}, sweep::Goal::Minimize},
                                            {Kind::ObjectiveLast, {}, sweep::Goal::Minimize},
                                            {Kind::MetricLast, "accuracy", sweep::Goal::Maximize},
                                            {Kind::MetricLowest, "accuracy", sweep::Goal::Minimize},
                                            {Kind::MetricHighest, "accuracy", sweep::Goal::Maximize}};
        sweep::SplitMix64 random(11);
        for (int attempt = 0; attempt < 300; ++attempt) {
            const AnalysedSweep odd = oddSweep(random);
            const FigurePtr figure =
                ui::makeFigure(analysis::collect(odd.spec, odd.record, odd.trials, targets[random.nextBelow(5)]), {},
                               attempt % 2 == 0);
            for (int brush = 0; brush < 4; ++brush) {
                AxisRanges ranges;
                for (const ui::FigureAxis &axis : figure->axes) {
                    // Anywhere, at the ends, or exactly at a value.
                    const auto end = [&](double outermost) {
                        const std::uint64_t which = random.nextBelow(3);
                        return which == 0 || axis.positions.empty() ? random.nextUnit()
                               : which == 1                         ? outermost
                                            : double(axis.positions[random.nextBelow(axis.positions.size())]);
                    };
                    if (random.nextBelow(2) == 0)
                        ranges[axis.id] = std::minmax({end(0), end(1)});
                }
                if (ranges.empty())
                    continue;
                const QString filter = ui::filterText(*figure, ranges);
                const std::vector<int> chosen = within(*figure, ranges);
                QVERIFY2(::filtered(odd.record, odd.trials, filter) == chosen,
                         qPrintable(u"%1 trials: %2"_s.arg(chosen.size()).arg(filter)));
            }
        }
    }

    void valuesWithoutAColumnAreFilteredByTrialNumber()
    {
        using Kind = analysis::Target::Kind;
        AnalysedSweep sweep(60);
        for (sweep::TrialRecord &trial : sweep.trials) {
            trial.metrics.clear();
            for (int i = 0; i < 300; ++i)
                trial.metrics.push_back({"m" + std::to_string(i), std::fmod(trial.number * 7.0, 13), 1, 0, 1});
        }
        ui::TrialTableModel model;
        for (const bool isTaken : {false, true}) {
            if (isTaken)
                sweep.record.parameterNames.push_back("trial");
            model.setSweep(sweep.record, sweep.trials);
            for (const char *metric : {"m3", "m299"}) {
                const FigurePtr figure =
                    ui::makeFigure(analysis::collect(sweep.spec, sweep.record, sweep.trials,
                                                     {Kind::MetricLast, metric, sweep::Goal::Minimize}),
                                   {}, false);
                const AxisRanges ranges{{QString(), {0.2, 0.8}}};
                const std::vector<int> chosen = within(*figure, ranges);
                const QString written = ui::filterText(*figure, ranges);
                const QString text = ui::TrialFilter::textFor(written, chosen, model);
                QCOMPARE(text == written, metric == std::string("m3"));
                QVERIFY(chosen.size() > 5 && chosen.size() < figure->values.size());
                QCOMPARE(::filtered(sweep.record, sweep.trials, text), chosen);
            }
        }
        QCOMPARE(ui::TrialFilter::textFor(u"nothing = 1"_s, {1, 2, 3, 7, 9, 10}, model),
                 u"trial.trial = 1..3 or trial.trial = 7 or trial.trial = 9..10"_s);
        QVERIFY(::filtered(sweep.record, sweep.trials, ui::TrialFilter::textFor(u"("_s, {}, model)).empty());
    }

    void infiniteValuesAreNotBetweenTheTicks()
    {
        AnalysedSweep sweep(30);
        for (sweep::TrialRecord &trial : sweep.trials) {
            trial.state = sweep::TrialState::Completed;
            trial.objectiveBest = sweep::ObjectiveValue{static_cast<double>(trial.number % 5), 1};
        }
        sweep.trials[3].objectiveBest->value = std::numeric_limits<double>::infinity();
        const FigurePtr figure = sweep.figure();
        const AxisScale &scale = figure->target().scale;
        // To just above the highest tick, but not to the end of the axis.
        const AxisRanges ranges{{QString(), {scale.positionOf(3.5), scale.positionOf(4.1)}}};
        QVERIFY(ranges.at(QString()).second < 1);
        const std::vector<int> shown = ::filtered(sweep.record, sweep.trials, ui::filterText(*figure, ranges));
        QCOMPARE(shown, within(*figure, ranges));
        QCOMPARE(shown.size(), std::size_t(5));
    }

    void filterIsAsShortAsItCanBe()
    {
        const FigurePtr figure = m_sweep.figure();
        const AxisScale &lr = figure->axis(u"lr"_s)->scale;
        const QString text =
            ui::filterText(*figure, {{u"lr"_s, {lr.positionOf(1.0123456e-3), lr.positionOf(0.0098765)}}});
        QVERIFY2(text.startsWith(u"lr = 0.001"_s), qPrintable(text));
        QVERIFY2(text.section(u' ', 0, 2).size() < 24, qPrintable(text));
        // A range without excluded values at one end has no bound there.
        QVERIFY(ui::filterText(*figure, {{u"lr"_s, {lr.positionOf(1e-3), 1}}}).startsWith(u"lr >= "_s));
        QVERIFY(ui::filterText(*figure, {{u"optimizer"_s, {0, 0.3}}}).startsWith(u"optimizer = adam"_s));
    }

    void namesOfMetricsAreTheirColumns()
    {
        using Kind = analysis::Target::Kind;
        analysis::TrialValues values = analysis::collect(m_sweep.spec, m_sweep.record, m_sweep.trials,
                                                         {Kind::MetricLast, "accuracy", sweep::Goal::Maximize});
        const FigurePtr figure = ui::makeFigure(std::move(values), u"accuracy"_s, false);
        isSameInTable(*figure, {{QString(), {0.3, 0.8}}});
        QVERIFY(ui::filterText(*figure, {{QString(), {0.3, 0.8}}}).startsWith(u"metric.accuracy = "_s));
    }

    void rangesKeepTheirValuesWhenAxesGrow()
    {
        const FigurePtr before = m_sweep.figure();
        AnalysedSweep grown(400);
        grown.trials[0].parameters[0].second = 10.0;  // an lr larger than the space allows
        const FigurePtr after = grown.figure();
        const AxisScale &old = before->axis(u"lr"_s)->scale;
        const AxisScale &now = after->axis(u"lr"_s)->scale;
        QVERIFY(now.high > old.high);
        const AxisRanges ranges{{u"lr"_s, {old.positionOf(1e-4), old.positionOf(1e-2)}}, {u"gone"_s, {0, 1}}};
        const AxisRanges carried = ui::carriedOver(ranges, *before, *after);
        QCOMPARE(carried.size(), std::size_t(1));
        QVERIFY(std::abs(carried.at(u"lr"_s).first - now.positionOf(1e-4)) < 1e-9);
        QVERIFY(std::abs(carried.at(u"lr"_s).second - now.positionOf(1e-2)) < 1e-9);
    }

    void rangesAreKeptWhenTheAxisBecomesLogarithmic()
    {
        const FigurePtr linear = m_sweep.figure();
        const FigurePtr decades = m_sweep.figure(true);
        QCOMPARE(decades->target().scale.scale, analysis::Scale::Log);
        for (const std::pair<double, double> &range :
             {std::pair(0.2, 0.6), std::pair(0.0, 0.5), std::pair(0.3, 1.0), std::pair(0.001, 0.5)}) {
            const AxisRanges ranges{{QString(), range}};
            const AxisRanges there = ui::carriedOver(ranges, *linear, *decades);
            QCOMPARE(there.size(), std::size_t(1));
            QCOMPARE(within(*decades, there), within(*linear, ranges));
            const AxisRanges back = ui::carriedOver(there, *decades, *linear);
            QCOMPARE(within(*linear, back), within(*linear, ranges));
        }
    }

    void unsetValuesCanBeFiltered()
    {
        std::vector<int> without;
        std::vector<int> with;
        for (const sweep::TrialRecord &trial : m_sweep.trials)
            (sweep::find(trial.parameters, "momentum") ? with : without).push_back(trial.number);
        QCOMPARE(filtered(u"momentum = unset"_s), without);
        QCOMPARE(filtered(u"momentum != unset"_s), with);
        QCOMPARE(filtered(u"not momentum = Unset"_s), with);
    }
};

SWEEPSCOPE_TEST(AxisRangesTest)
#include "tst_axisranges.moc"
