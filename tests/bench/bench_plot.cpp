// The cost of a frame of the live plots: the real widget at 1600x900, 64 ranks with a million points each, while
// another 64,000 points/s arrive. The thread of the window has one core; files are read and written on the others.
//   frame_p99_ms      how long the window's thread was busy per repaint of the plots, including all other work
//                     in between; frame_cpu_p99_ms: its processor time, for a machine with other work
//   frames_per_s      how often it painted
//   data_per_s        how often it got newer columns to paint; at most 25
//   data_gap_max_ms   the longest wait for them
//   idle_cpu_percent  of one core, when no more data arrives
// SWEEPSCOPE_BENCH_RANKS, SWEEPSCOPE_BENCH_POINTS (per rank) and SWEEPSCOPE_BENCH_SECONDS (per case) make it smaller.
#include "bench/frameclock.h"
#include "bench/streamingranks.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/trialplots.h"
#include "ui/plot/trialsource.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <pthread.h>
#include <random>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::bench;
using namespace sweepscope::ui;

namespace {

/// Measures how often the plots get new columns.
class DataClock : public QObject {
public:
    explicit DataClock(LivePlot *plot)
    {
        connect(plot, &LivePlot::updated, this, [this, plot] {
            if (&plot->frame() == m_frame)
                return;
            m_frame = &plot->frame();
            ++m_count;
            m_longest = std::max(m_longest, m_since.restart());
        });
    }

    void clear()
    {
        m_count = 0;
        m_longest = 0;
        m_since.start();
    }
    double count() const { return m_count; }
    double longestGapMs() const { return static_cast<double>(std::max(m_longest, m_since.elapsed())); }

private:
    const PlotFrame *m_frame = nullptr;
    int m_count = 0;
    qint64 m_longest = 0;
    QElapsedTimer m_since;
};

struct Scene {
    QTemporaryDir folder;
    Ranks ranks{folder.path().toStdString(), setting("SWEEPSCOPE_BENCH_RANKS", 64),
                setting("SWEEPSCOPE_BENCH_POINTS", 1'000'000)};
    TrialPlots plots;
    std::unique_ptr<FrameClock> clock;
    std::unique_ptr<DataClock> data;
    double loadSeconds = 0;

    Scene()
    {
        // The reading thread was created with the widget, and is not bound; from here on the window has the first core.
        const int cores = static_cast<int>(std::thread::hardware_concurrency());
        if (cores > 1)
            useCores(pthread_self(), 0, 0);
        plots.resize(1600, 900);
        plots.showSource(ranks.source());
        plots.show();
        clock = std::make_unique<FrameClock>(plots.plot());
        data = std::make_unique<DataClock>(plots.plot());
        QElapsedTimer loading;
        loading.start();
        const auto loaded = [this] {
            const auto &curves = plots.plot()->frame().main.curves;
            return !curves.empty() && std::all_of(curves.begin(), curves.end(), [this](const PlotCurve &curve) {
                return !curve.columns.empty() && curve.newest
                       && curve.columns.back().x > toSeconds(ranks.newest()) - 60;
            });
        };
        while (!loaded())
            run(10);
        loadSeconds = static_cast<double>(loading.elapsed()) * 1e-3;
        ranks.start();
    }

    static void run(int milliseconds)
    {
        QEventLoop loop;
        QTimer::singleShot(milliseconds, Qt::PreciseTimer, &loop, &QEventLoop::quit);
        loop.exec();
    }
    QPointF center() const { return plots.plot()->rect().center(); }
    void wheel(int notches)
    {
        QWheelEvent event(center(), plots.plot()->mapToGlobal(center()), {}, QPoint(0, 120 * notches), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plots.plot(), &event);
    }
    void hover(double x)
    {
        const QPointF at(x, center().y());
        QMouseEvent event(QEvent::MouseMove, at, plots.plot()->mapToGlobal(at), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(plots.plot(), &event);
    }
};

std::unique_ptr<Scene> scene;

void measure(benchmark::State &state, const std::function<void(int)> &act)
{
    const int seconds = setting("SWEEPSCOPE_BENCH_SECONDS", 10);
    for (auto _ : state) {
        Scene::run(500);
        scene->clock->clear();
        scene->data->clear();
        QElapsedTimer time;
        time.start();
        for (int i = 0; time.elapsed() < seconds * 1000; ++i) {
            act(i);
            Scene::run(16);
        }
    }
    state.counters["frame_p99_ms"] = scene->clock->wall(0.99);
    state.counters["frame_p50_ms"] = scene->clock->wall(0.5);
    state.counters["frame_cpu_p99_ms"] = scene->clock->cpu(0.99);
    state.counters["frame_cpu_p50_ms"] = scene->clock->cpu(0.5);
    state.counters["frames_per_s"] = static_cast<double>(scene->clock->count()) / seconds;
    state.counters["data_per_s"] = scene->data->count() / seconds;
    state.counters["data_gap_max_ms"] = scene->data->longestGapMs();
    state.counters["load_s"] = scene->loadSeconds;
}

void follow(benchmark::State &state)
{
    measure(state, [](int) {});
}

/// Zooms in and out with the wheel at the newest points, while the pointer moves.
void zoomAndHover(benchmark::State &state)
{
    measure(state, [](int i) {
        if (i % 4 == 0)
            scene->wheel(i / 40 % 2 == 0 ? 1 : -1);
        scene->hover(200 + i * 7 % 1000);
    });
    scene->plots.plot()->follow();
}

/// Pans by whole pixels, as with the mouse.
void pan(benchmark::State &state)
{
    scene->wheel(6);
    measure(state, [](int i) {
        LivePlot *plot = scene->plots.plot();
        const double pixel = plot->xRange().size() / plot->panes()[0]->area()->width();
        plot->setXRange(plot->xRange() + (i / 100 % 2 == 0 ? 8 : -8) * pixel);
    });
    scene->plots.plot()->follow();
}

void idle(benchmark::State &state)
{
    scene->ranks.stop();
    double cpu = 0;
    for (auto _ : state) {
        Scene::run(2000);
        const std::clock_t before = std::clock();
        Scene::run(3000);
        cpu = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / 3;
    }
    state.counters["idle_cpu_percent"] = 100 * cpu;
}

}  // namespace

BENCHMARK(follow)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(zoomAndHover)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(pan)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(idle)->Iterations(1)->Unit(benchmark::kMillisecond);

int main(int argc, char **argv)
{
    if (!std::getenv("QT_QPA_PLATFORM"))
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    ::setenv("QT_NO_GLIB", "1", 1);  // GLib's loop does not report when it waits
    benchmark::Initialize(&argc, argv);
    QApplication application(argc, argv);
    scene = std::make_unique<Scene>();
    benchmark::RunSpecifiedBenchmarks();
    scene.reset();
    benchmark::Shutdown();
}
