// How attempts end: completed, by a failing rank, on request, by a timeout.
#include "agentattempt.h"
#include "base/logtimes.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

std::size_t countOf(AgentAttempt &attempt, AttemptEventKind kind)
{
    std::size_t count = 0;
    for (const AttemptEvent &event : attempt.events())
        count += event.kind == kind ? 1 : 0;
    return count;
}

std::size_t positionOf(AgentAttempt &attempt, AttemptEventKind kind, int rank)
{
    const auto &events = attempt.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind == kind && events[i].rank == rank)
            return i;
    }
    return events.size();
}

}  // namespace

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// A rank that exited with these last words, which are an error.
Fact exited(int rank, int code, const char *words)
{
    return Fact(Code::RankExited)
        .with(Field::Rank, rank)
        .with(Field::ExitCode, code)
        .with(Field::IsError, 1)
        .with(Field::Detail, words);
}

}  // namespace

TEST_CASE("an attempt whose ranks exit with 0 is completed, and its files record that")
{
    AgentAttempt attempt({client("ok")}, 2);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Completed);
    CHECK_FALSE(ended.reason);

    CHECK(attempt.events().front().kind == AttemptEventKind::AgentStarted);
    CHECK(attempt.events().front().pid == attempt.agent().pid);
    CHECK(attempt.events().front().startTime == attempt.agent().startTime);
    CHECK(countOf(attempt, AttemptEventKind::RankStarted) == 2);
    CHECK(countOf(attempt, AttemptEventKind::RankExited) == 2);
    CHECK_FALSE(attempt.find(AttemptEventKind::FirstError).has_value());
    for (int rank = 0; rank < 2; ++rank) {
        CHECK(attempt.find(AttemptEventKind::RankExited, rank)->exitCode == 0);
        CHECK(contentOf(attempt.layout.rankLog(rank)) == "all is well\n");
        LogTimes times(attempt.layout.rankTimes(rank));
        times.refresh();
        CHECK(times.timeOf(0).has_value());
        CHECK(times.timeOf(11).has_value());
        CHECK_FALSE(times.timeOf(12).has_value());
        CHECK_FALSE(std::filesystem::is_symlink(attempt.layout.rankRing(rank)));
    }
    CHECK(contentOf(attempt.layout.agentLog()).empty());
}

TEST_CASE("a rank that exits non-zero fails the attempt: first the cause, then the end of the others")
{
    AgentAttempt attempt({client("exits"), "3", "1", "Traceback (most recent call last):", "  File \"t.py\", line 1",
                          "ValueError: lr must be positive"},
                         3);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason == exited(1, 3, "ValueError: lr must be positive").with(Field::Source, "t.py:1"));
    const auto first = attempt.find(AttemptEventKind::FirstError);
    REQUIRE(first.has_value());
    CHECK(first->rank == 1);
    CHECK(first->reason == ended.reason);
    CHECK(countOf(attempt, AttemptEventKind::FirstError) == 1);

    const std::size_t cause = positionOf(attempt, AttemptEventKind::FirstError, 1);
    CHECK(positionOf(attempt, AttemptEventKind::RankExited, 1) < cause);
    for (const int other : {0, 2}) {
        CHECK(positionOf(attempt, AttemptEventKind::RankExited, other) > cause);
        CHECK(attempt.find(AttemptEventKind::RankExited, other)->signal == SIGTERM);
    }
}

TEST_CASE("a rank that crashes fails the attempt with its signal")
{
    AgentAttempt attempt({client("crashes"), std::to_string(SIGSEGV)});
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason.code == Code::RankKilled);
    CHECK(ended.reason.integer(Field::Signal) == SIGSEGV);
    const auto exited = attempt.find(AttemptEventKind::RankExited, 0);
    CHECK(exited->signal == SIGSEGV);
    CHECK_FALSE(exited->exitCode.has_value());
}

TEST_CASE("the message of an uncaught C++ exception is the cause")
{
    AgentAttempt attempt({client("throws")});
    CHECK(attempt.run().reason
          == Fact(Code::RankKilled)
                 .with(Field::Rank, 0)
                 .with(Field::Signal, SIGABRT)
                 .with(Field::IsError, 1)
                 .with(Field::Detail, "the cat ate the gradients"));
}

