#include "pythonrank.h"

#include <cstdlib>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

TEST_CASE("the reports of a Python rank are read like those of a C++ rank")
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
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "series 1 step_time [s]",
                                      "point 0 0 2.500000", "point 1 0 0.125000", "series 2 val/loss []",
                                      "point 2 -1 7.000000", "point 0 -1 nan", "point 0 21474836481 inf",
                                      "event 2 3 épöch", "event 1 0 " + cut});
    CHECK(feed.seen.points[0].timeNs > somePreamble().createdNs);
}

TEST_CASE("fingerprints distinguish orders of samples, and are exact as floats")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import sweepscope
order = list(range(1000))
made = sweepscope.fingerprint(order)
assert made == sweepscope.fingerprint(iter(order)) and int(float(made)) == made
assert made != sweepscope.fingerprint(order[::-1]) != sweepscope.fingerprint([]) != sweepscope.fingerprint([-1])
assert sweepscope.fingerprint(b"weights") == sweepscope.fingerprint(bytearray(b"weights"))
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
}

TEST_CASE("a Python rank finds the newest checkpoint of its trial, or else that of the trial which it continues")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import os, sweepscope, tempfile
run = sweepscope.init()
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
os.environ.pop("SWEEPSCOPE_ATTEMPT_FOLDER", None)
assert run.checkpoint_folder is None and run.last_checkpoint() is None
def saved(*parts):
    os.makedirs(os.path.join("trial", *parts), exist_ok=True)
    open(os.path.join("trial", *parts, "last.pt"), "w").close()
os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"] = os.path.abspath("trial/10")
assert run.last_checkpoint() is None
saved("parent")
os.environ["SWEEPSCOPE_PARENT_CHECKPOINT"] = os.path.abspath("trial/parent")
assert run.last_checkpoint() == os.path.abspath("trial/parent")
saved("2", "checkpoint")
saved("9", "checkpoint")
os.makedirs(run.checkpoint_folder)
assert run.checkpoint_folder == os.path.abspath("trial/10/checkpoint")
open(os.path.join(run.checkpoint_folder, "last.pt.tmp"), "w").close()
assert run.last_checkpoint() == os.path.abspath("trial/9/checkpoint")
saved("10", "checkpoint")
assert run.last_checkpoint() == run.checkpoint_folder
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
}

TEST_CASE("a Python rank whose ring is not drained drops points, counts them, and reports the count at its end")
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

TEST_CASE("a request for a trace of a script without torch is a warning, and once")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import json, os, sweepscope, tempfile, time
attempt = tempfile.TemporaryDirectory()
os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"] = attempt.name
run = sweepscope.init()
run.log(1, loss=1)
with open(os.path.join(attempt.name, "trace-request"), "w") as file:
    json.dump({"time": time.time_ns() - 2 * 10 ** 9, "steps": 3}, file)
end = time.monotonic() + 2
step = 2
while time.monotonic() < end:  # looks twice a second
    run.log(step, loss=1)
    step += 1
    time.sleep(0.01)
)py");
    CHECK(rank.finish([&feed] { feed.drainAndRead(); }) == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    std::vector<std::string> events;
    for (const std::string &line : feed.seen.trace) {
        if (line.rfind("event ", 0) == 0)
            events.push_back(line.substr(line.find("no trace")));
    }
    CHECK(events == std::vector<std::string>{"no trace: this script has not imported torch"});
}

TEST_CASE("a Python rank stops on request, and a fenced one can no longer report")
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
    feed.drainAndRead();  // a write that had already passed the fence may still arrive
    feed.drain.requestStop();
    CHECK(rank.finish() == 0);
    const auto heard = feed.seen.points.size();
    feed.drainAndRead();
    CHECK(heard >= 100);
    CHECK(feed.seen.points.size() <= heard + 1);
}

