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
        QCOMPARE(model.sameParameters(), QStringList(QStringLiteral("hidden 8")));
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
        const int loss = static_cast<int>(rows.indexOf(QStringLiteral("loss")));
        QCOMPARE(loss, static_cast<int>(rows.indexOf(QStringLiteral("Duration"))) + 1);
        QCOMPARE(rows.last(), QStringLiteral("step_time"));
        QCOMPARE(model.index(loss, 0).data().toString(), QStringLiteral("0.25"));
        const QString toolTip = model.index(loss, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(toolTip.contains(QLatin1String("step 7")) && toolTip.contains(QLatin1String("0.125")),
                 qPrintable(toolTip));
        QVERIFY(model.index(loss, 1).data().toString() != QStringLiteral("–"));
        QCOMPARE(model.index(model.rowCount() - 1, 1).data().toString(), QStringLiteral("–"));
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
