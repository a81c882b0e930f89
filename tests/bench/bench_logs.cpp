// What the user waits for on the page of logs, with the real widgets and real files:
//   open_ms       from opening a log of 1 GB to its last lines on the screen
//   full_ms       until the view has all lines that it keeps
//   search_ms     a regular expression whose only hit is at the beginning of that file: from Enter to the hit on the screen;
//                 mb_per_s is the throughput of the search
//   return_ms     from there back to its end
//   lines_per_s   lines shown per second of a growing log; SWEEPSCOPE_BENCH_LINES_PER_S are written (100,000)
//   lag_ms        from writing the last of them to showing it
//   stall_p99_ms, stall_max_ms   how long the window's thread was busy without interruption while following
//   busy_percent  the share of that time in which the window's thread used a core
//   rss_mb        memory that the process has gained in total
//   all_ranks_open_ms   from opening two logs of half that size together to their last lines on the screen
//   first_error_ms      from there to the first error of both, at the beginning of one; earlier_ms: to lines before it
//   count_ms            from a pattern to the number of its hits in both; count_mb_per_s is the throughput
//   filter_ms           until only the lines of that file that match an expression are shown; filter_mb_per_s
//   errors_ms           the same for lines that are errors; errors_mb_per_s
//   sweep_ms            a text in the logs of SWEEPSCOPE_BENCH_TRIALS (3,000) trials; sweep_mb_per_s, and grep_ms of the same
//                       text in the same files
// SWEEPSCOPE_BENCH_MEGABYTES, _LINES_PER_S and _SECONDS make it smaller. A measurement that fails ends the program with
// an error.
#include "base/workspacelayout.h"
#include "ui/logs/logview.h"
#include "ui/logs/sweepsearch.h"
#include "ui/logs/triallog.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int patienceMs = 120'000;
const std::string needle = "ZeroDivisionError: the only one";

int setting(const char *name, int otherwise)
{
    bool isNumber = false;
    const int value = qEnvironmentVariableIntValue(name, &isNumber);
    return isNumber && value > 0 ? value : otherwise;
}

std::string lineOf(std::int64_t number)
{
    return "2026-11-22 01:02:03 step=" + std::to_string(number)
           + " loss=0.4821 lr=0.001 samples/s=12034.5 grad_norm=1.73\n";
}

double residentMegabytes()
{
    std::ifstream status("/proc/self/statm");
    long all = 0;
    long resident = 0;
    status >> all >> resident;
    return static_cast<double>(resident) * 4096 / 1e6;
}

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// Ends the program if the condition never holds: a figure would be meaningless.
void waitUntil(const char *what, const std::function<bool()> &holds)
{
    QElapsedTimer time;
    time.start();
    QTimer wake;  // the condition may change outside of the event loop
    wake.start(1);
    while (!holds()) {
        if (time.elapsed() > patienceMs) {
            std::fprintf(stderr, "bench_logs: waited in vain: %s\n", what);
            std::_Exit(1);
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
}

/// Measures how long the event loop did not return to a timer that fires all the time.
class Stalls : public QObject {
public:
    Stalls()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(1);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_seen.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6 - 1);
            m_clock.start();
        });
        m_clock.start();
        m_timer.start();
    }
    double at(double share)
    {
        std::sort(m_seen.begin(), m_seen.end());
        return m_seen.empty() ? 0 : m_seen[static_cast<std::size_t>(share * static_cast<double>(m_seen.size() - 1))];
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_seen;
};

class Desk {
public:
    Desk()
    {
        m_log.resize(1200, 800);
        m_log.show();
    }
    TrialLog &log() { return m_log; }
    LogView *view() const { return m_log.view(); }
    AttemptLayout attempt(const QString &name) const
    {
        const std::filesystem::path folder = m_folder.filePath(name).toStdString();
        std::filesystem::create_directories(folder);
        return {folder};
    }
    QString lastLine() const { return view()->document()->lastBlock().text(); }
    bool ends(std::int64_t line) const { return lastLine().contains(u"step=%1 "_s.arg(line)) && view()->isAtEnd(); }

private:
    QTemporaryDir m_folder;
    TrialLog m_log;
};

