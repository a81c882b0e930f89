#include "testprogram.h"

// Positions on an axis, its ticks, and the best trial of a figure.
#include "models/analysisfigures.h"
#include "ui/analysis/axisranges.h"
#include "ui/plot/qcustomplotheader.h"

#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::AxisScale;
using ui::FigurePtr;

namespace {

QStringList texts(const std::vector<ui::AxisTick> &ticks)
{
    QStringList found;
    for (const ui::AxisTick &tick : ticks)
        found << tick.text;
    return found;
}

}  // namespace

class AxisScaleTest : public QObject {
    Q_OBJECT

    const AnalysedSweep m_sweep{400};

private Q_SLOTS:
    void valuesAreAtTheirPositions()
    {
        const FigurePtr figure = m_sweep.figure();
        const AxisScale &lr = figure->axis(u"lr"_s)->scale;
        QCOMPARE(lr.low, -5.0);
        QCOMPARE(lr.high, -1.0);
        QVERIFY(std::abs(lr.positionOf(1e-3) - 0.5) < 1e-12);
        QVERIFY(lr.positionOf(1e-5) > 0 && lr.positionOf(1e-1) < 1);
        QCOMPARE(lr.unitAt(lr.positionOf(1e-2)), -2.0);
        // Unset values are below all others, at a labelled tick.
        const AxisScale &momentum = figure->axis(u"momentum"_s)->scale;
        QVERIFY(momentum.hasUnset);
        QVERIFY(momentum.positionOf(std::nan("")) < momentum.positionOf(0.5) - 0.05);
        QCOMPARE(momentum.ticks(momentum.lowest(), momentum.highest(), 5).front().text, ui::unsetText());
    }

