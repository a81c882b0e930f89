// The Python reporter used concurrently: by threads, signal handlers, processes.
#include "pythonrank.h"

#include <map>
#include <set>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

TEST_CASE("threads of a Python rank share a run while the ring wraps many times")
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
    // A busy machine may drop all points of a thread: then they are in the gaps.
    CHECK((8 - last.size()) * 3000 <= feed.seen.droppedInGaps());
}

TEST_CASE("signal handlers and threads of a Python rank interrupt each other's reports, and nothing is lost")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import itertools, signal, sweepscope, threading
run = sweepscope.init()
numbers = itertools.count()
heard = 0
def handle(*_):
    global heard
    step = next(numbers)  # a handler may interrupt a handler
    run.log(step, handler=step * 0.5)
    run.event("tick", step=step)
    heard = max(heard, step + 1)
signal.signal(signal.SIGALRM, handle)
def other():
    for step in range(5000):
        run.log(step, other=step * 0.5)
thread = threading.Thread(target=other)
thread.start()
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
step = 0
while heard < 100 or step < 5000:
    run.log(step, main=step * 0.5)
    step += 1
signal.setitimer(signal.ITIMER_REAL, 0)
thread.join()
run.close()
print(step + 5000 + heard, heard)
)py");
    CHECK(rank.finish([&] { feed.drainAndRead(); }) == 0);
    feed.drainAndRead();
    REQUIRE(feed.seen.gaps.empty());
    CHECK(std::to_string(feed.seen.points.size()) + " " + std::to_string(feed.seen.events.size()) + "\n"
          == rank.output());
    std::map<std::uint16_t, std::set<std::int64_t>> steps;
    for (const Point &point : feed.seen.points) {
        CHECK(steps[point.series].insert(point.step).second);
        CHECK(point.value == static_cast<double>(point.step) * 0.5);
    }
    CHECK(steps.size() == 3);
}

TEST_CASE("a thread or signal handler may interrupt the writer at any instruction, and nothing is lost or torn")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import random, sweepscope, sys, threading, time
reported = {"main": 0, "other": 0, "handler": 0}
events = 0

def log(name):
    step = reported[name]
    reported[name] += 1
    run.log(step, {name: step * 0.5})

def trace(frame, *_):
    global handlers
    if not frame.f_code.co_filename.endswith(("writer.py", "ring.py")):
        return None
    frame.f_trace_opcodes = True
    chance = random.random()
    if chance < 0.1:
        # The other thread's turn; a long one where a thread decides whether it needs the lock.
        time.sleep(0.0005 if frame.f_code.co_name == "log" else 0)
    elif chance < 0.12 and handlers < 3 and threading.get_ident() == main:
        handlers += 1
        log("handler")  # as a signal handler would, between two instructions
    return trace

def other():
    log("other")
    log("other")

main = threading.get_ident()
threading.settrace(trace)
for round in range(150):
    random.seed(round)
    handlers = 0
    run = sweepscope.init()
    thread = threading.Thread(target=other)
    begin = random.randrange(3)
    sys.settrace(trace)
    for step in range(4):
        if step == begin:
            thread.start()
        if step == random.randrange(4):
            run.event("tick")
            events += 1
        log("main")
    thread.join()
    sys.settrace(None)
    assert not run._writer._left, "work was left behind"
    run.close()
print(sum(reported.values()), events)
)py");
    CHECK(rank.finish([&] { feed.drainAndRead(); }) == 0);
    feed.drainAndRead();
    REQUIRE(feed.seen.gaps.empty());
    CHECK(std::to_string(feed.seen.points.size()) + " " + std::to_string(feed.seen.events.size()) + "\n"
          == rank.output());
    std::map<std::string, std::set<std::int64_t>> steps;
    for (const Point &point : feed.seen.points) {
        CHECK(steps[feed.seen.declarations[point.series].name].insert(point.step).second);
        CHECK(point.value == static_cast<double>(point.step) * 0.5);
    }
    CHECK(steps.size() == 3);
}

TEST_CASE("a run that is closed while another thread reports accepts no more reports")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import sweepscope, sys, threading
sys.setswitchinterval(1e-5)
for round in range(50):
    run = sweepscope.init()
    log = run.log
    closing = threading.Thread(target=run.close)
    for step in range(100):
        log(step, loss=step)
        if step == 50:
            closing.start()
    closing.join()
    log(100, loss=100)
    run.log(100, loss=100)
    run.log(100, loss="none")
    run.event("too late")
    assert not run.active and run.dropped == 0
)py");
    CHECK(rank.finish([&] { feed.drainAndRead(); }) == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    CHECK(feed.seen.points.size() >= 50 * 51);
    for (const Point &point : feed.seen.points)
        CHECK(point.step < 100);
    CHECK(feed.seen.events.empty());
}

TEST_CASE("a signal handler that closes the run during a point leaves it open until it can be closed")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import os, signal, sweepscope
run = sweepscope.init()
signal.signal(signal.SIGTERM, lambda *_: run.close())
class Interrupted:
    def __float__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(100): pass
        return 2.0
run.log(0, loss=1)
run.log(1, loss=Interrupted())
assert run.active and sweepscope.init() is run
run.log(2, loss=3)
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    CHECK(feed.seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "point 0 0 1.000000",
                                      "point 0 1 2.000000", "point 0 2 3.000000"});
}

TEST_CASE("only the first process reports until it has ended: neither its forks nor a second program")
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
