#include "testprogram.h"

#include "models/sampletrials.h"
#include "sweep/grid.h"
#include "sweep/validation.h"
#include "ui/models/trialfilter.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;

/// The same expressions as a constraint, as a condition and as the filter of the table.
class OneLanguageTest : public QObject {
    Q_OBJECT

    /// a = 1 … 4, optimizer = sgd or adam, flag = false or true: 16 combinations.
    static sweep::SweepSpec spec()
    {
        sweep::SweepSpec spec;
        spec.name = "language";
        spec.objective = "loss";
        spec.run.worker = sweep::WorkerKind::Command;
        spec.run.command = {"true"};
        sweep::Dimension a;
        a.name = "a";
        a.kind = sweep::DimensionKind::List;
        a.values = {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}};
        sweep::Dimension optimizer;
        optimizer.name = "optimizer";
        optimizer.kind = sweep::DimensionKind::Choice;
        optimizer.values = {std::string("sgd"), std::string("adam")};
        sweep::Dimension flag;
        flag.name = "flag";
        flag.kind = sweep::DimensionKind::Choice;
        flag.values = {false, true};
        spec.space = {a, optimizer, flag};
        return spec;
    }

    static std::optional<std::uint64_t> count(const sweep::SweepSpec &spec)
    {
        const auto space = sweep::SearchSpace::compile(spec);
        if (!space)
            return std::nullopt;
        const auto size = sweep::Grid(*space).count(1000);
        return size ? std::optional(size->count) : std::nullopt;
    }

    static std::optional<std::uint64_t> asConstraint(const std::string &expression)
    {
        sweep::SweepSpec constrained = spec();
        constrained.constraints = {{"fits", expression}};
        return count(constrained);
    }

    /// A parameter has two values where the condition is true: two combinations instead of one.
    static std::optional<std::uint64_t> asCondition(const std::string &expression)
    {
        sweep::SweepSpec conditional = spec();
        sweep::Dimension extra = conditional.space.front();
        extra.name = "extra";
        extra.values.resize(2);
        extra.when = expression;
        conditional.space.push_back(extra);
        const auto all = count(conditional);
        return all ? std::optional(*all - 16) : std::nullopt;
    }

    static std::optional<std::uint64_t> asFilter(const QString &expression)
    {
        sweep::SweepRecord sweep = sampleSweep(1, 16);
        sweep.parameterNames = {"a", "optimizer", "flag"};
        auto trials = sampleTrials(1, 16);
        for (std::size_t i = 0; i < 16; ++i)
            trials[i].parameters = {{"a", std::int64_t(1 + i / 4)},
                                    {"optimizer", std::string(i / 2 % 2 == 0 ? "sgd" : "adam")},
                                    {"flag", i % 2 == 1}};
        ui::TrialTableModel model;
        model.setSweep(sweep, trials);
        ui::TrialFilter filter(expression);
        filter.bind(model);
        if (!filter.problem().isEmpty() || !filter.unknownNames(model).isEmpty())
            return std::nullopt;
        std::uint64_t found = 0;
        for (int row = 0; row < 16; ++row)
            found += filter.accepts(model, row) ? 1 : 0;
        return found;
    }

private Q_SLOTS:
    void isEqualInAllThreeUses_data()
    {
        QTest::addColumn<int>("expected");
        const auto row = [](const char *text, int expected) { QTest::newRow(text) << expected; };
        row("a == 2", 4);
        row("a = 2", 4);
        row("a is 2", 4);
        row("a is not 2", 12);
        row("a <> 2 and a != 3", 8);
        row("2 < a", 8);
        row("a=2..3", 8);
        row("a != 2..3", 8);
        row("a in [1, 4]", 8);
        row("a not in [1,4]", 8);
        row("a * 2 + 1 >= 7", 8);
        row("a*2+1>=7", 8);
        row("-a < -2", 8);
        row("2 ^ a = 8", 4);
        row("a % 2 == 0", 8);
        row("max(a, 3) = 3 and abs(a - 2) < 1", 4);
        row("log2(a) = 2 or sqrt(a) = 1", 8);
        row("optimizer = sgd", 8);
        row("optimizer == 'sgd'", 8);
        row("\"adam\" = optimizer", 8);
        row("optimizer is not sgd", 8);
        row("optimizer in [sgd, adam]", 16);
        row("optimizer contains da", 8);
        row("not optimizer = sgd and a < 3", 4);
        row("not (optimizer = sgd or a < 3)", 4);
        row("a = 1 or a = 2 and optimizer = adam", 6);
        row("a = 1 || a = 2 && optimizer = adam", 6);
        row("flag and a = 1", 2);
        row("not flag or flag = true", 16);
        row("!flag and a = 1", 2);
        row("a is unset or optimizer is unset", 0);
        row("a is not unset and optimizer != unset", 16);
        row("((a = 1) or (a = 2)) and a >= 2", 4);
    }

    void isEqualInAllThreeUses()
    {
        QFETCH(int, expected);
        const QString text = QString::fromUtf8(QTest::currentDataTag());
        QCOMPARE(asFilter(text), std::optional<std::uint64_t>(expected));
        QCOMPARE(asCondition(text.toStdString()), std::optional<std::uint64_t>(expected));
        // A constraint that leaves no trial is a separate error, which compile() does not detect.
        QCOMPARE(asConstraint(text.toStdString()), std::optional<std::uint64_t>(expected));
    }

    void isWrongInAllThreeUses_data()
    {
        QTest::addColumn<QString>("none");
        for (const char *text : {"a <", "a = 1 or", "(a = 1", "a = 1)", "a = 'x", "a < 2 < 3", "a = 1..x", "not",
                                 "abs(a, 2) = 1", "aa * 2 = 4", "optimizer * 2 = 4", "a in [1, 2"})
            QTest::newRow(text) << QString();
    }

    void isWrongInAllThreeUses()
    {
        const QString text = QString::fromUtf8(QTest::currentDataTag());
        QVERIFY(!asConstraint(text.toStdString()));
        QVERIFY(!asCondition(text.toStdString()));
        QVERIFY(!asFilter(text));
    }
};

SWEEPSCOPE_TEST(OneLanguageTest)
#include "tst_onelanguage.moc"