/// Writes a large log, with the needle after `before` lines.
std::int64_t writeLarge(const std::filesystem::path &file, std::int64_t bytes, std::int64_t before = 0)
{
    std::ofstream out(file, std::ios::binary);
    std::int64_t line = 0;
    while (line < before)
        out << lineOf(line++);
    out << needle << '\n';
    for (std::int64_t written = 0; written < bytes; ++line) {
        const std::string text = lineOf(line);
        out << text;
        written += static_cast<std::int64_t>(text.size());
    }
    out.close();
    if (!out) {
        std::fprintf(stderr, "bench_logs: %s could not be written\n", file.c_str());
        std::_Exit(1);
    }
    return line - 1;
}

void largeFile(benchmark::State &state)
{
    const std::int64_t bytes = std::int64_t{setting("SWEEPSCOPE_BENCH_MEGABYTES", 1000)} * 1'000'000;
    Desk desk;
    const AttemptLayout attempt = desk.attempt(u"large"_s);
    const std::int64_t last = writeLarge(attempt.rankLog(0), bytes);
    const double before = residentMegabytes();
    for ([[maybe_unused]] auto _ : state) {
        QElapsedTimer time;
        time.start();
        desk.log().showAttempt(attempt.folder, 1);
        waitUntil("the first lines", [&] { return desk.view()->lineCount() > 0; });
        state.counters["open_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;
        waitUntil("the end of the file", [&] { return desk.ends(last); });
        state.counters["full_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;

        desk.log().findChild<QToolButton *>(u"logExpression"_s)->setChecked(true);
        auto *field = desk.log().findChild<QLineEdit *>(u"logSearch"_s);
        field->setText(u"ZeroDivision\\w+: the"_s);
        Stalls stalls;
        time.start();
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);  // back, from the end
        waitUntil("the hit at the beginning of the file",
                  [&] { return desk.view()->textCursor().selectedText().startsWith(u"ZeroDivisionError"_s); });
        const double seconds = static_cast<double>(time.nsecsElapsed()) / 1e9;
        state.counters["search_ms"] = seconds * 1e3;
        state.counters["mb_per_s"] = static_cast<double>(bytes) / 1e6 / seconds;
        state.counters["search_stall_max_ms"] = stalls.at(1);

        time.start();
        desk.log().findChild<QToolButton *>(u"logFollow"_s)->click();
        waitUntil("the end again", [&] { return desk.ends(last); });
        state.counters["return_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;
        state.counters["rss_mb"] = residentMegabytes() - before;
    }
}

void following(benchmark::State &state)
{
    using Clock = std::chrono::steady_clock;
    const int rate = setting("SWEEPSCOPE_BENCH_LINES_PER_S", 100'000);
    const int seconds = setting("SWEEPSCOPE_BENCH_SECONDS", 10);
    Desk desk;
    const AttemptLayout attempt = desk.attempt(u"growing"_s);
    std::ofstream(attempt.rankLog(0), std::ios::binary).flush();
    desk.log().showAttempt(attempt.folder, 1);
    if (state.range(0) != 0) {
        desk.log().findChild<QToolButton *>(u"logExpression"_s)->setChecked(true);
        desk.log().findChild<QLineEdit *>(u"logSearch"_s)->setText(u"loss=\\d\\.\\d+ lr"_s);
    }
    desk.view()->setWrapped(state.range(1) != 0);
    const double before = residentMegabytes();
    for ([[maybe_unused]] auto _ : state) {
        std::atomic<bool> done = false;
        const std::int64_t all = std::int64_t{rate} * seconds;
        std::thread writer([&] {
            std::ofstream out(attempt.rankLog(0), std::ios::binary | std::ios::app);
            const auto begin = Clock::now();
            for (std::int64_t line = 0; line < all;) {
                const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
                const auto due = std::min(all, static_cast<std::int64_t>(passed * rate) + 1);
                while (line < due)
                    out << lineOf(line++);
                out.flush();
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
            done.store(true, std::memory_order_release);  // all lines are in the file
        });
        Stalls stalls;
        const double busyBefore = threadSeconds();
        QElapsedTimer time;
        time.start();
        QElapsedTimer lag;
        waitUntil("the last line that was written", [&] {
            if (!lag.isValid() && done.load(std::memory_order_acquire))
                lag.start();
            return lag.isValid() && desk.ends(all - 1);
        });
        state.counters["lines_per_s"] = static_cast<double>(all) * 1e9 / static_cast<double>(time.nsecsElapsed());
        state.counters["busy_percent"] =
            (threadSeconds() - busyBefore) * 100e9 / static_cast<double>(time.nsecsElapsed());
        state.counters["lag_ms"] = static_cast<double>(lag.nsecsElapsed()) / 1e6;
        state.counters["stall_p99_ms"] = stalls.at(0.99);
        state.counters["stall_max_ms"] = stalls.at(1);
        state.counters["rss_mb"] = residentMegabytes() - before;
        writer.join();
    }
}

/// Searches everything that the view holds for an error that does not exist.
void firstError(benchmark::State &state)
{
    Desk desk;
    const AttemptLayout attempt = desk.attempt(u"whole"_s);
    std::ofstream out(attempt.rankLog(0), std::ios::binary);
    constexpr std::int64_t lines = 49'000;
    for (std::int64_t line = 0; line < lines; ++line)
        out << lineOf(line);
    out.close();
    desk.log().showAttempt(attempt.folder, 1);
    waitUntil("the end of the file", [&] { return desk.ends(lines - 1); });
    for ([[maybe_unused]] auto _ : state) {
        Stalls stalls;
        desk.log().findChild<QToolButton *>(u"logFirstError"_s)->click();
        auto *result = desk.log().findChild<QLabel *>(u"logSearchResult"_s);
        waitUntil("the answer", [&] { return result->text().contains(u"No error lines"_s); });
        state.counters["error_stall_max_ms"] = stalls.at(1);
    }
}

/// Two ranks that wrote the same lines at the same time.
void allRanks(benchmark::State &state)
{
    const std::int64_t bytes = std::int64_t{setting("SWEEPSCOPE_BENCH_MEGABYTES", 1000)} * 500'000;
    Desk desk;
    const AttemptLayout attempt = desk.attempt(u"ranks"_s);
    std::int64_t last = 0;
    for (const int rank : {0, 1}) {
        last = writeLarge(attempt.rankLog(rank), bytes, 30'000);
        std::ofstream times(attempt.rankTimes(rank));
        for (std::int64_t written = 0; written < 2 * bytes; written += 500'000)
            times << written + 1 << ' ' << 1'000'000'000 + written << '\n';
    }
    for ([[maybe_unused]] auto _ : state) {
        QElapsedTimer time;
        time.start();
        desk.log().showAttempt(attempt.folder, 2);
        waitUntil("the end of the files", [&] { return desk.ends(last) && desk.view()->lineCount() >= 50'000; });
        state.counters["all_ranks_open_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;

        Stalls stalls;
        time.start();
        desk.log().findChild<QToolButton *>(u"logFirstError"_s)->click();
        waitUntil("the first error",
                  [&] { return desk.view()->textCursor().selectedText().startsWith(u"ZeroDivisionError"_s); });
        state.counters["first_error_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;
        waitUntil("the lines around it", [&] { return desk.view()->lineCount() >= 20'000; });
        state.counters["first_error_stall_max_ms"] = stalls.at(1);

        Stalls earlierStalls;
        const int lines = desk.view()->lineCount();
        time.start();
        desk.log().findChild<QPushButton *>(u"logEarlier"_s)->click();
        waitUntil("earlier lines", [&] { return desk.view()->lineCount() >= lines + 20'000; });
        state.counters["earlier_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;
        state.counters["earlier_stall_max_ms"] = earlierStalls.at(1);

        Stalls countStalls;
        time.start();
        desk.log().findChild<QLineEdit *>(u"logSearch"_s)->setText(u"ZeroDivision"_s);
        auto *result = desk.log().findChild<QLabel *>(u"logSearchResult"_s);
        waitUntil("the number of hits",
                  [&] { return result->text().contains(u"2"_s) && !result->text().contains(u'%'); });
        const double seconds = static_cast<double>(time.nsecsElapsed()) / 1e9;
        state.counters["count_ms"] = seconds * 1e3;
        state.counters["count_mb_per_s"] = 2 * static_cast<double>(bytes) / 1e6 / seconds;
        state.counters["count_stall_max_ms"] = countStalls.at(1);
    }
}

void filtering(benchmark::State &state)
{
    const std::int64_t bytes = std::int64_t{setting("SWEEPSCOPE_BENCH_MEGABYTES", 1000)} * 1'000'000;
    Desk desk;
    const AttemptLayout attempt = desk.attempt(u"filtered"_s);
    const std::int64_t last = writeLarge(attempt.rankLog(0), bytes);
    desk.log().showAttempt(attempt.folder, 1);
    waitUntil("the end of the file", [&] { return desk.ends(last); });
    auto *level = desk.log().findChild<QComboBox *>(u"logLevel"_s);
    auto *filter = desk.log().findChild<QToolButton *>(u"logFilter"_s);
    auto *result = desk.log().findChild<QLabel *>(u"logSearchResult"_s);
    const auto isDone = [&] { return result->text().endsWith(u"1 line"_s) || result->text().endsWith(u"1 match"_s); };
    desk.log().findChild<QToolButton *>(u"logExpression"_s)->setChecked(true);
    for ([[maybe_unused]] auto _ : state) {
        Stalls stalls;
        QElapsedTimer time;
        time.start();
        level->setCurrentIndex(2);
        waitUntil("the only error", isDone);
        const double errors = static_cast<double>(time.nsecsElapsed()) / 1e9;
        state.counters["errors_ms"] = errors * 1e3;
        state.counters["errors_mb_per_s"] = static_cast<double>(bytes) / 1e6 / errors;
        level->setCurrentIndex(0);
        waitUntil("the end of the file again", [&] { return desk.ends(last); });

        time.start();
        desk.log().findChild<QLineEdit *>(u"logSearch"_s)->setText(u"ZeroDivision\\w+: the"_s);
        filter->setChecked(true);
        waitUntil("the only match", [&] { return desk.view()->lineCount() == 1 && isDone(); });
        const double seconds = static_cast<double>(time.nsecsElapsed()) / 1e9;
        state.counters["filter_ms"] = seconds * 1e3;
        state.counters["filter_mb_per_s"] = static_cast<double>(bytes) / 1e6 / seconds;
        state.counters["filter_stall_max_ms"] = stalls.at(1);
    }
}

/// Logs of 100 KB, of which every tenth has a hit.
void allTrials(benchmark::State &state)
{
    const int trials = setting("SWEEPSCOPE_BENCH_TRIALS", 3000);
    constexpr std::int64_t bytesOfALog = 100'000;
    const QTemporaryDir folder;
    const WorkspaceLayout layout{folder.path().toStdString()};
    SweepSearch search;
    search.workspace = layout.root;
    search.sweepFolder = "0001-many";
    search.pattern = QRegularExpression(u"outofmemory"_s, QRegularExpression::CaseInsensitiveOption);
    std::int64_t bytes = 0;
    for (int trial = 1; trial <= trials; ++trial) {
        const AttemptLayout attempt = layout.attempt(search.sweepFolder, trial, 1);
        std::filesystem::create_directories(attempt.folder);
        std::ofstream out(attempt.rankLog(0), std::ios::binary);
        for (std::int64_t line = 0; out.tellp() < bytesOfALog; ++line)
            out << lineOf(line);
        if (trial % 10 == 0)
            out << "torch.OutOfMemoryError: tried to allocate\n";
        bytes += out.tellp();
        search.trials.push_back({trial, 1, 1});
    }
    for ([[maybe_unused]] auto _ : state) {
        QElapsedTimer time;
        time.start();
        QProcess grep;
        grep.start(u"grep"_s, {u"-rci"_s, u"outofmemory"_s, folder.path()});
        grep.waitForFinished(patienceMs);
        state.counters["grep_ms"] = static_cast<double>(time.nsecsElapsed()) / 1e6;
        time.start();
        SweepSearchState found;
        searchSweep(search, std::atomic<bool>(false),
                    [&found](const std::vector<SweepHit> &, const SweepSearchState &now) { found = now; });
        const double seconds = static_cast<double>(time.nsecsElapsed()) / 1e9;
        if (found.lines != trials / 10)
            std::_Exit(1);
        state.counters["sweep_ms"] = seconds * 1e3;
        state.counters["sweep_mb_per_s"] = static_cast<double>(bytes) / 1e6 / seconds;
    }
}

BENCHMARK(allTrials)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(filtering)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(allRanks)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(largeFile)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(firstError)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(following)
    ->ArgNames({"search", "wrapped"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char **argv)
{
    const QApplication application(argc, argv);
    const Theme theme(qApp);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
