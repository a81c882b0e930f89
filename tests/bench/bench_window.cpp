// What the user waits for, with the real window on a desktop of 1600x1000, a connection to an engine, and files:
//   start_ms      from the start of a process to the first paint of its window
//   open_ms       from choosing a sweep whose feeds have 1 GB to all curves of its trial
//   filter_ms     from a change of the filter over 10,000 trials to the painted table: the slowest of several;
//                 sort_ms, group_ms and compare_ms likewise
//   analysis_ms   from opening the Analysis page on 10,000 trials with 8 parameters to everything drawn;
//                 analysis_frame_ms: how long the window's thread was busy for its slowest frame meanwhile, as below
//   brush_ms      from a change of a range there to the painted page: the slowest of several, brush_cpu_ms: its CPU
//                 time; brush_lines_ms: until each line is drawn; lines_cpu_ms: the time to draw them on a thread
//   frame_p99_ms  how long the window's thread was busy for each frame of the Live page, while 64 ranks write 1,000
//                 points/s each; frame_cpu_p99_ms: its processor time, for a machine with other work;
//                 tiled_frame_…: the same next to the tiles of 64 running trials
//   curves_first_ms  from showing the curves of 10,000 trials of 300 points to the first of them, curves_all_ms: to all;
//                 all_trials_frame_p99_ms: how long the window's thread was busy for each frame, while 3,000 of them
//                 are zoomed and pointed at; all_trials_frame_cpu_p99_ms: its processor time
//   picture_stall_ms  the longest time without a response from the window while a picture of all these lines is saved
// SWEEPSCOPE_BENCH_TRIALS, _MEGABYTES, _RANKS and _SECONDS make it smaller. A measurement that fails ends the program
// with an error.
#include "bench/frameclock.h"
#include "bench/windowscene.h"
#include "ui/analysis/analysispage.h"
#include "ui/analysis/parallelview.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiles.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/overviewfeeds.h"
#include "ui/plot/picturesaver.h"
#include "ui/trials/comparisonpanel.h"
#include "ui/trials/trialtable.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QMouseEvent>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <ctime>
#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::bench;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// Notifies the parent when the window is painted for the first time, and ends.
class FirstPaint : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, qApp, [] {
                std::puts("painted");
                std::fflush(stdout);
                QCoreApplication::exit(0);
            });
        return false;
    }
};

int showFirstWindow(const QString &workspace)
{
    QSettings settings(workspace + u"/window.ini"_s, QSettings::IniFormat);
    Theme theme(qApp);
    protocol::EngineClient client;
    MainWindow window(&client, &theme, &settings);
    FirstPaint firstPaint;
    window.centralWidget()->installEventFilter(&firstPaint);
    window.begin({});
    window.show();
    client.connectToWorkspace(workspace, false);
    return QApplication::exec();
}

std::unique_ptr<WindowScene> scene;

void start(benchmark::State &state)
{
    double longest = 0;
    for (auto _ : state) {
        for (int i = 0; i < 3; ++i) {
            QElapsedTimer time;
            time.start();
            Child child(u"--first-window"_s, scene->folder.path());
            if (!child.process.waitForReadyRead(patienceMs)) {
                std::fprintf(stderr, "bench_window: no first window\n");
                std::_Exit(1);
            }
            longest =
                i == 0 ? static_cast<double>(time.elapsed()) : std::min(longest, static_cast<double>(time.elapsed()));
        }
    }
    state.counters["start_ms"] = longest;
}

void open(benchmark::State &state)
{
    double milliseconds = 0;
    for (auto _ : state) {
        scene->window->selection().selectSweep(tableSweep);
        scene->window->showPage(MainWindow::Page::Live);
        run(500);
        QElapsedTimer time;
        time.start();
        scene->window->selection().selectSweep(largeSweep);
        waitUntil("the curves of the large sweep", [] { return scene->isDrawn(*scene->large, largeRanks); });
        milliseconds = static_cast<double>(time.elapsed());
    }
    state.counters["open_ms"] = milliseconds;
}