    void ticksAreRound()
    {
        const FigurePtr figure = m_sweep.figure();
        const auto ticks = [&figure](const QString &id, int most) {
            const AxisScale &scale = figure->axis(id)->scale;
            return texts(scale.ticks(scale.lowest(), scale.highest(), most));
        };
        QCOMPARE(ticks(u"lr"_s, 6), (QStringList{u"1e-05"_s, u"0.0001"_s, u"0.001"_s, u"0.01"_s, u"0.1"_s}));
        QCOMPARE(ticks(u"layers"_s, 20), (QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s, u"6"_s}));
        QCOMPARE(ticks(u"optimizer"_s, 5), (QStringList{u"adam"_s, u"sgd"_s, u"two words"_s}));
        for (const int most : {2, 3, 5, 8, 11})
            QVERIFY(ticks(u"lr"_s, most).size() <= most + 1);
    }

    void valuesWithManyDigitsAreNoTicks()
    {
        for (const double value : {512.0, 1024.0, 0.5, 0.001, 0.125, 3e-5, -20.0, 0.0})
            QVERIFY2(ui::isShort(value), qPrintable(QString::number(value)));
        for (const double value : {0.00031623, 0.0316227766, 1.0 / 3, 10.25})
            QVERIFY2(!ui::isShort(value), qPrintable(QString::number(value)));
        AxisScale scale = ui::scaleOf({1e-4, 1e-2}, true);
        scale.marks = {1e-4, 1e-3, 1e-2};
        QCOMPARE(texts(scale.ticks(scale.lowest(), scale.highest(), 4)),
                 (QStringList{u"0.0001"_s, u"0.001"_s, u"0.01"_s}));
        scale.marks = {1e-4, 0.00031623, 1e-2};
        QCOMPARE(texts(scale.ticks(scale.lowest(), scale.highest(), 4)),
                 (QStringList{u"0.0001"_s, u"0.001"_s, u"0.01"_s}));
    }

    void valuesOfAnySizeHaveAnAxis()
    {
        for (const double largest : {1.0, 1e240, 1e300, 1.7e308, 1e-310}) {
            for (const double lowest : {0.0, -largest}) {
                const AxisScale scale = ui::scaleOf({lowest, largest / 2, largest}, false);
                QVERIFY(QCPRange::validRange(scale.lowest(), scale.highest()));
                QVERIFY(std::abs(scale.valueAt(scale.unitOf(largest)) / largest - 1) < 1e-12);
                const double low = scale.positionOf(lowest);
                const double high = scale.positionOf(largest);
                QVERIFY(low > 0 && low < 0.1 && high > 0.9 && high < 1);
                QVERIFY(scale.ticks(scale.lowest(), scale.highest(), 5).size() >= 2);
            }
        }
    }

    void singleValueHasAnAxis()
    {
        const AxisScale one = ui::scaleOf({0.25}, false);
        QVERIFY(one.low < 0.25 && one.high > 0.25);
        QVERIFY(std::abs(one.positionOf(0.25) - 0.5) < 1e-9);
        const AxisScale zero = ui::scaleOf({0.0, 0.0}, true);
        QCOMPARE(zero.scale, analysis::Scale::Linear);  // 0 has no logarithm
        QVERIFY(std::isfinite(zero.positionOf(0)));
    }

    void valuesThatDifferByRoundingHaveAnAxis_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("0.3") << 0.3 << 0.1 + 0.2 << false;
        QTest::newRow("0.3, logarithmic") << 0.3 << 0.1 + 0.2 << true;
        QTest::newRow("1, logarithmic") << 1.0 << std::nextafter(1.0, 2) << true;
        QTest::newRow("negative") << std::nextafter(-1e17, -1e18) << -1e17 << false;
    }
    void valuesThatDifferByRoundingHaveAnAxis()
    {
        QFETCH(const double, low);
        QFETCH(const double, high);
        QFETCH(const bool, logarithmic);
        QVERIFY(low < high);
        const AxisScale scale = ui::scaleOf({low, high}, logarithmic);
        QVERIFY(std::abs(scale.positionOf(low) - scale.positionOf(high)) < 1e-6);
        QVERIFY(std::abs(scale.positionOf(low) - 0.5) < 1e-6);
        const auto ticks = scale.ticks(scale.lowest(), scale.highest(), 5);
        QVERIFY(ticks.size() >= 2 && ticks.size() <= 6);
        // Zooming into a part of an axis without values has no effect either.
        AxisScale wide = scale;
        wide.low -= 100;
        wide.high += 100;
        QVERIFY(wide.ticks(wide.unitOf(low), wide.unitOf(high), 5).size() <= 6);
        QVERIFY(wide.ticks(wide.highest(), wide.highest() + 1, 5).empty());
    }

    /// Losses that float32 distinguishes are not rounded together.
    void closeValuesAreDistinct()
    {
        const AxisScale scale = ui::scaleOf({0.3, 0.3 + 1e-7}, false);
        QVERIFY(scale.positionOf(0.3 + 1e-7) - scale.positionOf(0.3) > 0.8);
    }

    void bestTrialHasTheBestShade()
    {
        const FigurePtr figure = m_sweep.figure();
        QCOMPARE(figure->best, figure->fromWorst.back());
        QCOMPARE(figure->shades[static_cast<std::size_t>(figure->best)], 0.F);
        QCOMPARE(figure->shades[static_cast<std::size_t>(figure->fromWorst.front())], 1.F);
        for (std::size_t i = 1; i < figure->bestSoFar.size(); ++i)
            QVERIFY(figure->bestSoFar[i] <= figure->bestSoFar[i - 1]);
        QCOMPARE(figure->bestSoFar.back(), figure->values.values[static_cast<std::size_t>(figure->best)]);
    }

    void firstOfEqualTrialsIsTheBest()
    {
        AnalysedSweep sweep(60);
        for (sweep::TrialRecord &trial : sweep.trials) {
            if (trial.objectiveBest)
                trial.objectiveBest->value = trial.number % 3 == 0 ? 0.5 : 0.7;
        }
        const FigurePtr figure = sweep.figure();
        QCOMPARE(figure->fromWorst.back(), figure->best);
        QCOMPARE(figure->best, figure->values.bestRow());
    }
};

SWEEPSCOPE_TEST(AxisScaleTest)
#include "tst_axisscale.moc"