TEST_CASE("an invalid value is an error in the caller, and the next value is reported")
{
    Feed feed;
    PythonRank rank(feed.folder, R"py(
import sweepscope
run = sweepscope.init()
run.log(0, loss=1)
for wrong in (lambda: run.log(1, loss="much"), lambda: run.log(1, loss=1, other=None), lambda: run.log(2**63, loss=1),
              lambda: run.log("one", loss=1), lambda: run.event("?", kind="party")):
    try:
        wrong()
    except (TypeError, ValueError, OverflowError):
        continue
    raise SystemExit("no error")
run.log(2, loss=3)
)py");
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    CHECK(feed.seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "point 0 0 1.000000",
                                      "point 0 2 3.000000"});
}

TEST_CASE("a Python rank can read the trial's parameters, and has none outside of a trial")
{
    Feed feed;
    const std::string script = R"py(
import os, sweepscope
os.environ.update({PARAMS})
print(sorted(sweepscope.init().params.items()))
)py";
    const auto with = [&](const std::string &environment) {
        std::string text = script;
        text.replace(text.find("{PARAMS}"), 8, environment);
        PythonRank rank(feed.folder, text);
        CHECK(rank.finish() == 0);
        return rank.output();
    };
    CHECK(with(R"({"SWEEPSCOPE_PARAMS": '{"lr": 0.1, "layers": 3, "optimizer": "sgd", "bias": true}'})")
          == "[('bias', True), ('layers', 3), ('lr', 0.1), ('optimizer', 'sgd')]\n");
    CHECK(with("{}") == "[]\n");
    CHECK(with(R"({"SWEEPSCOPE_PARAMS": 'nonsense'})") == "[]\n");
}

TEST_CASE("the same script runs where nothing is recorded, silently")
{
    const TemporaryFolder folder;
    PythonRank rank(folder, R"py(
import os, sweepscope
os.environ["SWEEPSCOPE_RECORD"] = "0"
with sweepscope.init() as run:
    run.declare("loss", "nats")
    run.log(1, loss=object())
    run.event("hello")
    assert not run.should_stop() and not run.active and run.dropped == 0 and run.params == {}
)py",
                    false);
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
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

TEST_CASE("a Python rank with an invalid ring warns once and continues training")
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

TEST_CASE("pip installs the reporter with nothing but Python, and the installed reporter works")
{
    Feed feed;
    const std::string folder = feed.folder.path.string();
    // From a copy: a build leaves files next to its source. Without a network it uses the environment's own setuptools,
    // if that is recent enough to need nothing else.
    const std::string script = "exec >" + folder
                               + "/pip.txt 2>&1\n"
                                 "cp -r " SWEEPSCOPE_SOURCE_DIR "/packaging/python "
                               + folder + "/source || exit 1\n" + SWEEPSCOPE_PYTHON " -m venv " + folder
                               + "/venv || exit 77\n"
                                 "pip="
                               + folder
                               + "/venv/bin/pip\n"
                                 "$pip install --no-index --no-build-isolation "
                               + folder
                               + "/source && exit 0\n"
                                 "$pip download --no-deps --dest "
                               + folder
                               + " 'setuptools>=61' || exit 77\n"
                                 "$pip install "
                               + folder + "/source";
    const int installed = WEXITSTATUS(std::system(script.c_str()));
    if (installed == 77) {
        MESSAGE("no virtual environment, or no setuptools for one: " << contentOf(feed.folder / "pip.txt"));
        return;
    }
    REQUIRE_MESSAGE(installed == 0, contentOf(feed.folder / "pip.txt"));
    // -I: ignore the source in PYTHONPATH.
    RankProcess rank(feed.folder, {folder + "/venv/bin/python", "-I", "-c", R"py(
import os, sys, sweepscope
assert sweepscope.__file__.startswith(sys.prefix), sweepscope.__file__
assert os.path.exists(os.path.join(os.path.dirname(sweepscope.__file__), "py.typed"))
with sweepscope.init() as run:
    run.log(7, loss=0.5)
)py"});
    CHECK(rank.finish() == 0);
    CHECK(rank.output().empty());
    feed.drainAndRead();
    CHECK(feed.seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "point 0 7 0.500000"});
}