void filter(benchmark::State &state)
{
    scene->showTable();
    auto *line = scene->find<QLineEdit>(u"trialsFilter"_s);
    line->setFocus();  // as before typing
    run(500);
    std::vector<std::function<void()>> texts;
    for (const QString &text : {u"lr < 0.01"_s, u"adamw"_s, u"illegal memory"_s, u"lr > 1e-3 and state = failed"_s,
                                u"(hidden = 64 or dropout > 0.3) and not optimizer = sgd"_s, u"best > 0.85"_s,
                                u"val_loss < 1 and max.loss > 2"_s, u""_s})
        texts.emplace_back([line, text] { line->setText(text); });
    double slowest = 0;
    for (auto _ : state)
        slowest = scene->slowest(texts);
    if (scene->table()->model()->rowCount() != scale().trials)
        std::_Exit(1);
    state.counters["filter_ms"] = slowest;
}

void sortTable(benchmark::State &state)
{
    scene->showTable();
    std::vector<std::function<void()>> actions;
    for (const int column : {2, 4, 8, 0})
        actions.emplace_back([column] { scene->table()->sortByColumn(column, Qt::DescendingOrder); });
    for (auto _ : state)
        state.counters["sort_ms"] = scene->slowest(actions);
}

void group(benchmark::State &state)
{
    scene->showTable();
    auto *groups = scene->find<QComboBox>(u"trialsGroup"_s);
    std::vector<std::function<void()>> actions;
    for (int index = groups->count() - 1; index >= 0; --index)
        actions.emplace_back([groups, index] { groups->setCurrentIndex(index); });
    for (auto _ : state)
        state.counters["group_ms"] = scene->slowest(actions);
}

/// Selects all trials and shows their comparison.
void compare(benchmark::State &state)
{
    scene->showTable();
    auto *button = scene->find<QToolButton>(u"trialsCurves"_s);
    for (auto _ : state)
        state.counters["compare_ms"] =
            scene->slowest({[button] { button->setChecked(true); }, [] { scene->table()->selectAll(); },
                            [button] { button->setChecked(false); }});
}

/// Processor time of this thread, independent of other work on the machine.
class ThreadCpu {
public:
    double milliseconds() const { return now() - m_begin; }

private:
    static double now()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }
    double m_begin = now();
};

/// Returns the longest time in milliseconds without an iteration of the event loop while a picture is saved.
double longestStall(PictureSaver *pictures)
{
    const QString file = scene->folder.filePath(u"plot.png"_s);
    double longest = 0;
    QElapsedTimer sinceTurn;
    sinceTurn.start();
    const auto turn = [&] { longest = std::max(longest, static_cast<double>(sinceTurn.nsecsElapsed()) * 1e-6); };
    pictures->save(file);
    turn();
    QTimer heartbeat;
    heartbeat.start(1);
    while (pictures->isBusy()) {
        sinceTurn.start();
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        turn();
    }
    if (!QFile::exists(file))
        std::_Exit(1);
    return longest;
}

void analyse(benchmark::State &state)
{
    scene->window->selection().selectSweep(tableSweep);
    scene->window->showPage(MainWindow::Page::Trials);
    auto *page = scene->window->findChild<AnalysisPage *>();
    auto *view = scene->window->findChild<ParallelView *>();
    const auto isSettled = [page] { return page->isSettled(); };
    run(500);
    const FrameClock opening(view);
    QElapsedTimer time;
    for (auto _ : state) {
        time.start();
        QTimer::singleShot(0, scene->window.get(), [] { scene->window->showPage(MainWindow::Page::Analysis); });
        // In a loop that blocks, as FrameClock requires.
        while (!isSettled() && time.elapsed() < patienceMs)
            run(1);
        state.counters["analysis_ms"] = static_cast<double>(time.elapsed());
    }
    run(100);
    state.counters["analysis_frame_ms"] = opening.wall(1);
    state.counters["analysis_frame_cpu_ms"] = opening.cpu(1);
    if (!isSettled())
        std::_Exit(1);
    if (page->figure()->values.parameters.size() != 8)
        std::_Exit(1);
    double slowest = 0;
    double lines = 0;
    double slowestCpu = 0;
    for (const double low : {0.1, 0.2, 0.3, 0.4, 0.5}) {
        time.start();
        const ThreadCpu busyFor;
        view->setRange(u"lr"_s, low, low + 0.3);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        view->repaint();
        slowest = std::max(slowest, static_cast<double>(time.nsecsElapsed()) * 1e-6);
        slowestCpu = std::max(slowestCpu, busyFor.milliseconds());
        waitUntil("the lines", isSettled);
        lines = std::max(lines, static_cast<double>(time.nsecsElapsed()) * 1e-6);
    }
    const ThreadCpu cpu;
    const QImage all = linesImage({.figure = page->figure(),
                                   .places = view->places(),
                                   .within = view->within(),
                                   .size = view->size(),
                                   .ratio = 1,
                                   .onDark = false,
                                   .faint = Qt::gray,
                                   .most = 0},
                                  [](double) { return true; });
    state.counters["lines_cpu_ms"] = cpu.milliseconds();
    if (all.isNull())
        std::_Exit(1);
    state.counters["brush_ms"] = slowest;
    state.counters["brush_cpu_ms"] = slowestCpu;
    state.counters["brush_lines_ms"] = lines;
    view->clearRanges();
    state.counters["picture_stall_ms"] = longestStall(page->pictures());
}

