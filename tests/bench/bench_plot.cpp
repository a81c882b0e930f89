// What a frame of the live plots costs: the real widget at 1600x900, 64 ranks with a million points each, while another
// 64,000 points/s come in. The thread of the window has one core; files are read and written on the others.
//   frame_p99_ms      how long the window's thread was busy for each time that it painted the plots, all that it does
//                     in between included; frame_cpu_p99_ms: the processor time of that, on a machine with other work
//   frames_per_s      how often it painted
//   data_per_s        how often it got newer columns to paint; at most 25
//   data_gap_max_ms   how long it had to wait for them at most
//   idle_cpu_percent  of one core, when nothing comes in any more
// SWEEPSCOPE_BENCH_RANKS, SWEEPSCOPE_BENCH_POINTS (per rank) and SWEEPSCOPE_BENCH_SECONDS (per case) make it smaller.
#include "base/clock.h"
#include "feed/logwriter.h"
#include "series/feedseries.h"
#include "ui/live/liveplot.h"
#include "ui/live/trialplots.h"
#include "ui/live/trialsource.h"

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
using namespace sweepscope::ui;

namespace {

int setting(const char *name, int preset)
{
    const char *text = std::getenv(name);
    return text ? std::atoi(text) : preset;
}

constexpr WallNs pointInterval = 1'000'000;  // 1,000 points/s of each rank

void useCores(pthread_t thread, int first, int last)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int core = first; core <= last; ++core)
        CPU_SET(core, &cores);
    (void)pthread_setaffinity_np(thread, sizeof cores, &cores);
}

/// For a thread that the window's thread has started, which has the first core.
void leaveTheWindowsCore()
{
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (cores > 1)
        useCores(pthread_self(), 1, cores - 1);
}

/// The logs of an attempt, filled first and then written on by a thread of its own.
class Ranks {
public:
    Ranks(std::filesystem::path folder, int ranks, int points)
    {
        m_source.sweepId = m_source.trial = m_source.attempt = 1;
        m_source.folder = std::move(folder);
        m_source.ranks = ranks;
        m_source.started = m_time = wallNow() - points * pointInterval;
        for (int rank = 0; rank < ranks; ++rank) {
            auto writer = feed::LogWriter::open(m_source.files().rankFeed(rank), {rank, ranks, m_time, "1-1-1"});
            if (!writer)
                std::abort();
            m_series.push_back(writer->declare("loss"));
            m_writers.push_back(std::move(*writer));
        }
        write(points);
        index();
    }
    ~Ranks() { stop(); }

    const TrialSource &source() const { return m_source; }
    /// Of the newest point; not while it is written on.
    WallNs newest() const { return m_time - pointInterval; }

    void start()
    {
        m_thread = std::thread([this] {
            leaveTheWindowsCore();
            const WallNs begun = wallNow();
            std::int64_t written = 0;
            while (!m_stop.load(std::memory_order_relaxed)) {
                const auto due = static_cast<std::int64_t>((wallNow() - begun) / pointInterval);
                write(static_cast<int>(due - written));
                written = due;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        });
    }
    void stop()
    {
        m_stop.store(true, std::memory_order_relaxed);
        if (m_thread.joinable())
            m_thread.join();
        m_stop.store(false, std::memory_order_relaxed);
    }

private:
    /// As the agent would have done it by now.
    void index() const
    {
        const AttemptLayout files = m_source.files();
        for (int rank = 0; rank < m_source.ranks; ++rank) {
            series::FeedSeries builder({files.rankFeed(rank), {}, files.rankIndex(rank)}, series::IndexUse::Build);
            while (builder.poll().value_or(0) > 0) {
            }
        }
    }

    void write(int points)
    {
        const std::int64_t first = m_step.load(std::memory_order_relaxed);
        for (std::size_t rank = 0; rank < m_writers.size(); ++rank) {
            for (int i = 0; i < points; ++i) {
                const std::int64_t step = first + i;
                const double x = static_cast<double>(step) * 1e-5;
                const double noise = static_cast<double>(m_random() >> 40U) * 0x1p-24;
                m_writers[rank].write(m_series[rank], step, m_time + i * pointInterval + static_cast<WallNs>(rank),
                                      2 / (1 + x) + 0.02 * static_cast<double>(rank) + 0.3 * noise);
                if (i % 4096 == 4095)
                    (void)m_writers[rank].flush();
            }
            if (!m_writers[rank].flush())
                std::abort();
        }
        m_time += points * pointInterval;
        m_step.store(first + points, std::memory_order_relaxed);
    }

    TrialSource m_source;
    std::vector<feed::LogWriter> m_writers;
    std::vector<std::uint16_t> m_series;
    std::mt19937_64 m_random{7};
    WallNs m_time = 0;
    std::atomic<std::int64_t> m_step{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

/// How long the window's thread was busy for each time that it painted the plots.
class FrameClock : public QObject {
public:
    explicit FrameClock(QWidget *watched)
    {
        watched->installEventFilter(this);
        const auto *dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { m_woken = now(); });
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            const Times slept = now();
            m_busy.wall += slept.wall - m_woken.wall;
            m_busy.cpu += slept.cpu - m_woken.cpu;
            m_woken = slept;
            if (!m_painted)
                return;
            m_wall.push_back(m_busy.wall * 1e-6);
            m_cpu.push_back(m_busy.cpu * 1e-6);
            m_busy = {};
            m_painted = false;
        });
    }

    void clear()
    {
        m_wall.clear();
        m_cpu.clear();
        m_busy = {};
    }
    std::size_t count() const { return m_wall.size(); }
    double wall(double share) const { return percentile(m_wall, share); }
    double cpu(double share) const { return percentile(m_cpu, share); }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_painted = m_painted || event->type() == QEvent::Paint;
        return false;
    }

private:
    struct Times {
        double wall = 0;  ///< nanoseconds
        double cpu = 0;
    };
    static Times now()
    {
        const auto read = [](clockid_t clock) {
            timespec time{};
            ::clock_gettime(clock, &time);
            return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
        };
        return {read(CLOCK_MONOTONIC), read(CLOCK_THREAD_CPUTIME_ID)};
    }
    static double percentile(std::vector<double> sorted, double share)
    {
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }

    Times m_woken = now();
    Times m_busy;  ///< since the last frame
    bool m_painted = false;
    std::vector<double> m_wall;
    std::vector<double> m_cpu;
};

/// How often the plots get new columns.
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
        // The reading thread was made with the widget, and stays free; from here on the window has the first core.
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

/// In and out by the wheel, right across the newest points, with the pointer moving.
void zoomAndHover(benchmark::State &state)
{
    measure(state, [](int i) {
        if (i % 4 == 0)
            scene->wheel(i / 40 % 2 == 0 ? 1 : -1);
        scene->hover(200 + i * 7 % 1000);
    });
    scene->plots.plot()->follow();
}

/// By whole pixels, as a hand drags.
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
    ::setenv("QT_NO_GLIB", "1", 1);  // GLib's loop does not tell when it waits
    benchmark::Initialize(&argc, argv);
    QApplication application(argc, argv);
    scene = std::make_unique<Scene>();
    benchmark::RunSpecifiedBenchmarks();
    scene.reset();
    benchmark::Shutdown();
}
