#include "diagnosis/rule.h"
#include "feed/logwriter.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "ui/findings/findingdelegate.h"
#include "ui/findings/findingplot.h"
#include "ui/findings/findingsmodel.h"
#include "ui/findings/findingspage.h"
#include "ui/findings/findingwords.h"
#include "ui/findings/findingworker.h"
#include "ui/findings/probeplot.h"
#include "ui/findings/rulesmodel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <deque>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr WallNs second = 1'000'000'000;
constexpr WallNs start = 1'763'674'200 * second;
constexpr int patience = 60'000;

/// Ranks that report a loss, one of which has NaN from some step on.
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
                             rank == badRank && step >= badStep ? std::nan("") : 1.0 / (step + 1)});
            evidence.ranks.emplace_back();
            evidence.ranks.back().rank = rank;
            evidence.ranks.back().curves = {&loss};
        }
    }
};

diagnosis::Finding finding(int trial, const std::string &rule, int at,
                           diagnosis::Severity severity = diagnosis::Severity::Warning)
{
    diagnosis::Finding one;
    one.rule = rule;
    one.severity = severity;
    one.trial = trial;
    one.attempt = 1;
    one.rank = 2;
    one.window = {start + at * second, start + (at + 10) * second, 120, 480};
    one.value = 38;
    one.threshold = 15;
    one.unit = "%";
    one.thresholdSource = "somebody's";
    one.sentence = "rank 2 computes longer";
    one.hint = "look at its node";
    return one;
}

ExaminedAttempt attempt(int trial, const std::vector<diagnosis::Finding> &findings)
{
    ExaminedAttempt examined{trial, 1, {}, {}, {}};
    for (const diagnosis::Finding &one : findings)
        examined.findings.push_back({one, {}, false});
    return examined;
}

QStringList rulesOf(const FindingsModel &model)
{
    QStringList rules;
    for (int row = 0; row < model.rowCount(); ++row)
        rules << QString::fromStdString(model.finding(row).finding.rule);
    return rules;
}

/// The files of an attempt whose loss is not finite from the fifth step on.
void writeAttempt(const AttemptLayout &layout, bool ended)
{
    QDir().mkpath(QString::fromStdString(layout.folder.string()));
    launch::LaunchSpec spec;
    spec.attemptId = "1-1-1";
    spec.argv = {"true"};
    spec.workingFolder = "/";
    spec.devices = {{"cpu:0"}};
    QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
    auto events = launch::AttemptEventLog::open(layout.eventsFile());
    QVERIFY(events);
    launch::AttemptEvent event;
    event.time = start;
    QVERIFY(events->append(event));
    auto feed = feed::LogWriter::open(layout.rankFeed(0), {0, 1, start, "1-1-1"});
    QVERIFY(feed);
    const auto loss = feed->declare("loss", "");
    for (int step = 0; step < 30; ++step)
        feed->write(loss, step, start + step * second, step < 5 ? 1.0 : std::nan(""));
    QVERIFY(feed->flush());
    event.kind = launch::AttemptEventKind::Ended;
    event.time = start + 30 * second;
    if (ended)
        QVERIFY(events->append(event));
}

sweep::TrialRecord record(int number, sweep::TrialState state)
{
    sweep::TrialRecord trial;
    trial.sweepId = 1;
    trial.number = number;
    trial.attempts = 1;
    trial.state = state;
    return trial;
}

}  // namespace

class FindingsTest : public QObject {
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

    void curveIsWhereItsValueIs()
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

    void newestFindingIsFirstAndAnAttemptIsReplaced()
    {
        FindingsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAttempt(attempt(1, {finding(1, "straggler", 10), finding(1, "data-wait", 30)}));
        model.setAttempt(attempt(2, {finding(2, "hang", 20, diagnosis::Severity::Problem)}));
        QCOMPARE(rulesOf(model), QStringList({u"data-wait"_s, u"hang"_s, u"straggler"_s}));
        QCOMPARE(model.count(diagnosis::Severity::Warning), 2);
        QCOMPARE(model.count(diagnosis::Severity::Problem), 1);

        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        diagnosis::Finding grown = finding(1, "straggler", 10);
        grown.sentence = "more";
        model.setAttempt(attempt(1, {grown}));
        QCOMPARE(rulesOf(model), QStringList({u"hang"_s, u"straggler"_s}));
        QCOMPARE(model.index(1).data().toString(), u"more"_s);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.index(0).data(FindingsModel::TrialRole).toInt(), 2);
        model.setAttempt(attempt(1, {}));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void oldestAreLeftOutWhereThereAreTooMany()
    {
        FindingsModel model;
        for (int trial = 1; trial <= FindingsModel::mostRows + 5; ++trial)
            model.setAttempt(attempt(trial, {finding(trial, "straggler", trial)}));
        QCOMPARE(model.rowCount(), FindingsModel::mostRows);
        QVERIFY(model.isFull());
        QCOMPARE(model.finding(0).finding.trial, FindingsModel::mostRows + 5);
    }

