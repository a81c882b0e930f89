// Agents and ranks from a fork server: they equal those started by exec, and a server that fails costs no attempt.
#include "agentattempt.h"
#include "base/filedescriptor.h"
#include "device/cpusource.h"
#include "launch/forkserver.h"
#include "launch/leftovers.h"
#include "process/processstat.h"

#include <array>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

const std::string forks = client("forks");

/// A server that has loaded: the attempt whose agent it forked is over.
struct LoadedServer : ForkServer {
    explicit LoadedServer(const std::filesystem::path &program = forks,
                          std::chrono::milliseconds patience = std::chrono::seconds(30))
        : ForkServer(program, patience)
    {
        AgentAttempt first({forks, "exit", "0"});
        REQUIRE(waitUntil([&] {
            start();
            return first.startFrom(*this);
        }));
        REQUIRE(first.waitForEnd().outcome == AttemptOutcome::Completed);
    }
};

struct Said {
    nlohmann::json surroundings;
    std::string how;
};

Said saidBy(const AgentAttempt &attempt, int rank)
{
    std::istringstream log(contentOf(attempt.layout.rankLog(rank)));
    std::string json;
    Said said;
    std::getline(log, json);
    std::getline(log, said.how);
    said.surroundings = nlohmann::json::parse(json);
    return said;
}

ProcessIdentity rankOf(AgentAttempt &attempt, int rank)
{
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, rank));
    const AttemptEvent event = *attempt.find(AttemptEventKind::RankStarted, rank);
    REQUIRE(waitUntil([&] { return contentOf(attempt.layout.rankLog(rank)) == "waiting\n"; }));
    return {event.pid, event.startTime};
}

std::string commandLine(pid_t pid)
{
    std::string text = contentOf("/proc/" + std::to_string(pid) + "/cmdline");
    text.erase(text.find_last_not_of('\0') + 1);
    return text;
}

}  // namespace

