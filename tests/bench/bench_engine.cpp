// The cost of a trial through the real engine, agent and rank, and how the engine scales with the number of trials.
//   trials_per_s    trials of a command that does nothing, from the launch to the end of the last
//   idle_p99_ms     how long a device is idle between two ranks, by the agents' own clocks
//   ready_ms        from the start of an engine to a client with the complete state; includes reading the database
//   rss_mb          resident memory of the engine at that time
//   status_ms       the slowest `sweepctl status` meanwhile, including the start of the program
//   loop_ms, loop_cpu_ms  while a search with 100,000 finished trials adds more: how late the event loop was for a timer, and
//                   the CPU time that it needed before it waited again, at most
//   spawn_ms, sync_ms  what this machine needs for one process, and for one synced write: lower bounds for a trial
// All processes share the available cores (taskset). SWEEPSCOPE_BENCH_TRIALS makes the first case smaller.
#include "base/files.h"
#include "base/installation.h"
#include "base/workspacelayout.h"
#include "engine/engine.h"
#include "engine/store.h"
#include "launch/attemptevents.h"
#include "protocol/engineclient.h"
#include "protocol/metriccodec.h"

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace sweepscope;

namespace {

constexpr int patienceMs = 600'000;
constexpr int statusPauseMs = 200;

int trialsOf(const char *variable, int otherwise)
{
    const char *given = std::getenv(variable);
    return given != nullptr ? std::max(10, std::atoi(given)) : otherwise;
}

double milliseconds(const QElapsedTimer &timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

/// A separate workspace with an engine, which ends with it.
class Place {
public:
    Place() : m_folder(QStringLiteral("/tmp/sweepscope-bench-XXXXXX"))
    {
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toLocal8Bit());
        qputenv("SWEEPSCOPE_LEASE_FOLDER", m_folder.filePath(QStringLiteral("leases")).toLocal8Bit());
    }
    ~Place()
    {
        const pid_t pid = enginePid() != ::getpid() ? enginePid() : 0;
        if (pid > 0)
            ::kill(pid, SIGTERM);
        while (pid > 0 && ::kill(pid, 0) == 0 && ::waitpid(pid, nullptr, WNOHANG) != pid)
            ::usleep(1000);
    }
    QString root() const { return m_folder.filePath(QStringLiteral("ws")); }
    WorkspaceLayout layout() const { return {root().toStdString()}; }
    pid_t enginePid() const { return std::atoi(readFile(layout().lockFile(), 64).value_or("0").c_str()); }
    double engineMegabytes() const
    {
        const std::string status =
            readFile("/proc/" + std::to_string(enginePid()) + "/status", 64 * 1024).value_or(std::string());
        const std::size_t at = status.find("VmRSS:");
        return at == std::string::npos ? 0 : std::atof(status.c_str() + at + 6) / 1024;
    }

private:
    QTemporaryDir m_folder;
};

/// Calls `sweepctl status` repeatedly while other work runs.
class StatusCalls {
public:
    explicit StatusCalls(const QString &workspace)
    {
        m_process.setProgram(QString::fromStdString((executableFolder() / "sweepctl").string()));
        m_process.setArguments({QStringLiteral("status"), QStringLiteral("--workspace"), workspace});
        m_process.setStandardOutputFile(QProcess::nullDevice());
        QObject::connect(&m_process, &QProcess::finished, &m_pause, [this] {
            m_times.push_back(milliseconds(m_timer));
            m_pause.start();
        });
        QObject::connect(&m_pause, &QTimer::timeout, &m_pause, [this] { begin(); });
        m_pause.setSingleShot(true);
        m_pause.setInterval(statusPauseMs);
        begin();
    }
    ~StatusCalls()
    {
        m_process.disconnect();
        m_process.waitForFinished();
    }
    double slowest() const { return quantile(m_times, 1); }
    double median() const { return quantile(m_times, 0.5); }

private:
    void begin()
    {
        m_timer.start();
        m_process.start();
    }
    QProcess m_process;
    QTimer m_pause;
    QElapsedTimer m_timer;
    std::vector<double> m_times;
};

QString noOpSweep(int trials, int concurrent)
{
    return QStringLiteral("[sweep]\nname = \"bench\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                          "[space]\nn = { int = [1, %1] }\n"
                          "[run]\ncommand = [\"/bin/true\", \"{n}\"]\n"
                          "[devices]\nkind = \"cpu\"\ncpu_slots = %2\nconcurrent = %2\n")
        .arg(trials)
        .arg(concurrent);
}

/// Returns the new sweep's id; 0 if it was refused.
std::int64_t launch(protocol::EngineClient &client, const QString &toml)
{
    QEventLoop loop;
    std::int64_t id = 0;
    QObject::connect(&client, &protocol::EngineClient::sweepLaunched, &loop, [&](quint64, qint64 launched) {
        id = launched;
        loop.quit();
    });
    QObject::connect(&client, &protocol::EngineClient::sweepRefused, &loop, &QEventLoop::quit);
    client.launchSweep(toml, QDir::tempPath());
    loop.exec();
    return id;
}

int ended(const protocol::EngineClient &client, std::int64_t sweepId)
{
    const auto &trials = client.trials(sweepId);
    return static_cast<int>(std::count_if(trials.begin(), trials.end(),
                                          [](const sweep::TrialRecord &trial) { return sweep::isFinal(trial.state); }));
}

/// Waits until `wanted` trials of the sweep have ended. Returns false after a timeout.
bool waitForTrials(protocol::EngineClient &client, std::int64_t sweepId, int wanted)
{
    QEventLoop loop;
    QObject::connect(&client, &protocol::EngineClient::trialsChanged, &loop, [&] {
        if (ended(client, sweepId) >= wanted)
            loop.quit();
    });
    QTimer::singleShot(patienceMs, &loop, [&] { loop.exit(1); });
    return ended(client, sweepId) >= wanted || loop.exec() == 0;
}

/// Returns the times from the end of each rank to the start of the next on the same device.
std::vector<double> idleTimes(const Place &place, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials)
{
    std::map<std::string, std::vector<std::pair<WallNs, WallNs>>> busy;
    for (const sweep::TrialRecord &trial : trials) {
        launch::AttemptEventReader events(place.layout().attempt(sweep.folder, trial.number, 1).eventsFile());
        std::pair<WallNs, WallNs> span{};
        for (const launch::AttemptEvent &event : events.poll()) {
            if (event.kind == launch::AttemptEventKind::RankStarted)
                span.first = event.time;
            else if (event.kind == launch::AttemptEventKind::RankExited)
                span.second = event.time;
        }
        if (!trial.devices.empty())
            busy[trial.devices.front()].push_back(span);
    }
    std::vector<double> idle;
    for (auto &[device, spans] : busy) {
        std::sort(spans.begin(), spans.end());
        for (std::size_t i = 1; i < spans.size(); ++i)
            idle.push_back(static_cast<double>(spans[i].first - spans[i - 1].second) / 1e6);
    }
    return idle;
}

double spawnMilliseconds()
{
    QElapsedTimer timer;
    timer.start();
    constexpr int times = 100;
    for (int i = 0; i < times; ++i) {
        char name[] = "/bin/true";
        char *const argv[] = {name, nullptr};
        pid_t pid = 0;
        if (::posix_spawn(&pid, name, nullptr, nullptr, argv, environ) == 0)
            ::waitpid(pid, nullptr, 0);
    }
    return milliseconds(timer) / times;
}

double syncMilliseconds(const Place &place)
{
    const std::string file = (place.root() + QStringLiteral(".sync")).toStdString();
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const std::vector<char> page(4096, 'x');
    QElapsedTimer timer;
    timer.start();
    constexpr int times = 50;
    for (int i = 0; i < times; ++i) {
        if (::write(fd, page.data(), page.size()) < 0 || ::fdatasync(fd) != 0)
            break;
    }
    ::close(fd);
    return milliseconds(timer) / times;
}

/// Returns SQL for the metrics of a trial that reported eight in addition to the objective.
std::string eightMetrics()
{
    std::vector<sweep::MetricValue> metrics;
    for (const char *name :
         {"loss", "accuracy", "lr", "grad_norm", "val_accuracy", "step_time", "data_wait", "comm_wait"})
        metrics.push_back({name, 0.5, 100, 0.25, 4});
    return "x'" + QCborValue(protocol::toCbor(metrics)).toCbor().toHex().toStdString() + "'";
}

/// Writes a sweep with these trials, then executes `statements`.
bool writeSweep(const Place &place, sweep::SweepRecord record, const std::vector<sweep::TrialPlan> &plans,
                const std::vector<std::string> &statements)
{
    std::filesystem::create_directories(place.layout().root);
    auto database = engine::Database::openForWriting(place.layout().database());
    if (!database)
        return false;
    engine::Store store(**database);
    record.objective = "loss";
    record.baseFolder = "/tmp";
    const auto makeFolder = [&](const sweep::SweepRecord &sweep) -> Expected<void> {
        std::filesystem::create_directories(place.layout().sweepFolder(sweep.folder));
        return {};
    };
    return store.insertSweep(record, plans, makeFolder)
           && std::all_of(statements.begin(), statements.end(), [&](const std::string &statement) {
                  return (*database)->execute(statement.c_str()).has_value();
              });
}

constexpr const char *completeTrials =
    "UPDATE trial SET state = 'completed', attempts = 1, devices = '[\"cpu:0\"]', objective_last = "
    "(abs(random()) % 1000000) / 1e6, objective_last_step = 100, objective_best_step = 90, started = "
    "1700000000000000000, ended = 1700000060000000000, step = 100, progress = 1";
constexpr const char *addAttempts =
    "INSERT INTO attempt (sweep, trial, number, id, created, ended, outcome) SELECT sweep, number, 1, number, "
    "1700000000000000000, 1700000060000000000, 'completed' FROM trial";
constexpr const char *addHistory =
    "INSERT INTO history (time, sweep, trial, state_before, state_after, reason, objective, objective_step) "
    "SELECT 1700000060000000000, sweep, number, 'running', 'completed', '', objective_best, 100 FROM trial";

/// Writes a sweep whose trials have all completed, as an engine would leave it.
bool makeFinishedSweep(const Place &place, int trials)
{
    sweep::SweepRecord record;
    record.name = "finished";
    record.parameterNames = {"lr", "batch_size"};
    record.toml = noOpSweep(trials, 2).toStdString();
    std::vector<sweep::TrialPlan> plans;
    for (int number = 1; number <= trials; ++number)
        plans.push_back({number, {{"lr", 1e-3 * number}, {"batch_size", std::int64_t{64}}}, 7, 1});
    return writeSweep(place, record, plans,
                      {completeTrials, "UPDATE trial SET objective_best = objective_last", addAttempts, addHistory,
                       "UPDATE sweep SET state = 'completed', ended = 1700000060000000000",
                       "UPDATE trial SET metrics = " + eightMetrics()});
}

constexpr int chosenTrials = 10'000;  // more than are chosen meanwhile

/// Writes a running search of which `trials` have completed.
bool makeLongSearch(const Place &place, int trials)
{
    sweep::SweepRecord record;
    record.name = "search";
    record.toml = "[sweep]\nname = 'search'\nobjective = 'loss'\n[search]\nmethod = 'tpe'\ntrials = "
                  + std::to_string(trials + chosenTrials)
                  + "\n[run]\ncommand = ['/bin/echo', 'loss=0.5']\n[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n"
                    "[devices]\nkind = 'cpu'\ncpu_slots = 2\nconcurrent = 2\n[space]\n";
    for (int i = 0; i < 10; ++i) {
        record.parameterNames.push_back("x" + std::to_string(i));
        record.toml += record.parameterNames.back() + " = { float = [0.0, 1.0] }\n";
    }
    sweep::SplitMix64 random(1);
    std::vector<sweep::TrialPlan> plans;
    for (int number = 1; number <= trials; ++number) {
        sweep::TrialPlan &plan = plans.emplace_back(sweep::TrialPlan{number, {}, 7, 1});
        for (const std::string &name : record.parameterNames)
            plan.parameters.emplace_back(name, random.nextUnit());
    }
    return writeSweep(place, record, plans,
                      {completeTrials, "UPDATE trial SET objective_best = objective_last", addAttempts, addHistory,
                       "UPDATE sweep SET trials_to_come = " + std::to_string(chosenTrials)});
}

double threadCpuMilliseconds()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Measures how long this thread's event loop works on something.
class LoopTimes {
public:
    LoopTimes()
    {
        m_beat.setTimerType(Qt::PreciseTimer);
        m_beat.setInterval(beatMs);
        QObject::connect(&m_beat, &QTimer::timeout, &m_beat, [this] {
            if (m_clock.isValid())
                m_latest = std::max(m_latest, milliseconds(m_clock) - beatMs);
            m_clock.start();
        });
        m_beat.start();
        m_cpu = threadCpuMilliseconds();
        QObject::connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, &m_beat,
                         [this] {
                             const double cpu = threadCpuMilliseconds();
                             m_longestCpu = std::max(m_longestCpu, cpu - std::exchange(m_cpu, cpu));
                         });
    }
    double latest() const { return m_latest; }
    double longestCpu() const { return m_longestCpu; }

private:
    static constexpr int beatMs = 1;