    void findingIsToldInWords()
    {
        ShownFinding shown{finding(3, "straggler", 0), {}, true};
        shown.finding.simulated = true;
        const QString text = findingText(shown, placeText(shown.finding, {}));
        for (const QString &part : {u"Warning"_s, u"straggler"_s, u"Trial 3"_s, u"rank 2"_s,
                                    u"rank 2 computes longer"_s, u"steps 120 to 480"_s, u"for 10 s"_s,
                                    u"38 %, threshold 15 % (somebody's)"_s, u"look at its node"_s, u"Simulated"_s})
            QVERIFY2(text.contains(part), qPrintable(part + u" is not in "_s + text));
        shown.finding.rank.reset();
        QVERIFY(placeText(shown.finding, {}).contains(u"all ranks"_s));
        const QList<QImage> icons = {severityIcon(diagnosis::Severity::Note).pixmap(16).toImage(),
                                     severityIcon(diagnosis::Severity::Warning).pixmap(16).toImage(),
                                     severityIcon(diagnosis::Severity::Problem).pixmap(16).toImage()};
        QVERIFY(!icons[0].isNull() && icons[0] != icons[1] && icons[1] != icons[2]);
    }

    void devicesAreNamedAsTheMachineNamesThem()
    {
        ShownFinding shown{finding(3, "thermal-throttle", 0), {}, false};
        shown.finding.device = "GPU-00000003-0000-0000-0000-000000000000";
        FindingsModel model;
        model.setAttempt(attempt(3, {shown.finding}));
        QVERIFY2(model.place(shown.finding).endsWith(u"· GPU-00000003…"_s), qPrintable(model.place(shown.finding)));
        client::DeviceStatus gpu;
        gpu.id = u"GPU-00000003-0000-0000-0000-000000000000"_s;
        gpu.gpu = true;
        gpu.index = 3;
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setMachine({gpu});
        QCOMPARE(changed.size(), 1);
        QVERIFY2(model.place(shown.finding).endsWith(u"· GPU 3"_s), qPrintable(model.place(shown.finding)));
        // The tool tip has what a person would look for elsewhere.
        QVERIFY(model.index(0).data(Qt::ToolTipRole).toString().contains(gpu.id));
        model.setMachine({gpu});
        QCOMPARE(changed.size(), 1);
    }

    void longSentenceTakesTheLinesItNeeds()
    {
        ShownFinding shown{finding(1, "straggler", 0), {}, false};
        FindingsModel model;
        model.setAttempt(attempt(1, {shown.finding}));
        ShownFinding wordy{finding(2, "straggler", 1), {}, false};
        for (int i = 0; i < 5; ++i)
            wordy.finding.sentence += " and goes on";
        model.setAttempt(attempt(2, {wordy.finding}));
        QListView view;
        view.setModel(&model);
        view.setItemDelegate(new FindingDelegate(&view));
        view.setResizeMode(QListView::Adjust);
        view.resize(680, 500);
        view.show();
        QCOMPARE(model.finding(0).finding.trial, 2);
        const auto height = [&view, &model](int row) { return view.visualRect(model.index(row)).height(); };
        QTRY_VERIFY(height(0) > height(1));
        view.resize(4000, 500);
        QTRY_COMPARE(height(0), height(1));
    }

