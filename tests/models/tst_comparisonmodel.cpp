#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/theme/trialcolors.h"
#include "ui/trials/comparisonmodel.h"

#include <QAbstractItemModelTester>
#include <QIcon>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::ComparisonModel;

class ComparisonModelTest : public QObject {
    Q_OBJECT

    static QStringList titles(const ComparisonModel &model)
    {
        QStringList result;
        for (int row = 0; row < model.rowCount(); ++row)
            result << model.headerData(row, Qt::Vertical).toString();
        return result;
    }

private Q_SLOTS:
    void onlyDifferingParametersAreShown()
    {
        ComparisonModel model([] { return WallNs{0}; });
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto trials = sampleTrials(1, 4);  // hidden is 8 in trials 1 and 4, which have other rates; 4 has no optimizer
        finish(trials[0], 0.5, 0, second);
        finish(trials[3], 0.9, 0, 2 * second);
        model.setTrials(sampleSweep(1, 4), {trials[0], trials[3]});
        QCOMPARE(titles(model).mid(0, 3),
                 QStringList({QStringLiteral("lr"), QStringLiteral("optimizer"), QStringLiteral("State")}));
        QCOMPARE(model.equalValues(), QStringList(QStringLiteral("hidden 8")));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("Trial 4"));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("0.1"));
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("–"));
        // The better one is bold; the trophy is for the best of the sweep, which may be another trial.
        const auto hasTrophy = [&model](int column) {
            return model.index(3, column).data(Qt::DecorationRole).isValid();
        };
        QVERIFY(!model.index(3, 0).data(Qt::FontRole).isValid());
        QVERIFY(model.index(3, 1).data(Qt::FontRole).isValid());
        QVERIFY(!hasTrophy(0) && !hasTrophy(1));
        model.setTrials(sampleSweep(1, 4), {trials[0], trials[3]}, {}, {}, 4);
        QVERIFY(!hasTrophy(0) && hasTrophy(1));
        // The swatch has the color of the curve.
        const auto swatchOf = [&model](int column) {
            const auto icon = model.headerData(column, Qt::Horizontal, Qt::DecorationRole).value<QIcon>();
            return icon.pixmap(16, 16).toImage().pixelColor(8, 8);
        };
        QCOMPARE(swatchOf(0), ui::trialColor(1));
        model.setTrials(sampleSweep(1, 4), {trials[0], trials[3]}, {{1, 0xff102030}});
        QCOMPARE(swatchOf(0), QColor(0xff102030));
        QCOMPARE(swatchOf(1), ui::trialColor(4));
        model.setTrials({}, {});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 0);
    }

    void keptTrialsOfAnotherSweepAreNamedAndCompared()
    {
        ComparisonModel model([] { return WallNs{0}; });
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto trials = sampleTrials(1, 2);
        finish(trials[0], 0.5, 0, second);
        auto others = sampleTrials(2, 1);
        finish(others[0], 0.9, 0, second);
        others[0].parameters = {{"depth", 3.0}};
        sweep::SweepRecord other = sampleSweep(2, 1);
        other.name = "baseline";
        other.parameterNames = {"depth"};
        model.setTrials(sampleSweep(1, 2), {trials[0]}, {}, {{others[0], &other, 0xff102030}});
        QCOMPARE(model.columnCount(), 2);
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("baseline #2 · trial 1"));
        QCOMPARE(model.sweepOf(0), qint64(1));
        QCOMPARE(model.sweepOf(1), qint64(2));
        const auto depth = static_cast<int>(titles(model).indexOf(QStringLiteral("depth")));
        QCOMPARE(model.index(depth, 0).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(depth, 1).data().toString(), QStringLiteral("3"));
        const auto best = static_cast<int>(titles(model).indexOf(QRegularExpression(QStringLiteral("Best .*"))));
        QVERIFY(model.index(best, 1).data(Qt::FontRole).isValid());
        // Values of another objective are not compared.
        other.objective = "speed";
        model.setTrials(sampleSweep(1, 2), {trials[0]}, {}, {{others[0], &other, {}}});
        QCOMPARE(model.index(best, 1).data().toString(), QStringLiteral("–"));
        QVERIFY(model.index(best, 0).data(Qt::FontRole).isValid());
    }

    void valuesThatLookAlikeMayDiffer()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 2);
        trials[0].parameters = {{"lr", 0.1}};
        trials[1].parameters = {{"lr", 0.1000000001}};
        model.setTrials(sampleSweep(1, 2), trials);
        QCOMPARE(titles(model).front(), QStringLiteral("lr"));
        QCOMPARE(model.index(0, 1).data(Qt::ToolTipRole).toString(), QStringLiteral("0.1000000001"));
    }

    void metricsAreRowsWithStepMetricsLast()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 2);
        trials[0].metrics = {{"step_time", 0.5, 7, 0.5, 0.5}, {"loss", 0.25, 7, 0.125, 4}};
        trials[1].metrics = {{"loss", std::nan(""), 3}};
        model.setTrials(sampleSweep(1, 2), trials);
        const QStringList rows = titles(model);
        const int loss = static_cast<int>(rows.indexOf(QStringLiteral("Last loss")));
        QCOMPARE(loss, static_cast<int>(rows.indexOf(QStringLiteral("Duration"))) + 1);
        QCOMPARE(rows.last(), QStringLiteral("Last step_time"));
        QCOMPARE(model.index(loss, 0).data().toString(), QStringLiteral("0.25"));
        const QString toolTip = model.index(loss, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(toolTip.contains(QLatin1String("step 7")) && toolTip.contains(QLatin1String("0.125")),
                 qPrintable(toolTip));
        QVERIFY(model.index(loss, 1).data().toString() != QStringLiteral("–"));
        QCOMPARE(model.index(model.rowCount() - 1, 1).data().toString(), QStringLiteral("–"));
    }

    void equalValuesAreFolded()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 2);
        for (sweep::TrialRecord &trial : trials) {
            trial.parameters = {{"lr", 0.1}, {"hidden", std::int64_t{trial.number}}};
            trial.metrics = {{"epoch", 5, 7, 1, 5}, {"loss", 0.5 / trial.number, 7, 0.1, 4}};
        }
        model.setTrials(sampleSweep(1, 2), trials);
        QCOMPARE(model.equalValues(), QStringList({QStringLiteral("lr 0.1"), QStringLiteral("optimizer –"),
                                                   QStringLiteral("Last epoch 5")}));
        QVERIFY(!model.isEveryParameterEqual());
        QVERIFY(!titles(model).contains(QStringLiteral("lr")) && !titles(model).contains(QStringLiteral("Last epoch")));
        model.setOnlyDifferences(false);
        model.setTrials(sampleSweep(1, 2), trials);
        QVERIFY(titles(model).contains(QStringLiteral("lr")) && titles(model).contains(QStringLiteral("Last epoch")));
    }

    void bestOfAMetricIsMarkedIfItsGoalIsKnown()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 3);
        for (sweep::TrialRecord &trial : trials)
            trial.metrics = {{"depth", 1.0 * trial.number, 7}, {"loss", 0.5 / trial.number, 7}};
        trials[2].metrics[1].last = std::nan("");
        model.setTrials(sampleSweep(1, 3), trials);
        const auto isBest = [&](const QString &title, int column) {
            const auto row = static_cast<int>(titles(model).indexOf(title));
            return model.index(row, column).data(Qt::FontRole).isValid();
        };
        QVERIFY(!isBest(QStringLiteral("Last loss"), 0) && isBest(QStringLiteral("Last loss"), 1));
        QVERIFY(!isBest(QStringLiteral("Last loss"), 2));
        for (const int column : {0, 1, 2})
            QVERIFY(!isBest(QStringLiteral("Last depth"), column));
        // Numbers of a row have the same number of decimals.
        const auto loss = static_cast<int>(titles(model).indexOf(QStringLiteral("Last loss")));
        QCOMPARE(model.index(loss, 0).data().toString(), QStringLiteral("0.50"));
        QCOMPARE(model.index(loss, 1).data().toString(), QStringLiteral("0.25"));
    }

    void failedTrialHasAReason()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 2);
        finish(trials[0], 0.5, 0, second);
        model.setTrials(sampleSweep(1, 2), trials);
        QVERIFY(!titles(model).contains(QStringLiteral("Reason")));
        trials[1].state = sweep::TrialState::Failed;
        trials[1].reason = facts::Fact(facts::Code::RankExited)
                               .with(facts::Field::Rank, 1)
                               .with(facts::Field::ExitCode, 3)
                               .with(facts::Field::IsError, 1)
                               .with(facts::Field::Source, "train.py:6")
                               .with(facts::Field::Detail, "IndexError: list index out of range");
        model.setTrials(sampleSweep(1, 2), trials);
        const auto row = static_cast<int>(titles(model).indexOf(QStringLiteral("Reason")));
        QCOMPARE(model.index(row, 1).data().toString(), QStringLiteral("IndexError in train.py:6"));
        QVERIFY(model.index(row, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("list index")));
        QCOMPARE(model.index(row, 0).data().toString(), QString());
    }

    void noBestWithoutAValue()
    {
        ComparisonModel model([] { return WallNs{0}; });
        auto trials = sampleTrials(1, 2);
        finish(trials[0], std::nan(""), 0, second);
        model.setTrials(sampleSweep(1, 2), trials);
        const int best = static_cast<int>(titles(model).indexOf(QStringLiteral("State"))) + 1;
        QVERIFY(!model.index(best, 0).data(Qt::FontRole).isValid());
        QCOMPARE(model.index(best, 1).data().toString(), QStringLiteral("–"));
    }
};

SWEEPSCOPE_TEST(ComparisonModelTest)
#include "tst_comparisonmodel.moc"