/// Gives each trial of the table the same curve, each in a separate file.
void writeCurves()
{
    const std::filesystem::path workspace = scene->folder.path().toStdString();
    const auto feedOf = [&](int trial) {
        return AttemptLayout{attemptFolder(workspace, tableSweep, trial)}.rankFeed(0);
    };
    constexpr int points = 300;
    std::filesystem::create_directories(feedOf(1).parent_path());
    {
        const Ranks first(feedOf(1).parent_path(), 1, points);
    }
    for (int trial = 2; trial <= scale().trials; ++trial) {
        std::filesystem::create_directories(feedOf(trial).parent_path());
        std::filesystem::copy_file(feedOf(1), feedOf(trial));
    }
}

void curves(benchmark::State &state)
{
    constexpr std::size_t fewer = 3000;
    writeCurves();
    scene->showTable();
    auto *button = scene->find<QToolButton>(u"trialsCurves"_s);
    auto *plot = scene->find<QWidget>(u"comparisonPlots"_s)->findChild<LivePlot *>();
    QElapsedTimer time;
    for (auto _ : state) {
        time.start();
        button->setChecked(true);
        waitUntil("the first curves", [plot] { return !plot->frame().main.curves.empty(); });
        state.counters["curves_first_ms"] = static_cast<double>(time.elapsed());
        waitUntil("all curves", [plot] {
            return plot->frame().main.curves.size() == static_cast<std::size_t>(scale().trials)
                   && plot->frame().missingCurves == 0;
        });
        state.counters["curves_all_ms"] = static_cast<double>(time.elapsed());

        scene->find<QLineEdit>(u"trialsFilter"_s)->setText(u"trial <= %1"_s.arg(fewer));
        waitUntil("fewer curves",
                  [plot] { return plot->frame().main.curves.size() <= fewer && plot->frame().missingCurves == 0; });
        run(500);
        FrameClock clock(plot);
        constexpr int rounds = 50;
        for (int round = 0; round < rounds; ++round) {
            const QPointF place = plot->panes()[0]->area()->rect().center() + QPoint(round * 3, round * 2);
            QWheelEvent wheel(place, plot->mapToGlobal(place), {}, QPoint(0, round % 2 == 0 ? 120 : -120), Qt::NoButton,
                              Qt::ControlModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(plot, &wheel);
            run(100);
            QMouseEvent move(QEvent::MouseMove, place, plot->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                             Qt::NoModifier);
            QCoreApplication::sendEvent(plot, &move);
            run(100);
        }
        state.counters["all_trials_frame_p99_ms"] = clock.wall(0.99);
        state.counters["all_trials_frame_p50_ms"] = clock.wall(0.5);
        state.counters["all_trials_frame_cpu_p99_ms"] = clock.cpu(0.99);
    }
    button->setChecked(false);
    scene->find<QLineEdit>(u"trialsFilter"_s)->clear();
}

/// While all ranks of the streaming sweep write; `name`: the prefix of the counters.
void measureFrames(benchmark::State &state, const std::string &name)
{
    scene->window->selection().selectSweep(streamingSweep);
    scene->window->showPage(MainWindow::Page::Live);
    scene->streaming->start();
    waitUntil("the curves of the streaming sweep",
              [] { return static_cast<int>(scene->livePlot()->frame().main.curves.size()) == scale().streamingRanks; });
    FrameClock clock(scene->livePlot());
    run(1000);
    clock.clear();
    const int seconds = setting("SWEEPSCOPE_BENCH_SECONDS", 10);
    for (auto _ : state)
        run(seconds * 1000);
    scene->streaming->stop();
    if (clock.count() == 0) {
        std::fprintf(stderr, "bench_window: nothing was painted\n");
        std::_Exit(1);
    }
    state.counters[name + "_p99_ms"] = clock.wall(0.99);
    state.counters[name + "_p50_ms"] = clock.wall(0.5);
    state.counters[name + "_cpu_p99_ms"] = clock.cpu(0.99);
    state.counters[name == "frame" ? "frames_per_s" : name + "s_per_s"] = static_cast<double>(clock.count()) / seconds;
}

void frames(benchmark::State &state)
{
    measureFrames(state, "frame");
}

/// Shows as many running trials as the sweep has ranks; each tile changes every second.
void framesWithTiles(benchmark::State &state)
{
    scene->window->selection().selectSweep(streamingSweep);
    scene->window->showPage(MainWindow::Page::Live);
    auto *tiles = scene->find<TrialTiles>(u"trialTiles"_s);
    waitUntil("the tile of the streaming sweep", [tiles] { return tiles->trialsModel()->rowCount() == 1; });
    std::vector<RunningTrial> trials;
    for (int number = 1; number <= scale().streamingRanks; ++number) {
        RunningTrial trial;
        trial.trial = {streamingSweep, number};
        trial.state = sweep::TrialState::Running;
        trial.devices = u"core %1"_s.arg(number);
        trial.progress = 0.5;
        trials.push_back(trial);
    }
    tiles->trialsModel()->setTrials(trials);
    PlotFrame frame;
    std::int64_t step = 0;
    const auto change = [&] {
        ++step;
        frame.main.curves.clear();
        for (const RunningTrial &trial : trials) {
            PlotCurve curve;
            curve.name = OverviewFeeds::curveName(trial.trial.sweepId, trial.trial.trial);
            curve.pace = TrialPace{step, wallNow(), 52.0};
            for (int x = 0; x < 96; ++x) {
                series::Column column;
                column.x = x;
                column.min = column.max = column.mean = static_cast<double>((x * 37 + step * trial.trial.trial) % 101);
                curve.columns.push_back(column);
            }
            frame.main.curves.push_back(std::move(curve));
        }
        tiles->trialsModel()->setFrame(frame, wallNow());
    };
    QTimer everySecond;
    QObject::connect(&everySecond, &QTimer::timeout, change);
    everySecond.start(1000);
    change();
    measureFrames(state, "tiled_frame");
}

}  // namespace

BENCHMARK(start)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(open)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(filter)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(sortTable)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(group)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(curves)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(compare)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(analyse)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(frames)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(framesWithTiles)->Iterations(1)->Unit(benchmark::kMillisecond);

int main(int argc, char **argv)
{
    const std::string task = argc == 3 ? argv[1] : "";
    if (task == "--serve") {
        QCoreApplication application(argc, argv);
        return serveRecorded(argv[2], scale());
    }
    if (!std::getenv("QT_QPA_PLATFORM"))
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    ::setenv("QT_NO_GLIB", "1", 1);  // GLib's loop does not report when it waits
    if (task == "--first-window") {
        QApplication application(argc, argv);
        return showFirstWindow(QString::fromLocal8Bit(argv[2]));
    }
    benchmark::Initialize(&argc, argv);
    QApplication application(argc, argv);
    scene = std::make_unique<WindowScene>();
    benchmark::RunSpecifiedBenchmarks();
    scene.reset();
    benchmark::Shutdown();
}
