#include "plotfixture.h"
#include "testprogram.h"

#include "ui/models/usualgoal.h"
#include "ui/plot/curvelegend.h"
#include "ui/plot/legendmodel.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

/// The labels next to the curves, and hiding curves by them.
class CurveLegendTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cursorReadsTheValuesUnderIt()
    {
        Plot p;
        p.show(frameOf(100, 2));
        LegendModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::mouseMove(&p.plot, p.pixel(start + 50.2, 0.5).toPoint());
        QVERIFY(p.cursor.position().has_value());
        QVERIFY(std::abs(*p.cursor.position() - (start + 50)) < 1);
        model.setFrame(p.plot.frame(), start + 50.5, {});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1).data(LegendModel::ValueRole).toString(), QStringLiteral("0.5"));
        QCOMPARE(model.index(2).data(LegendModel::ValueRole).toString(), QStringLiteral("1.5"));
        QVERIFY(!model.index(1).data(LegendModel::WorstRole).toBool());
        QVERIFY(model.index(2).data(LegendModel::WorstRole).toBool());
        model.setFrame(p.plot.frame(), std::nullopt, {});
        QCOMPARE(model.index(2).data(LegendModel::ValueRole).toString(), QStringLiteral("2"));
    }

    void valuesThatAreNoNumbersAreNotCalledNaN()
    {
        PlotFrame frame = frameOf(10, 1);
        PlotCurve &curve = frame.main.curves[0];
        for (const std::size_t i : {std::size_t(3), curve.columns.size() - 1}) {
            curve.columns[i].last = std::nan("");
            curve.columns[i].hasNonFinite = true;
        }
        curve.newest = std::numeric_limits<double>::infinity();
        LegendModel model;
        const auto valueAt = [&](std::optional<double> x) {
            model.setFrame(frame, x, {});
            return model.index(1).data(LegendModel::ValueRole).toString();
        };
        QCOMPARE(valueAt(curve.columns[3].x), QStringLiteral("NaN or ∞"));
        QCOMPARE(valueAt(curve.columns.back().x), QStringLiteral("∞"));
        QCOMPARE(valueAt({}), QStringLiteral("∞"));
    }

    void longNamesWidenTheLegend()
    {
        CurveLegend legend;
        PlotFrame frame = frameOf(10, 2);
        legend.legendModel()->setFrame(frame, {}, {});
        const int usual = legend.sizeHint().width();
        frame.main.curves[1].name = QStringLiteral("learning_rate 0.0001–0.000268");
        legend.legendModel()->setFrame(frame, {}, {});
        QVERIFY(legend.sizeHint().width() > usual);
        QVERIFY(legend.sizeHint().width() < 2 * usual);
    }

    void combinedCurveOfRanksIsNamed_data()
    {
        QTest::addColumn<RankView>("view");
        QTest::addColumn<QString>("name");
        QTest::newRow("mean") << RankView::Mean << QStringLiteral("mean");
        QTest::newRow("spread") << RankView::Spread << QStringLiteral("mean");
        QTest::newRow("quartiles") << RankView::Quartiles << QStringLiteral("median");
    }
    void combinedCurveOfRanksIsNamed()
    {
        QFETCH(const RankView, view);
        QFETCH(const QString, name);
        LegendModel model;
        PlotFrame frame = frameOf(10, 2);
        frame.main.rankView = view;
        frame.main.curves[0].name.clear();
        for (const std::optional<double> cursor : {std::optional<double>(), std::optional(start + 5)}) {
            model.setFrame(frame, cursor, {});
            QCOMPARE(model.index(1).data().toString(), name);
            QVERIFY(model.index(1).data(Qt::AccessibleTextRole).toString().startsWith(name + QLatin1Char(' ')));
            QCOMPARE(model.index(2).data().toString(), QStringLiteral("rank 1"));
        }
    }

    void worstRankDependsOnWhatTheSeriesMeans()
    {
        QVERIFY(usualGoal(QStringLiteral("val_accuracy")) == sweep::Goal::Maximize);
        QVERIFY(usualGoal(QStringLiteral("samples_per_second")) == sweep::Goal::Maximize);
        QVERIFY(usualGoal(QStringLiteral("val/Loss")) == sweep::Goal::Minimize);
        QVERIFY(!usualGoal(QStringLiteral("step_time")));
        LegendModel model;
        PlotFrame frame = frameOf(10, 2);
        frame.main.curves[0].newest = notANumber;
        model.setFrame(frame, std::nullopt, {});
        QVERIFY(model.index(1).data(LegendModel::WorstRole).toBool());
        frame.main.curves[0].newest = frame.main.curves[1].newest;
        model.setFrame(frame, std::nullopt, {});
        QVERIFY(!model.index(1).data(LegendModel::WorstRole).toBool());
        QVERIFY(!model.index(2).data(LegendModel::WorstRole).toBool());
        // A difference of a rank matters from 5% on.
        for (const double value : {99.98, 94.0}) {
            frame.main.curves[0].newest = value;
            frame.main.curves[1].newest = 100;
            model.setFrame(frame, std::nullopt, {});
            QCOMPARE(model.index(1).data(LegendModel::WorstRole).toBool()
                         || model.index(2).data(LegendModel::WorstRole).toBool(),
                     value < 95);
        }
    }

    void worstOfManyRanksIsFoundAtTheTop()
    {
        LegendModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFrame(frameOf(10, 32), std::nullopt, {});
        QCOMPARE(model.rowCount(), 34);
        const QModelIndex first = model.index(1);
        QCOMPARE(first.data().toString(), QStringLiteral("rank 31"));
        QVERIFY(first.data(LegendModel::WorstRole).toBool());
        QCOMPARE(first.data(LegendModel::KeyRole).toString(), QStringLiteral("curves/rank 31"));
        QCOMPARE(model.index(2).data().toString(), QStringLiteral("rank 0"));
        QVERIFY(model.index(33).data(LegendModel::WorstRole).toBool());
        // With few ranks the worst one is not repeated at the top.
        model.setFrame(frameOf(10, 4), std::nullopt, {});
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("rank 0"));
    }

    void onlyDrawnCurvesAndTheWorstRankAreListed()
    {
        PlotFrame frame = frameOf(10, 32);
        frame.main.rankView = RankView::Mean;
        for (PlotCurve &curve : frame.main.curves)
            curve.drawn = false;
        PlotCurve mean = frame.main.curves[0];
        mean.name.clear();
        mean.drawn = true;
        frame.main.curves.insert(frame.main.curves.begin(), mean);
        CurveLegend legend;
        legend.resize(220, 300);
        legend.show();
        LegendModel &model = *legend.legendModel();
        model.setFrame(frame, std::nullopt, {});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("mean"));
        QCOMPARE(model.index(2).data(Qt::AccessibleTextRole).toString(), QStringLiteral("rank 31 32, worst"));
        // It has no curve that could be hidden.
        QVERIFY(!model.flags(model.index(2)).testFlag(Qt::ItemIsEnabled));
        bool isChosen = false;
        connect(&legend, &CurveLegend::hiddenChosen, &legend, [&isChosen] { isChosen = true; });
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, legend.visualRect(model.index(2)).center());
        QVERIFY(!isChosen);
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, legend.visualRect(model.index(1)).center());
        QVERIFY(isChosen);
        QCOMPARE(model.keysBeside(model.index(1)), QStringList{QStringLiteral("curves/")});
    }

    void meansOfRanksAreLabelled()
    {
        PlotFrame frame = frameOf(10, 2);
        frame.main.isOfSeries = true;
        frame.main.isOfMeans = true;
        LegendModel model;
        model.setFrame(frame, std::nullopt, {});
        QCOMPARE(model.rowCount(), 4);
        QVERIFY(model.index(1).data(LegendModel::NoteRole).toBool());
        QCOMPARE(model.index(1).data().toString(), QStringLiteral("Mean of the ranks"));
        QCOMPARE(model.keysBeside(model.index(2)).size(), 2);
    }

    void legendClickHidesAndDoubleClickIsolates()
    {
        CurveLegend legend;
        legend.resize(220, 300);
        legend.show();
        const PlotFrame frame = frameOf(10, 3);
        QSet<QString> hidden;
        legend.legendModel()->setFrame(frame, std::nullopt, hidden);
        connect(&legend, &CurveLegend::hiddenChosen, &legend, [&](const QSet<QString> &chosen) {
            hidden = chosen;
            legend.legendModel()->setFrame(frame, std::nullopt, hidden);
        });
        const QPoint second = legend.visualRect(legend.legendModel()->index(2)).center();
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(hidden, QSet<QString>{QStringLiteral("curves/rank 1")});
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QVERIFY(hidden.isEmpty());

        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QTest::mouseDClick(legend.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(hidden, (QSet<QString>{QStringLiteral("curves/rank 0"), QStringLiteral("curves/rank 2")}));
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QTest::mouseDClick(legend.viewport(), Qt::LeftButton, {}, second);
        QVERIFY(hidden.isEmpty());
    }
};

SWEEPSCOPE_TEST(CurveLegendTest)
#include "tst_curvelegend.moc"
