#include "feedtesting.h"

#include "feed/ring.h"

#include <array>
#include <chrono>
#include <cmath>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

constexpr std::chrono::seconds patience(60);

/// A Python script as a rank: its own process, with what an agent would put into the environment.
class PythonRank {
public:
    PythonRank(const TemporaryFolder &folder, const std::string &script, bool underSweepscope = true)
        : m_output(folder / "output.txt")
    {
        std::vector<std::string> environment{"PYTHONPATH=" SWEEPSCOPE_PYTHON_PATH, "PYTHONDONTWRITEBYTECODE=1",
                                             "RANK=3", "WORLD_SIZE=4", "PATH=/usr/bin:/bin"};
        if (underSweepscope)
            environment.push_back("SWEEPSCOPE_RING=" + (folder / "ring").string());
        std::vector<char *> envp;
        for (std::string &one : environment)
            envp.push_back(one.data());
        envp.push_back(nullptr);
        std::string text = script;
        std::array<std::string, 3> words{SWEEPSCOPE_PYTHON, "-c", text};
        std::array<char *, 4> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, 1, m_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
        REQUIRE(::posix_spawn(&m_pid, SWEEPSCOPE_PYTHON, &actions, nullptr, argv.data(), envp.data()) == 0);
        ::posix_spawn_file_actions_destroy(&actions);
    }
    ~PythonRank()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
    }
    PythonRank(const PythonRank &) = delete;
    PythonRank &operator=(const PythonRank &) = delete;

    bool running()
    {
        if (m_pid > 0 && ::waitpid(m_pid, &m_status, WNOHANG) == m_pid)
            m_pid = 0;
        return m_pid > 0;
    }
    void kill() { ::kill(m_pid, SIGKILL); }

    /// Wait for its end, doing `meanwhile` again and again.
    template <typename Meanwhile>
    int finish(Meanwhile meanwhile)
    {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (running() && std::chrono::steady_clock::now() < deadline) {
            meanwhile();
            std::this_thread::sleep_for(std::chrono::microseconds(200));  // between two looks, not instead of them
        }
        REQUIRE_FALSE(running());
        return WIFEXITED(m_status) ? WEXITSTATUS(m_status) : 128 + WTERMSIG(m_status);
    }
    int finish()
    {
        return finish([] {});
    }
    std::string output() const { return contentOf(m_output); }

private:
    std::filesystem::path m_output;
    pid_t m_pid = 0;
    int m_status = 0;
};

struct Feed {
    TemporaryFolder folder;
    RingDrain drain;
    FeedReader reader;
    Recorder seen;
    explicit Feed(std::uint64_t capacity = defaultRingBytes)
        : drain(RingDrain::create(folder / "ring", folder / "log", somePreamble(), capacity).value()),
          reader(folder / "log", folder / "ring")
    {}
    void drainAndRead()
    {
        REQUIRE(drain.drain());
        REQUIRE(readAll(reader, seen));
    }
};

}  // namespace

TEST_CASE("what a Python rank reports is read as if a C++ rank had said it")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import sweepscope
with sweepscope.init() as run:
    assert run.active and run.rank == 3 and run.world_size == 4
    assert sweepscope.init() is run
    run.declare("step_time", unit="s")
    run.log(0, loss=2.5, step_time=0.125)
    run.log(-1, {"val/loss": 7}, loss=float("nan"))
    run.log(5 * 2**32 + 1, loss=float("inf"))
    run.event("épöch", kind="epoch", step=3)
    run.event("x" + "é" * 20000)
assert not run.active
run.log(9, loss=9)
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();

    const std::string cut = [] {
        std::string text = "x";
        while (text.size() + 2 <= maxEventTextBytes)
            text += "é";
        return text;
    }();
    CHECK(feed.seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 1 loss []", "series 0 step_time [s]",
                                      "point 1 0 2.500000", "point 0 0 0.125000", "series 2 val/loss []",
                                      "point 2 -1 7.000000", "point 1 -1 nan", "point 1 21474836481 inf",
                                      "event 2 3 épöch", "event 1 0 " + cut});
    CHECK(feed.seen.points[0].timeNs > somePreamble().createdNs);
}