    void rulesSayWhatTheyCannotTell()
    {
        RulesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto cell = [&model](const QString &rule, RulesModel::Column column) {
            for (int row = 0; row < model.rowCount(); ++row) {
                if (model.index(row, RulesModel::Rule).data() == rule)
                    return model.index(row, column).data().toString();
            }
            return QString();
        };
        QCOMPARE(model.rowCount(), static_cast<int>(diagnosis::rules().size()));
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"not looked at yet"_s);
        ExaminedAttempt one{1,
                            1,
                            {},
                            {{"straggler", diagnosis::Verdict::NotEnoughData, "no rank reports compute_time"},
                             {"hang", diagnosis::Verdict::Clear, {}}},
                            {}};
        model.setAttempt(one);
        one.trial = 2;
        model.setAttempt(one);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"not enough data in 2"_s);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Missing), u"no rank reports compute_time"_s);
        QCOMPARE(cell(u"hang"_s, RulesModel::Result), u"clear in 2"_s);
        QCOMPARE(model.blindRules(), 1);
        one.results = {{"straggler", diagnosis::Verdict::Found, {}}};
        model.setAttempt(one);
        QCOMPARE(cell(u"straggler"_s, RulesModel::Result), u"found in 1, not enough data in 1"_s);
        QCOMPARE(cell(u"hang"_s, RulesModel::Result), u"clear in 1"_s);
        model.clear();
        QCOMPARE(model.blindRules(), 0);
    }

    void endedAttemptsAreLookedAtOnceAndRunningOnesAgain()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.folder = "0001-s";
        writeAttempt(workspace.attempt(sweep.folder, 1, 1), true);
        writeAttempt(workspace.attempt(sweep.folder, 2, 1), false);

        FindingWorker worker;
        std::map<int, std::vector<std::shared_ptr<const ExaminedAttempt>>> seen;
        connect(&worker, &FindingWorker::attemptExamined, this,
                [&seen](const auto &examined) { seen[examined->trial].push_back(examined); });
        worker.setSweep(workspace, sweep);
        worker.setTrials({record(1, sweep::TrialState::Completed), record(2, sweep::TrialState::Running)});
        QCOMPARE(worker.attempts(), 2);
        QTest::qWait(0);
        QVERIFY2(seen.empty(), "nobody looks");
        worker.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(seen[1].size() == 1 && seen[2].size() == 1, patience);
        QCOMPARE(worker.examined(), 2);
        QVERIFY(seen[2][0]->findings[0].live && !seen[1][0]->findings[0].live);
        QCOMPARE(seen[1][0]->findings[0].finding.rule, std::string("not-finite"));
        QVERIFY(!seen[1][0]->findings[0].plot.isEmpty());
        QVERIFY(!seen[1][0]->results.empty());

        QTRY_VERIFY_WITH_TIMEOUT(seen[2].size() >= 2, patience);
        worker.setTrials({record(2, sweep::TrialState::Completed)});
        QTRY_VERIFY_WITH_TIMEOUT(!seen[2].back()->findings[0].live, patience);
        QCOMPARE(seen[1].size(), std::size_t(1));
    }

    void attemptThatOnlyStartsIsLookedAtWhenItHasEnded()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.folder = "0001-s";
        FindingWorker worker;
        std::vector<std::shared_ptr<const ExaminedAttempt>> seen;
        connect(&worker, &FindingWorker::attemptExamined, this,
                [&seen](const auto &examined) { seen.push_back(examined); });
        worker.setActive(true);
        worker.setSweep(workspace, sweep);
        worker.setTrials({record(1, sweep::TrialState::Starting)});
        QCOMPARE(worker.attempts(), 0);
        writeAttempt(workspace.attempt(sweep.folder, 1, 1), true);
        worker.setTrials({record(1, sweep::TrialState::Completed)});
        QTRY_VERIFY_WITH_TIMEOUT(!seen.empty(), patience);
        QVERIFY(!seen[0]->findings.empty());
    }

    void attemptWithoutFilesSaysSo()
    {
        QTemporaryDir folder;
        AttemptExaminer examiner(folder.filePath(u"devices.feed"_s).toStdString());
        const ExaminedAttempt examined = examiner.examine({{folder.path().toStdString()}, 4, 1, false}, start);
        QCOMPARE(examined.trial, 4);
        QVERIFY(!examined.problem.empty());
        QVERIFY(examined.findings.empty());
    }

    void listIsPaintedInEveryWidth()
    {
        FindingsModel model;
        model.setAttempt(attempt(1, {finding(1, "straggler", 10)}));
        QListView list;
        list.setModel(&model);
        list.setItemDelegate(new FindingDelegate(&list));
        for (const int width : {300, 1000}) {
            list.resize(width, 200);
            const QImage picture = list.grab().toImage();
            QVERIFY(!picture.isNull());
            QVERIFY(list.visualRect(model.index(0)).height() >= 4 * list.fontMetrics().height());
        }
    }

    void pageWithoutTrialsSaysWhatToDo()
    {
        client::EngineClient client;
        FindingsPage page(&client);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto saysWhatToDo = [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"press Start"_s);
        };
        QTRY_VERIFY(std::ranges::any_of(page.findChildren<QLabel *>(u"emptyHint"_s), saysWhatToDo));
    }

    void probeIsDrawnAsFarAsItWasMeasured()
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
        diagnosis::propose(probe);
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
        QCOMPARE(ticker->ticks().last(), u"128"_s);  // 256 was never tried
        int bands = 0;
        for (int i = 0; i < plot.itemCount(); ++i)
            bands += qobject_cast<QCPItemRect *>(plot.item(i)) != nullptr ? 1 : 0;
        QCOMPARE(bands, 3);
        plot.setProbe({});
        QCOMPARE(plot.itemCount(), 0);
    }
};

QTEST_MAIN(FindingsTest)
#include "tst_findings.moc"
