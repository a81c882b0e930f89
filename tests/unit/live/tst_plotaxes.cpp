#include "plotfixture.h"
#include "testprogram.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

/// The labels of the axes, and how they follow the data and the available space.
class PlotAxesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherSeriesGetsASeparateAxis()
    {
        Plot p;
        p.show(frameOf(100));
        p.plot.setXRange(QCPRange(start + 10, start + 50));
        p.show(frameOf(100));
        p.plot.setYRange(p.curves(), QCPRange(0.2, 0.3));
        PlotFrame other = frameOf(100);
        other.main.id = QStringLiteral("samples_per_second");
        for (series::Column &column : other.main.curves[0].columns)
            column.first = column.min = column.max = column.last = 5000;
        p.show(other);
        QVERIFY(p.curves().yAxis()->range().contains(5000));
        QCOMPARE(p.plot.xRange().upper, start + 50);
    }

    void aPlotWithoutValuesHasNoNumbersAtItsAxis()
    {
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        Plot p;
        p.show(frame);
        QVERIFY(p.plot.panes()[1]->yAxis()->tickLabels());
        frame.strips[0].curves[0].columns.clear();
        p.show(frame);
        QVERIFY(p.plot.panes()[0]->yAxis()->tickLabels());
        QVERIFY(!p.plot.panes()[1]->yAxis()->tickLabels());
    }

    void followingViewGrowsWithTheData()
    {
        Plot p;
        QVERIFY(p.plot.isFollowing());
        const QCPRange before = p.plot.xRange();
        p.show(frameOf(200));
        QCOMPARE(p.plot.xRange().lower, before.lower);
        QVERIFY(p.plot.xRange().upper >= start + 200);
    }

    void unitsAreReadable()
    {
        QCOMPARE(valueText(0.0123, displayUnit(QStringLiteral("s"), 0.0123)), QStringLiteral("12.3\u202fms"));
        QCOMPARE(valueText(8.0 * 1024 * 1024 * 1024, displayUnit(QStringLiteral("B"), 8e9)),
                 QStringLiteral("8\u202fGiB"));
        QCOMPARE(valueText(87.5, displayUnit(QStringLiteral("%"), 100)), QStringLiteral("87.5%"));
        QCOMPARE(valueText(notANumber, {}), QStringLiteral("NaN"));
    }

    void valuesInAColumnHaveEquallyManyDecimals()
    {
        const DisplayUnit percent = displayUnit(QStringLiteral("%"), 12);
        QCOMPARE(commonDecimals({12, 9.98}, percent, 4), std::optional(0));
        QCOMPARE(commonDecimals({12, 9.94}, percent, 4), std::optional(1));
        QCOMPARE(valueText(12, percent, 4, 1), QStringLiteral("12.0%"));
        QCOMPARE(commonDecimals({12, 9}, percent, 4), std::optional(0));
        QCOMPARE(commonDecimals({1e-308, 2e-5}, {}, 5), std::optional<int>());  // they need exponents
        QCOMPARE(commonDecimals({0.25, 0.5}, {}, 4), std::optional(2));
        QCOMPARE(commonDecimals({1234.5, 0}, {}, 4), std::optional(0));
        QVERIFY2(!commonDecimals({2.5, 3e-5}, {}, 4), "nothing would be left of the small one");
        QVERIFY(!commonDecimals({3e9}, {}, 4));
        QCOMPARE(commonDecimals({}, {}, 4), std::optional(0));
    }

    void stepTicksAreEvenlySpacedIntegers()
    {
        StepTicker ticker;
        ticker.setTickCount(7);
        QVector<double> ticks;
        QVector<QString> labels;
        ticker.generate(QCPRange(0, 18), QLocale::c(), u'g', 6, ticks, nullptr, &labels);
        QVERIFY(ticks.size() > 3);
        for (qsizetype i = 0; i < ticks.size(); ++i) {
            QCOMPARE(ticks[i], std::round(ticks[i]));
            QCOMPARE(labels[i], QString::number(ticks[i]));
        }
    }

    void timeTicksAreRound_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("one");
        QTest::newRow("seconds") << 0.0 << 35.0 << QStringLiteral("0:10");
        QTest::newRow("minutes") << 0.0 << 600.0 << QStringLiteral("4:00");
        QTest::newRow("hours") << 0.0 << 36000.0 << QStringLiteral("2:00:00");
        QTest::newRow("parts") << 3.0 << 3.2 << QStringLiteral("0:03.10");
    }
    void timeTicksAreRound()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(QString, one);
        TimeTicker ticker;
        ticker.setRelativeTo(start);
        QVector<double> ticks;
        QVector<QString> labels;
        ticker.generate(QCPRange(start + from, start + to), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
        QVERIFY2(labels.contains(one), qPrintable(labels.join(QLatin1Char(' '))));
        QVERIFY(labels.size() >= 4 && labels.size() <= 11);
    }

    void labelsAdaptToTheAvailableSpace()
    {
        Plot p;
        p.show(frameOf(100));
        QTRY_COMPARE(p.plot.timeTicker().tickCount(), 7);
        p.plot.resize(3600, 500);
        p.show(frameOf(100));
        QTRY_VERIFY(p.plot.timeTicker().tickCount() >= 12);
        p.plot.resize(300, 500);
        p.show(frameOf(100));
        QTRY_VERIFY(p.plot.timeTicker().tickCount() < 7);
    }
};

SWEEPSCOPE_TEST(PlotAxesTest)
#include "tst_plotaxes.moc"