TEST_CASE("a rank that reports a lost peer is not the cause if the peer's own end is seen")
{
    // Rank 0 reports that its peer is gone and fails immediately; rank 1, the cause, is seen to end later.
    AgentAttempt attempt({"sh", "-c",
                          "if [ $RANK = 0 ]; then echo 'RuntimeError: Connection closed by peer'; exit 1; fi; "
                          "until [ -e go ]; do sleep 0.01; done; echo 'ValueError: the true cause'; exit 4"},
                         2);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankExited, 0));
    std::ofstream(attempt.layout.folder / "go") << "now";
    CHECK(attempt.waitForEnd().reason == exited(1, 4, "ValueError: the true cause"));
}

TEST_CASE("a log of many megabytes is kept completely, and its last error is found")
{
    AgentAttempt attempt({client("floods"), "20"});
    CHECK(attempt.run().reason == exited(0, 5, "error: enough"));
    CHECK(std::filesystem::file_size(attempt.layout.rankLog(0)) == 20 * 1024 * 1024 + 14);
}

TEST_CASE("a rank that exits with 0 does not end the others")
{
    AgentAttempt attempt({client("exits"), "0", "0"}, 2);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankExited, 0));
    const auto other = attempt.find(AttemptEventKind::RankStarted, 1);
    REQUIRE(other.has_value());
    CHECK(isAlive({other->pid, other->startTime}));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    CHECK_FALSE(attempt.find(AttemptEventKind::FirstError).has_value());
}

TEST_CASE("a rank that closes its output continues, and its exit code counts")
{
    AgentAttempt attempt({"sh", "-c", "exec >&- 2>&- <&-; until [ -e go ]; do sleep 0.02; done; exit $RANK"}, 2);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 1));
    REQUIRE(waitUntil([&] {
        return !std::filesystem::exists("/proc/" + std::to_string(attempt.find(AttemptEventKind::RankStarted, 1)->pid)
                                        + "/fd/1");
    }));
    CHECK(isAlive({attempt.find(AttemptEventKind::RankStarted, 1)->pid,
                   attempt.find(AttemptEventKind::RankStarted, 1)->startTime}));
    std::ofstream(attempt.layout.folder / "go") << "now";
    CHECK(attempt.waitForEnd().reason == Fact(Code::RankExited).with(Field::Rank, 1).with(Field::ExitCode, 1));
    CHECK(attempt.find(AttemptEventKind::RankExited, 0).has_value());
}

TEST_CASE("SIGTERM stops the ranks, and the attempt is stopped, not failed")
{
    AgentAttempt attempt({client("hangs")}, 2);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 1));
    attempt.signal(SIGTERM);
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Stopped);
    CHECK(ended.reason.code == Code::StoppedOnRequest);
    CHECK(countOf(attempt, AttemptEventKind::StopRequested) == 1);
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->signal == SIGTERM);
    CHECK_FALSE(attempt.find(AttemptEventKind::FirstError).has_value());
}

TEST_CASE("a rank can use its grace period to save its work")
{
    AgentAttempt attempt({client("stopspolitely")});
    attempt.start();
    REQUIRE(waitUntil([&] { return contentOf(attempt.layout.rankLog(0)) == "waiting\n"; }));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    CHECK(contentOf(attempt.layout.rankLog(0)) == "waiting\nsaved\n");
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->exitCode == 0);
}

TEST_CASE("a rank that ignores SIGTERM is killed after its grace period")
{
    AgentAttempt attempt({client("ignoresterm")});
    attempt.spec.grace = std::chrono::milliseconds(200);
    attempt.start();
    REQUIRE(waitUntil([&] { return contentOf(attempt.layout.rankLog(0)) == "not going\n"; }));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->signal == SIGKILL);
}

TEST_CASE("an attempt that exceeds its time limit fails, and the reason states the limit")
{
    AgentAttempt attempt({client("hangs")}, 2);
    attempt.spec.timeout = std::chrono::milliseconds(300);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason == Fact(Code::TimedOut).with(Field::Seconds, 0.3));
    CHECK(attempt.find(AttemptEventKind::TimedOut)->reason == ended.reason);
    CHECK(attempt.find(AttemptEventKind::RankExited, 1)->signal == SIGTERM);
}

