#include "testprogram.h"

#include "diagnosis/rule.h"
#include "ui/examination/findingplot.h"
#include "ui/probe/probeplot.h"
#include "unit/findings/samplefindings.h"

#include <QPainter>
#include <QTest>

#include <cmath>
#include <deque>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using tests::finding;
using tests::second;
using tests::start;

namespace {

/// Ranks that report a loss; one reports NaN from some step on.
struct Run {
    std::deque<series::Series> series;
    diagnosis::AttemptEvidence evidence;

    explicit Run(int ranks, int badRank, int badStep)
    {
        evidence.trial = 3;
        evidence.attempt = 1;
        for (int rank = 0; rank < ranks; ++rank) {
            series::Series &loss = series.emplace_back("loss", "");
            for (int step = 0; step < 200; ++step)
                loss.append({step, start + step * second,
                             rank == badRank && step >= badStep ? std::nan("") : 1.0 / (step + 1) + 0.001 * rank});
            evidence.ranks.emplace_back();
            evidence.ranks.back().rank = rank;
            evidence.ranks.back().curves = {&loss};
        }
    }
};

}  // namespace

class FindingPlotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plotHasTheNamedRankAndTheOthers()
    {
        const Run run(3, 1, 50);
        const diagnosis::Report report = diagnosis::diagnose(run.evidence);
        QCOMPARE(report.findings.size(), std::size_t(1));
        QCOMPARE(report.findings[0].rule, std::string("not-finite"));
        const FindingPlot plot = makePlot(report.findings[0], run.evidence);
        QCOMPARE(plot.series, u"loss"_s);
        QCOMPARE(plot.others.size(), std::size_t(2));
        QVERIFY(std::ranges::any_of(plot.main, [](const PlotColumn &column) { return column.notFinite; }));
        QVERIFY(std::ranges::none_of(plot.others[0], [](const PlotColumn &column) { return column.notFinite; }));
        QVERIFY(plot.windowFrom > 0 && plot.windowFrom <= plot.windowTo && plot.windowTo < 1);
        QVERIFY(plot.main.size() <= 160);
        for (const PlotColumn &column : plot.main)
            QVERIFY(column.at >= 0 && column.at <= 1);
    }

    void plotOfAGpuHasItsReadings()
    {
        diagnosis::AttemptEvidence evidence;
        for (const char *id : {"GPU-a", "GPU-b"}) {
            evidence.gpus.push_back({id, 0, false, {}});
            for (int i = 0; i < 100; ++i) {
                diagnosis::GpuRow row;
                row.time = start + i * second;
                row.smClock = i < 50 ? 1980 : 900;
                evidence.gpus.back().rows.push_back(row);
            }
        }
        diagnosis::Finding one = finding(1, "thermal-throttle", 50);
        one.device = "GPU-b";
        const FindingPlot plot = makePlot(one, evidence);
        QCOMPARE(plot.series, u"SM clock"_s);
        QCOMPARE(plot.others.size(), std::size_t(1));
        QCOMPARE(plot.main.front().high, 1980.F);
        QCOMPARE(plot.main.back().low, 900.F);
        QCOMPARE(valueRange(plot), std::optional(std::pair(900.0, 1980.0)));
        QVERIFY(!valueRange({}));
        QVERIFY2(makePlot(finding(1, "monitor-cost", 0), evidence).isEmpty(), "nothing shows it");
        QVERIFY2(makePlot(finding(1, "straggler", 0), evidence).isEmpty(), "no rank reports it");
    }

    void curveIsDrawnAtItsValue()
    {
        FindingPlot plot;
        plot.series = u"loss"_s;
        plot.to = second;
        for (int i = 0; i <= 100; ++i)
            plot.main.push_back({static_cast<float>(i) / 100, i < 50 ? 0.F : 1.F, i < 50 ? 0.F : 1.F, false});
        QImage picture(200, 60, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPalette palette;
        palette.setColor(QPalette::Link, Qt::red);
        QPainter painter(&picture);
        paintPlot(&painter, QRectF(0, 0, 200, 60), plot, palette);
        painter.end();
        const auto isRed = [&picture](int x, int y) {
            const QColor color = picture.pixelColor(x, y);
            return color.red() > 200 && color.green() < 120;
        };
        QVERIFY(isRed(150, 3) && !isRed(150, 57));
        QVERIFY(isRed(50, 57) && !isRed(50, 3));
    }

    void probeIsDrawnUpToItsLastMeasurement()
    {
        diagnosis::BatchProbe probe;
        probe.parameter = "batch_size";
        for (const double value : {16.0, 32.0, 64.0, 128.0, 256.0}) {
            diagnosis::BatchMeasurement measurement;
            measurement.value = value;
            measurement.outOfMemory = value == 128;
            if (value < 128)
                measurement.samplesPerSecond = 10 * value;
            probe.measurements.push_back(measurement);
        }
        diagnosis::suggestBatch(probe);
        QCOMPARE(probe.knee, 64.0);
        ProbePlot plot;
        plot.resize(900, 200);
        plot.setProbe(probe);
        QCOMPARE(plot.axisRectCount(), 3);
        const auto *throughput = qobject_cast<QCPGraph *>(plot.plottable(0));
        QCOMPARE(throughput->dataCount(), 3);
        QCOMPARE(throughput->data()->at(2)->value, 640.0);
        const auto *proposed = qobject_cast<QCPGraph *>(plot.plottable(1));
        QCOMPARE(proposed->dataCount(), 1);
        QCOMPARE(proposed->data()->at(0)->key, 2.0);
        auto *ticker = dynamic_cast<QCPAxisTickerText *>(plot.axisRect(0)->axis(QCPAxis::atBottom)->ticker().data());
        QVERIFY(ticker != nullptr);
        QCOMPARE(ticker->ticks().last(), u"128"_s);  // 256 was not tried
        int bands = 0;
        for (int i = 0; i < plot.itemCount(); ++i)
            bands += qobject_cast<QCPItemRect *>(plot.item(i)) != nullptr ? 1 : 0;
        QCOMPARE(bands, 3);
        plot.setProbe({});
        QCOMPARE(plot.itemCount(), 0);
    }
};

SWEEPSCOPE_TEST(FindingPlotTest)
#include "tst_findingplot.moc"
