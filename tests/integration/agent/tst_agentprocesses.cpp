// The agent's processes: their surroundings, their descendants, and what is left if it dies itself.
#include "agentattempt.h"
#include "device/cpusource.h"
#include "launch/childnotes.h"
#include "launch/leftovers.h"
#include "process/processstat.h"

#include <csignal>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

/// The processes that client-grandchildren listed.
std::vector<ProcessIdentity> grandchildrenIn(const std::filesystem::path &file)
{
    REQUIRE(waitUntil([&] { return std::filesystem::exists(file); }));
    std::vector<ProcessIdentity> found;
    std::istringstream lines(contentOf(file));
    for (pid_t pid = 0; lines >> pid;) {
        const auto startTime = processStartTime(pid);
        found.push_back({pid, startTime.value_or(0)});
    }
    REQUIRE(found.size() == 3);
    return found;
}

char stateOf(pid_t pid)
{
    const auto stat = process::readProcessStat(pid);
    return stat ? stat->state : '?';
}

}  // namespace

TEST_CASE("each rank has torchrun's environment, a separate process group, and only its log as an inherited descriptor")
{
    AgentAttempt attempt({client("printsenvironment"), "--lr", "0.1 {x}", ""}, 2);
    attempt.spec.trial = 5;
    attempt.spec.environment = {{"GREETING", "hello \"you\""}};
    attempt.spec.devices = {{"GPU-a"}, {"GPU-b"}};
    REQUIRE(attempt.run().outcome == AttemptOutcome::Completed);

    std::set<std::string> ports, rings;
    std::set<int> groups;
    for (int rank = 0; rank < 2; ++rank) {
        const auto said = nlohmann::json::parse(contentOf(attempt.layout.rankLog(rank)));
        const auto &e = said["environment"];
        CHECK(e["RANK"] == std::to_string(rank));
        CHECK(e["WORLD_SIZE"] == "2");
        CHECK(e["TORCHELASTIC_RUN_ID"] == attempt.spec.attemptId);
        CHECK(e["CUDA_VISIBLE_DEVICES"] == "GPU-a,GPU-b");
        CHECK(e["SWEEPSCOPE_TRIAL"] == "5");
        CHECK(e["SWEEPSCOPE_ATTEMPT_FOLDER"] == attempt.layout.folder.string());
        CHECK(e["GREETING"] == "hello \"you\"");
        CHECK(e.contains("PATH"));  // inherited from the agent
        CHECK(said["folder"] == attempt.layout.folder.string());
        CHECK(said["arguments"][1] == "--lr");
        CHECK(said["arguments"][2] == "0.1 {x}");
        CHECK(said["arguments"][3] == "");
        CHECK(said["group"] == said["pid"]);
        CHECK(said["descriptors"] == nlohmann::json({0, 1, 2}));
        ports.insert(e["MASTER_PORT"]);
        rings.insert(e["SWEEPSCOPE_RING"]);
        groups.insert(said["group"].get<int>());
    }
    CHECK(ports.size() == 1);
    CHECK(std::stoi(*ports.begin()) > 1023);
    CHECK(rings.size() == 2);
    CHECK(groups.size() == 2);
}

TEST_CASE("ranks are bound to their assigned CPUs, and run unbound if these do not exist")
{
    const std::set<int> allowed = device::allowedCores();
    const int last = *allowed.rbegin();
    AgentAttempt attempt({client("printsenvironment")}, 2);
    attempt.spec.cpus = {{last}, {}};
    REQUIRE(attempt.run().outcome == AttemptOutcome::Completed);
    const auto cpusOf = [&](int rank) -> std::set<int> {
        return nlohmann::json::parse(contentOf(attempt.layout.rankLog(rank)))["cpus"];
    };
    CHECK(cpusOf(0) == std::set{last});
    CHECK(cpusOf(1) == allowed);

    AgentAttempt without({client("printsenvironment")});
    without.spec.cpus = {{1'000'000}};
    REQUIRE(without.run().outcome == AttemptOutcome::Completed);
    const std::string log = contentOf(without.layout.rankLog(0));
    CHECK(log.find("could not be bound to its CPUs") != std::string::npos);
    CHECK(nlohmann::json::parse(log.substr(log.find('{')))["cpus"] == nlohmann::json(allowed));
}

TEST_CASE("attempts that run at the same time have different ports")
{
    AgentAttempt first({client("printsenvironment")});
    AgentAttempt second({client("printsenvironment")});
    first.start();
    second.start();
    first.waitForEnd();
    second.waitForEnd();
    const auto port = [](const AgentAttempt &attempt) {
        return nlohmann::json::parse(contentOf(attempt.layout.rankLog(0)))["environment"]["MASTER_PORT"];
    };
    CHECK(port(first) != port(second));
}

TEST_CASE("no descendant outlives a stopped attempt, however it tries to escape")
{
    AgentAttempt attempt({client("grandchildren"), "pids"});
    attempt.spec.grace = std::chrono::milliseconds(200);
    attempt.start();
    const auto grandchildren = grandchildrenIn(attempt.layout.folder / "pids");
    for (const auto &process : grandchildren)
        CHECK(isAlive(process));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    for (const auto &process : grandchildren)
        CHECK_FALSE(isAlive(process));
}