TEST_CASE("a command that cannot start is reported in a sentence, and no rank runs")
{
    SUBCASE("no such program")
    {
        AgentAttempt attempt({"sweepscope-no-such-program", "x"}, 2);
        const auto ended = attempt.run();
        CHECK(ended.outcome == AttemptOutcome::Failed);
        CHECK(ended.reason
              == Fact(Code::RankNotStarted)
                     .with(Field::Rank, 0)
                     .with(Field::Detail, "cannot start 'sweepscope-no-such-program': No such file or directory"));
        CHECK(attempt.find(AttemptEventKind::FirstError, 0)->reason == ended.reason);
        CHECK(countOf(attempt, AttemptEventKind::RankStarted) == 0);
    }
    SUBCASE("not executable")
    {
        AgentAttempt attempt({"./script"});
        std::ofstream(attempt.layout.folder / "script") << "#!/bin/sh\n";
        CHECK(attempt.run()
                  .reason.text(Field::Detail)
                  .find("cannot start './script': Permission denied (is it executable?")
              == 0);
    }
    SUBCASE("a script without interpreter")
    {
        AgentAttempt attempt({"./script"});
        std::ofstream(attempt.layout.folder / "script") << "echo hello\n";
        ::chmod((attempt.layout.folder / "script").c_str(), 0755);
        CHECK(attempt.run()
                  .reason.text(Field::Detail)
                  .find("cannot start './script': Exec format error (start the script with a line")
              == 0);
    }
    SUBCASE("no working directory")
    {
        AgentAttempt attempt({client("ok")});
        attempt.spec.workingFolder = "/nonexistent/folder";
        CHECK(attempt.run()
                  .reason.text(Field::Detail)
                  .find("in the folder /nonexistent/folder: No such file or directory")
              != std::string::npos);
    }
}

TEST_CASE("ranks get the variables of the environment file, whose values are masked in the reason")
{
    AgentAttempt attempt({"sh", "-c", "echo \"$PLAIN $SET: login as $USER_ID failed\" >&2; exit 3"});
    const auto file = attempt.layout.folder / "keys.env";
    std::ofstream(file) << "USER_ID=anna-12345\nPLAIN=no\nSET=file\n";
    attempt.spec.environmentFile = file.string();
    attempt.spec.environment["SET"] = "definition";
    const auto ended = attempt.run();
    CHECK(ended.reason.text(Field::Detail) == "no definition: login as *** failed");
    CHECK(contentOf(attempt.layout.folder / "launch.json").find("anna-12345") == std::string::npos);
}

TEST_CASE("an environment file that is missing or malformed ends the attempt with the reason")
{
    AgentAttempt attempt({client("ok")});
    const auto file = attempt.layout.folder / "keys.env";
    attempt.spec.environmentFile = file.string();
    SUBCASE("missing")
    {
        const auto ended = attempt.run();
        CHECK(ended.reason.code == Code::AttemptNotStarted);
        CHECK(ended.reason.text(Field::Detail).find(file.string()) != std::string::npos);
    }
    SUBCASE("malformed")
    {
        std::ofstream(file) << "hunter2\n";
        const auto ended = attempt.run();
        CHECK(ended.reason.text(Field::Detail) == file.string() + ": line 1: NAME=VALUE is expected");
    }
}

TEST_CASE("an invalid launch.json ends the attempt with the reason")
{
    AgentAttempt attempt({client("ok")});
    attempt.spec.workingFolder = "relative";
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason.text(Field::Detail).find("launch.json: working_folder must be an absolute path")
          != std::string::npos);
    CHECK(attempt.find(AttemptEventKind::FirstError).has_value());
    CHECK(contentOf(attempt.layout.agentLog()).find("working_folder") != std::string::npos);
}

TEST_CASE("an attempt runs only once: a second agent in its folder changes nothing")
{
    AgentAttempt attempt({client("ok")});
    attempt.run();
    const std::string before = contentOf(attempt.layout.eventsFile());
    attempt.start();
    REQUIRE(waitUntil([&] { return !attempt.agentIsAlive(); }));
    CHECK(contentOf(attempt.layout.eventsFile()) == before);
    CHECK(contentOf(attempt.layout.agentLog()).find("this attempt was already run") != std::string::npos);
}