    QTimer m_beat;
    QElapsedTimer m_clock;
    double m_cpu = 0;
    double m_latest = 0;
    double m_longestCpu = 0;
};

void thousandTrials(benchmark::State &state)
{
    const int trials = trialsOf("SWEEPSCOPE_BENCH_TRIALS", 1000);
    const int concurrent = static_cast<int>(state.range(0));
    for ([[maybe_unused]] auto _ : state) {
        const Place place;
        protocol::EngineClient client;
        if (!client.connectAndWait(place.root(), true, patienceMs))
            return state.SkipWithError(client.errorText().toUtf8().constData());
        const StatusCalls status(place.root());
        QElapsedTimer timer;
        timer.start();
        const std::int64_t id = launch(client, noOpSweep(trials, concurrent));
        if (id == 0 || !waitForTrials(client, id, trials))
            return state.SkipWithError("the sweep has not ended");
        state.counters["trials_per_s"] = trials / (milliseconds(timer) / 1000);
        const std::vector<double> idle = idleTimes(place, *client.sweep(id), client.trials(id));
        state.counters["idle_p50_ms"] = quantile(idle, 0.5);
        state.counters["idle_p99_ms"] = quantile(idle, 0.99);
        state.counters["status_ms"] = status.slowest();
        state.counters["rss_mb"] = place.engineMegabytes();
        state.counters["spawn_ms"] = spawnMilliseconds();
        state.counters["sync_ms"] = syncMilliseconds(place);
    }
}
BENCHMARK(thousandTrials)->Arg(2)->Arg(8)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void finishedTrials(benchmark::State &state)
{
    for ([[maybe_unused]] auto _ : state) {
        const Place place;
        if (!makeFinishedSweep(place, static_cast<int>(state.range(0))))
            return state.SkipWithError("the workspace could not be made");
        protocol::EngineClient client;
        QElapsedTimer timer;
        timer.start();
        if (!client.connectAndWait(place.root(), true, patienceMs))
            return state.SkipWithError(client.errorText().toUtf8().constData());
        state.counters["ready_ms"] = milliseconds(timer);
        state.counters["rss_mb"] = place.engineMegabytes();
        QEventLoop loop;
        const StatusCalls status(place.root());
        QTimer::singleShot(2000, &loop, &QEventLoop::quit);
        loop.exec();
        state.counters["status_ms"] = status.slowest();
        state.counters["status_p50_ms"] = status.median();
    }
}
BENCHMARK(finishedTrials)->Arg(10'000)->Arg(100'000)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void hundredThousandTrials(benchmark::State &state)
{
    constexpr int trials = 100'000;
    constexpr int watched = 500;
    for ([[maybe_unused]] auto _ : state) {
        const Place place;
        protocol::EngineClient client;
        if (!client.connectAndWait(place.root(), true, patienceMs))
            return state.SkipWithError(client.errorText().toUtf8().constData());
        QElapsedTimer timer;
        timer.start();
        const std::int64_t id = launch(client, noOpSweep(trials, 2));
        state.counters["launch_ms"] = milliseconds(timer);
        const StatusCalls status(place.root());
        timer.start();
        if (id == 0 || !waitForTrials(client, id, watched))
            return state.SkipWithError("the sweep does not go on");
        state.counters["trials_per_s"] = watched / (milliseconds(timer) / 1000);
        state.counters["rss_mb"] = place.engineMegabytes();
        state.counters["status_ms"] = status.slowest();
        timer.start();
        client.stopSweep(id);
        if (!waitForTrials(client, id, trials))
            return state.SkipWithError("the sweep cannot be stopped");
        state.counters["stop_ms"] = milliseconds(timer);
    }
}
BENCHMARK(hundredThousandTrials)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void longSearch(benchmark::State &state)
{
    for ([[maybe_unused]] auto _ : state) {
        const Place place;
        if (!makeLongSearch(place, static_cast<int>(state.range(0))))
            return state.SkipWithError("the workspace could not be made");
        engine::EngineSettings settings;
        settings.workspace = place.layout().root;
        const auto engine = engine::Engine::start(settings);
        if (!engine)
            return state.SkipWithError(engine.error().message.c_str());
        QEventLoop loop;
        QTimer::singleShot(5000, &loop, &QEventLoop::quit);
        loop.exec();
        const LoopTimes times;
        QTimer::singleShot(20'000, &loop, &QEventLoop::quit);
        loop.exec();
        state.counters["loop_ms"] = times.latest();
        state.counters["loop_cpu_ms"] = times.longestCpu();
    }
}
BENCHMARK(longSearch)->Arg(1000)->Arg(100'000)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