TEST_CASE("threads of a Python rank share a run, through many rounds of the ring")
{
    Feed feed(minRingBytes);
    PythonRank rank(feed.folder, R"py(
import sweepscope, threading, time
run = sweepscope.init()
def work(name):
    for step in range(3000):
        run.log(step, {name: step * 0.5})
        if step % 200 == 199:
            time.sleep(0.002)
threads = [threading.Thread(target=work, args=("series%d" % i,)) for i in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(run.dropped)
)py");
    CHECK(rank.finish([&] { feed.drainAndRead(); }) == 0);
    feed.drainAndRead();
    feed.drain.unlink();
    REQUIRE(readAll(feed.reader, feed.seen));

    CHECK(feed.seen.points.size() + feed.seen.droppedInGaps() == 8 * 3000);
    CHECK(std::to_string(feed.seen.droppedInGaps()) + "\n" == rank.output());
    std::map<std::uint16_t, std::int64_t> last;
    for (const Point &point : feed.seen.points) {
        const auto [before, isFirst] = last.try_emplace(point.series, -1);
        REQUIRE(point.step > before->second);
        REQUIRE(point.value == static_cast<double>(point.step) * 0.5);
        before->second = point.step;
    }
    CHECK(last.size() == 8);
}

TEST_CASE("a Python rank that nobody drains drops, counts, and tells at its end")
{
    Feed feed(minRingBytes);
    PythonRank rank(feed.folder, R"py(
import sweepscope
run = sweepscope.init()
for step in range(5000):
    run.log(step, loss=1, lr=2)
print(run.dropped)
)py");
    CHECK(rank.finish() == 0);
    feed.drainAndRead();
    feed.drain.unlink();
    REQUIRE(readAll(feed.reader, feed.seen));
    CHECK(feed.seen.gaps.size() == 1);
    CHECK(std::to_string(feed.seen.droppedInGaps()) + "\n" == rank.output());
    CHECK(feed.seen.points.size() + feed.seen.droppedInGaps() == 10'000);
}

TEST_CASE("a Python rank stops when it is asked to, and a fenced one is not heard any more")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import sweepscope
run = sweepscope.init()
step = 0
while not run.should_stop():
    run.log(step, loss=step)
    step += 1
)py");
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (feed.seen.points.size() < 100 && std::chrono::steady_clock::now() < deadline)
        feed.drainAndRead();
    feed.drain.fence();
    feed.drainAndRead();  // a write that had passed the fence before may still come
    feed.drain.requestStop();
    CHECK(rank.finish() == 0);
    const auto heard = feed.seen.points.size();
    feed.drainAndRead();
    CHECK(heard >= 100);
    CHECK(feed.seen.points.size() <= heard + 1);
}

TEST_CASE("the same script runs outside Sweepscope, silently")
{
    const TemporaryFolder folder;
    PythonRank rank(folder, R"py(
import sweepscope
with sweepscope.init() as run:
    run.declare("loss", "nats")
    run.log(1, loss=object())
    run.event("hello")
    assert not run.should_stop() and not run.active and run.dropped == 0
)py",
                    false);
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
}

TEST_CASE("only the process that began reports: neither its forks nor a second program, until it has ended")
{
    Feed feed;
    PythonRank rank(feed.folder,
                    R"py(
import os, subprocess, sys, sweepscope
run = sweepscope.init()
run.log(1, loss=1)
child = os.fork()
if child == 0:
    run.log(2, loss=2)
    run.event("from the fork")
    os._exit(0 if not run.active else 1)
assert os.waitpid(child, 0)[1] == 0
script = "import sweepscope; r = sweepscope.init(); r.log(3, loss=3)"
during = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE)
assert during.returncode == 0 and b"another process" in during.stderr, during
run.log(4, loss=4)
run.close()
assert subprocess.run([sys.executable, "-c", script]).returncode == 0
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    std::vector<std::int64_t> steps;
    for (const Point &point : feed.seen.points)
        steps.push_back(point.step);
    CHECK(steps == std::vector<std::int64_t>{1, 4, 3});
    CHECK(feed.seen.events.empty());
    CHECK(feed.seen.declarations.back().id == 1);
}

TEST_CASE("a Python rank killed with SIGKILL leaves whole records")
{
    Feed feed(minRingBytes);
    PythonRank rank(feed.folder, R"py(
import sweepscope
run = sweepscope.init()
step = 0
while True:
    run.log(step, a=step, b=step * 0.5)
    step += 1
)py");
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (feed.seen.points.size() < 20'000 && std::chrono::steady_clock::now() < deadline)
        feed.drainAndRead();
    rank.kill();
    CHECK(rank.finish() == 128 + SIGKILL);
    feed.drainAndRead();
    feed.drainAndRead();
    CHECK(feed.reader.offset() == std::filesystem::file_size(feed.folder / "log"));
    REQUIRE(feed.seen.points.size() % 2 == 0);
    for (std::size_t i = 0; i < feed.seen.points.size(); i += 2) {
        REQUIRE(feed.seen.points[i].value == static_cast<double>(feed.seen.points[i].step));
        REQUIRE(feed.seen.points[i + 1].value == static_cast<double>(feed.seen.points[i].step) * 0.5);
    }
}

TEST_CASE("a Python rank whose ring is no ring says so once and trains on")
{
    const TemporaryFolder folder;
    writeContent(folder / "ring", std::string(100'000, 'x'));
    PythonRank rank(folder, R"py(
import sweepscope
run = sweepscope.init()
run.log(1, loss=1)
assert not run.active
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().find("is not a telemetry ring") != std::string::npos);
    CHECK(contentOf(folder / "ring") == std::string(100'000, 'x'));
}