TEST_CASE("processes left behind by a rank that exits with 0 are ended, too")
{
    AgentAttempt attempt({client("grandchildren"), "pids", "exit"});
    attempt.spec.grace = std::chrono::milliseconds(200);
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    for (const auto &process : grandchildrenIn(attempt.layout.folder / "pids"))
        CHECK_FALSE(isAlive(process));
}

TEST_CASE("if the agent is killed its ranks die, and leftover processes are found by the attempt's id")
{
    AgentAttempt attempt({client("grandchildren"), "pids"});
    attempt.start();
    const auto grandchildren = grandchildrenIn(attempt.layout.folder / "pids");
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));  // the rank may run before its event is written
    const auto rank = attempt.find(AttemptEventKind::RankStarted, 0);
    attempt.signal(SIGKILL);
    CHECK(waitUntil([&] { return !isAlive({rank->pid, rank->startTime}); }));

    // The kernel does not signal the grandchildren.
    CHECK(killLeftovers(attempt.spec.attemptId).killed == 3);
    for (const auto &process : grandchildren)
        CHECK(waitUntil([&] { return !isAlive(process); }));
    CHECK_FALSE(attempt.find(AttemptEventKind::Ended).has_value());
}

TEST_CASE("a child that has cleared its environment is found after its agent was killed, because it was noted")
{
    AgentAttempt attempt({"sh", "-c", "env -i sleep 1000 & echo $! > pid.new; mv pid.new pid; wait"});
    attempt.start();
    const std::filesystem::path file = attempt.layout.folder / "pid";
    REQUIRE(waitUntil([&] { return std::filesystem::exists(file); }));
    const pid_t pid = std::stoi(contentOf(file));
    const ProcessIdentity child{pid, processStartTime(pid).value_or(0)};
    const auto noted = [&] { return readChildNotes(attempt.layout.childNotes()); };
    // The shell's other child, which has moved the file, may be noted before it has ended.
    REQUIRE(waitUntil([&] { return noted().size() == 1 && noted().front().pid == child.pid; }));
    attempt.signal(SIGKILL);
    REQUIRE(waitUntil([&] { return !attempt.agentIsAlive(); }));
    REQUIRE(waitUntil([&] { return contentOf("/proc/" + std::to_string(pid) + "/environ").empty(); }));

    killLeftovers(attempt.spec.attemptId);  // those with the variable; the rank itself may still be ending
    CHECK(isAlive(child));
    // A note whose pid was reused does not count.
    CHECK(killLeftovers(attempt.spec.attemptId, {{{child.pid, child.startTime + 1}}, 0}).killed == 0);
    CHECK(isAlive(child));
    CHECK(killLeftovers(attempt.spec.attemptId, {noted(), attempt.agent().startTime}).killed == 1);
    CHECK(waitUntil([&] { return !isAlive(child); }));
}

TEST_CASE("QUIT kills all ranks immediately, and the attempt is stopped")
{
    AgentAttempt attempt({client("grandchildren"), "pids"});
    attempt.spec.grace = std::chrono::hours(1);  // too long to wait for
    attempt.start();
    const auto grandchildren = grandchildrenIn(attempt.layout.folder / "pids");
    REQUIRE(waitUntil([&] { return readChildNotes(attempt.layout.childNotes()).size() == 3; }));
    attempt.signal(SIGQUIT);
    const AttemptEvent end = attempt.waitForEnd();
    CHECK(end.outcome == AttemptOutcome::Stopped);
    CHECK(end.reason.code == facts::Code::KilledOnRequest);
    for (const auto &process : grandchildren)
        CHECK_FALSE(isAlive(process));
    CHECK_FALSE(std::filesystem::exists(attempt.layout.childNotes()));
}

TEST_CASE("TSTP freezes the ranks and their children, CONT continues them")
{
    AgentAttempt attempt({client("grandchildren"), "pids"});
    attempt.spec.grace = std::chrono::milliseconds(200);
    attempt.start();
    std::vector<ProcessIdentity> all = grandchildrenIn(attempt.layout.folder / "pids");
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));  // the rank may run before its event is written
    const auto rank = attempt.find(AttemptEventKind::RankStarted, 0);
    all.push_back({rank->pid, rank->startTime});

    attempt.signal(SIGTSTP);
    for (const auto &process : all)
        CHECK(waitUntil([&] { return stateOf(process.pid) == 'T'; }));
    attempt.signal(SIGCONT);
    for (const auto &process : all)
        CHECK(waitUntil([&] { return stateOf(process.pid) == 'S'; }));
    attempt.signal(SIGTSTP);
    CHECK(waitUntil([&] { return stateOf(rank->pid) == 'T'; }));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->signal == SIGTERM);
}

TEST_CASE("a frozen attempt does not time out")
{
    AgentAttempt attempt({client("hangs")});
    attempt.spec.timeout = std::chrono::milliseconds(1500);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));
    attempt.signal(SIGTSTP);
    const auto started = attempt.find(AttemptEventKind::RankStarted, 0)->time;
    REQUIRE(waitUntil([&] { return wallNow() - started > 2'000'000'000; }));
    CHECK(attempt.agentIsAlive());
    attempt.signal(SIGCONT);
    CHECK(attempt.waitForEnd().reason.code == facts::Code::TimedOut);
}