TEST_CASE("executed and forked agents and ranks keep leases until the ranks have ended or are killed")
{
    LoadedServer server;
    const auto isFree = [](const std::filesystem::path &file) {
        const FileDescriptor opened(::open(file.c_str(), O_RDWR | O_CLOEXEC));
        return ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0;
    };
    for (const bool forked : {false, true}) {
        for (const bool killed : {false, true}) {
            CAPTURE(forked);
            CAPTURE(killed);
            AgentAttempt attempt({forks, "wait"}, 2);
            const std::filesystem::path file = attempt.layout.folder / "GPU-a.lease";
            FileDescriptor lease(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
            REQUIRE(::flock(lease.get(), LOCK_SH) == 0);
            attempt.leases = {lease.get()};
            if (forked)
                REQUIRE(attempt.startFrom(server));
            else
                attempt.start();
            lease.reset();
            const ProcessIdentity rank = rankOf(attempt, 1);
            CHECK_FALSE(isFree(file));
            const auto shows = [&](pid_t pid) {
                std::error_code error;
                int found = 0;
                for (const auto &entry :
                     std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", error))
                    found += std::filesystem::read_symlink(entry.path(), error) == file ? 1 : 0;
                return found;
            };
            CHECK(shows(attempt.agent().pid) == 1);
            CHECK(shows(rank.pid) == 1);
            attempt.signal(killed ? SIGKILL : SIGTERM);
            CHECK(waitUntil([&] { return isFree(file); }));
            CHECK(waitUntil([&] { return !isAlive(rank); }));
        }
    }
}

TEST_CASE("a forked rank has the same surroundings as an executed one")
{
    LoadedServer server;
    AgentAttempt executed({forks, "surroundings", "0.1 {x}", ""}, 2);
    AgentAttempt forked(executed.spec.argv, 2);
    for (AgentAttempt *attempt : {&executed, &forked}) {
        attempt->spec.trial = 5;
        attempt->spec.ompThreads = 3;
        attempt->spec.cpus = {{*device::allowedCores().begin()}, {}};
        attempt->spec.devices = {{"GPU-a"}, {"GPU-b"}};
        attempt->spec.environment = {{"SWEEPSCOPE_PARAMS", "{}"}};
        attempt->spec.attemptId = executed.spec.attemptId;
    }
    forked.spec.workingFolder = executed.spec.workingFolder;
    REQUIRE(executed.run().outcome == AttemptOutcome::Completed);
    REQUIRE(forked.startFrom(server));
    REQUIRE(forked.waitForEnd().outcome == AttemptOutcome::Completed);

    for (int rank = 0; rank < 2; ++rank) {
        Said one = saidBy(executed, rank);
        Said other = saidBy(forked, rank);
        CHECK(one.how == "executed");
        CHECK(other.how == "forked");
        for (Said *said : {&one, &other}) {
            auto &surroundings = said->surroundings;
            CHECK(surroundings["group"] == surroundings["pid"]);
            CHECK(surroundings["environment"]["OMP_NUM_THREADS"] == "3");
            // Of this attempt only.
            for (const char *name :
                 {"MASTER_PORT", "SWEEPSCOPE_ATTEMPT_FOLDER", "SWEEPSCOPE_RING", "TORCHELASTIC_ERROR_FILE",
                  "TORCH_FR_DUMP_TEMP_FILE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"})
                CHECK(surroundings["environment"].erase(name) == 1);
            surroundings.erase("pid");
            surroundings.erase("group");
        }
        CHECK(one.surroundings == other.surroundings);
    }
}

TEST_CASE("a forked agent is reparented, has a separate session, and its ranks are its children")
{
    LoadedServer server;
    AgentAttempt attempt({forks, "wait"}, 2);
    REQUIRE(attempt.startFrom(server));
    const pid_t agent = attempt.agent().pid;
    REQUIRE(attempt.waitFor(AttemptEventKind::AgentStarted));
    CHECK(attempt.find(AttemptEventKind::AgentStarted)->pid == agent);
    CHECK(attempt.find(AttemptEventKind::AgentStarted)->startTime == attempt.agent().startTime);
    CHECK(process::readProcessStat(agent)->parent != server.pid());
    CHECK(::waitpid(agent, nullptr, WNOHANG) == -1);
    CHECK(::getsid(agent) != ::getsid(0));
    CHECK(::getsid(agent) != ::getsid(server.pid()));
    CHECK(contentOf("/proc/" + std::to_string(agent) + "/comm") == "sweepscope-agen\n");
    CHECK(commandLine(agent) == std::string("sweepscope-agent\0", 17) + attempt.layout.folder.string());
    for (int rank = 0; rank < 2; ++rank) {
        const pid_t pid = rankOf(attempt, rank).pid;
        CHECK(process::readProcessStat(pid)->parent == agent);
        CHECK(process::readProcessStat(pid)->group == pid);
        CHECK(commandLine(pid) == forks + std::string("\0wait", 5));
    }
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
}

TEST_CASE("exit codes and signals of forked ranks are distinguished")
{
    LoadedServer server;
    AgentAttempt exits({forks, "exit", "7"});
    REQUIRE(exits.startFrom(server));
    CHECK(exits.waitForEnd().outcome == AttemptOutcome::Failed);
    CHECK(exits.find(AttemptEventKind::RankExited, 0)->exitCode == 7);

    AgentAttempt aborts({forks, "abort"});
    REQUIRE(aborts.startFrom(server));
    CHECK(aborts.waitForEnd().outcome == AttemptOutcome::Failed);
    CHECK(aborts.find(AttemptEventKind::RankExited, 0)->signal == SIGABRT);
}

TEST_CASE("forked ranks die with their agent, and are found by their attempt's id")
{
    LoadedServer server;
    AgentAttempt attempt({forks, "wait"}, 2);
    REQUIRE(attempt.startFrom(server));
    const ProcessIdentity first = rankOf(attempt, 0);
    const ProcessIdentity second = rankOf(attempt, 1);
    attempt.signal(SIGSTOP);  // or it would end the second when it sees the first end
    CHECK(killLeftovers(attempt.spec.attemptId).killed == 2);
    CHECK(waitUntil([&] { return !isAlive(first) && !isAlive(second); }));

    AgentAttempt other({forks, "wait"}, 2);
    REQUIRE(other.startFrom(server));
    const ProcessIdentity third = rankOf(other, 0);
    const ProcessIdentity fourth = rankOf(other, 1);
    other.signal(SIGKILL);
    CHECK(waitUntil([&] { return !isAlive(third) && !isAlive(fourth); }));
}

TEST_CASE("an attempt outlives its fork server, and another server can be started")
{
    LoadedServer server;
    AgentAttempt attempt({forks, "wait"});
    REQUIRE(attempt.startFrom(server));
    const ProcessIdentity rank = rankOf(attempt, 0);
    const pid_t pid = server.pid();
    ::kill(pid, SIGKILL);
    REQUIRE(waitUntil([&] { return process::readProcessStat(pid)->state == 'Z'; }));

    AgentAttempt next({forks, "exit", "0"});
    CHECK_FALSE(next.startFrom(server));
    CHECK(next.run().outcome == AttemptOutcome::Completed);
    AgentAttempt last({forks, "exit", "0"});
    CHECK(waitUntil([&] {
        server.start();
        return last.startFrom(server);
    }));
    CHECK(last.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(isAlive(rank));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
}

TEST_CASE("a fork server that does not respond is ended, and has started nothing")
{
    LoadedServer server(forks, std::chrono::seconds(3));
    const ProcessIdentity process{server.pid(), processStartTime(server.pid()).value()};
    ::kill(process.pid, SIGSTOP);
    AgentAttempt attempt({forks, "exit", "0"});
    CHECK_FALSE(attempt.startFrom(server));
    CHECK_FALSE(isAlive(process));
    CHECK_FALSE(std::filesystem::exists(attempt.layout.eventsFile()));
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
}

TEST_CASE("a fork server ends with the process that started it")
{
    std::array<int, 2> fds{-1, -1};
    REQUIRE(::pipe(fds.data()) == 0);
    const pid_t engine = ::fork();
    if (engine == 0) {
        ForkServer server(forks);
        server.start();
        const pid_t pid = server.pid();
        [[maybe_unused]] const ssize_t put = ::write(fds[1], &pid, sizeof pid);
        ::raise(SIGKILL);
    }
    ::close(fds[1]);
    pid_t server = 0;
    REQUIRE(::read(fds[0], &server, sizeof server) == static_cast<ssize_t>(sizeof server));
    ::close(fds[0]);
    ::waitpid(engine, nullptr, 0);
    CHECK(waitUntil([&] {
        const auto stat = process::readProcessStat(server);
        return !stat || stat->state == 'Z' || commandLine(server).find("fork-server") == std::string::npos;
    }));
}

TEST_CASE("other programs, and programs with additional variables, are executed instead of forked")
{
    LoadedServer server;
    AgentAttempt another({client("printsenvironment")});
    REQUIRE(another.startFrom(server));
    REQUIRE(another.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(nlohmann::json::parse(contentOf(another.layout.rankLog(0)))["descriptors"]
          == nlohmann::json::array({0, 1, 2}));

    AgentAttempt personal({forks, "surroundings"});
    personal.spec.environment = {{"LD_PRELOAD", ""}};
    REQUIRE(personal.startFrom(server));
    REQUIRE(personal.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(saidBy(personal, 0).how == "executed");
}

TEST_CASE("after an upgrade the new program runs")
{
    char folder[] = "/tmp/sweepscope-forks-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    const std::filesystem::path program = std::filesystem::path(folder) / "forks";
    std::filesystem::copy_file(forks, program);
    LoadedServer server(program);
    AgentAttempt before({program.string(), "surroundings"});
    REQUIRE(before.startFrom(server));
    REQUIRE(before.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(saidBy(before, 0).how == "forked");

    std::filesystem::copy_file(forks, std::filesystem::path(folder) / "new");
    std::filesystem::rename(std::filesystem::path(folder) / "new", program);
    AgentAttempt after({program.string(), "surroundings"});
    REQUIRE(after.startFrom(server));
    REQUIRE(after.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(saidBy(after, 0).how == "executed");

    const pid_t old = server.pid();
    server.start();
    CHECK(server.pid() != old);
    std::filesystem::remove_all(folder);
}
