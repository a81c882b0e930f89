#include "base/files.h"
#include "launch/agentprocess.h"
#include "launch/leftovers.h"
#include "launch/masterport.h"
#include "process/processstat.h"
#include "temporaryfolder.h"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

const std::string clients = std::string(SWEEPSCOPE_TEST_BIN_DIR) + "/clients";

bool waitUntil(const std::function<bool()> &condition)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string content(const std::filesystem::path &file)
{
    return readFile(file, 1 << 20).value_or("");
}

/// A child of this test with one variable in its environment.
pid_t spawn(const std::string &program, std::string variable)
{
    std::string name = program;
    char *argv[] = {name.data(), nullptr};
    char *environment[] = {variable.data(), nullptr};
    pid_t pid = 0;
    REQUIRE(::posix_spawn(&pid, program.c_str(), nullptr, nullptr, argv, environment) == 0);
    return pid;
}

/// Returns the signal that ended the process; 0 if none did. A process that still runs after a timeout is killed, so
/// that the test fails instead of hanging.
int signalThatEnded(pid_t pid)
{
    int status = 0;
    if (!waitUntil([&] { return ::waitpid(pid, &status, WNOHANG) == pid; })) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return 0;
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("a process is identified by its pid and start time")
{
    const auto startTime = processStartTime(::getpid());
    REQUIRE(startTime.has_value());
    CHECK(isAlive({::getpid(), *startTime}));
    CHECK_FALSE(isAlive({::getpid(), *startTime + 1}));
    CHECK(processStartTime(0).error().code == ErrorCode::NotFound);
}

TEST_CASE("a zombie is not alive, and a signal does not reach the next process with its pid")
{
    const pid_t pid = spawn(clients + "/client-hangs", "A=1");
    const ProcessIdentity child{pid, processStartTime(pid).value()};
    CHECK(signalProcess({pid, child.startTime + 1}, SIGKILL).error().code == ErrorCode::NotFound);
    CHECK(isAlive(child));

    REQUIRE(signalProcess(child, SIGTERM).has_value());
    CHECK(waitUntil([&] { return !isAlive(child); }));  // but still in the process table
    CHECK(signalThatEnded(pid) == SIGTERM);
    CHECK(signalProcess(child, SIGTERM).error().code == ErrorCode::NotFound);
}

TEST_CASE("an agent starts in a separate session, writes to agent.log and leaves no zombie")
{
    const TemporaryFolder folder;
    const auto attempt = folder.path / "attempt";
    std::filesystem::create_directory(attempt);
    std::ofstream(attempt / "launch.json") << "{}";
    const auto agent = startAgent(clients + "/client-hangs", attempt);
    REQUIRE(agent.has_value());
    CHECK(isAlive(*agent));
    CHECK(waitUntil([&] { return content(attempt / "agent.log") == "hanging\n"; }));
    CHECK(::getsid(agent->pid) != ::getsid(0));
    CHECK(signalProcess(*agent, SIGKILL).has_value());
    CHECK(waitUntil([&] { return !process::readProcessStat(agent->pid); }));
}

TEST_CASE("an agent inherits no descriptor except its log")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path / "launch.json") << "{}";
    const int leaky = ::dup(STDERR_FILENO);  // without close-on-exec
    const auto agent = startAgent(clients + "/client-printsenvironment", folder.path);
    ::close(leaky);
    REQUIRE(agent.has_value());
    CHECK(waitUntil([&] { return content(folder.path / "agent.log").find("\"descriptors\"") != std::string::npos; }));
    CHECK(content(folder.path / "agent.log").find("\"descriptors\":[0,1,2]") != std::string::npos);
}

TEST_CASE("an agent that ends immediately still has an identity")
{
    for (int i = 0; i < 20; ++i) {
        const TemporaryFolder folder;
        std::ofstream(folder.path / "launch.json") << "{}";
        const auto agent = startAgent(clients + "/client-ok", folder.path);
        REQUIRE(agent.has_value());
        CHECK(agent->startTime > 0);
        CHECK(waitUntil([&] { return !isAlive(*agent); }));
    }
}

TEST_CASE("an agent that cannot be started is an error with its name")
{
    const TemporaryFolder folder;
    const auto none = startAgent(clients + "/client-ok", folder.path);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("launch.json") != std::string::npos);

    std::ofstream(folder.path / "launch.json") << "{}";
    const auto missing = startAgent(folder.path / "no-agent", folder.path);
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().code == ErrorCode::NotFound);
    CHECK(missing.error().message
          == "cannot start " + (folder.path / "no-agent").string() + ": No such file or directory");
}

TEST_CASE("leftover processes of one attempt are ended, those of another stay")
{
    const std::string id = "leftovers-test-" + std::to_string(::getpid());
    const pid_t first = spawn(clients + "/client-ignoresterm", "SWEEPSCOPE_ATTEMPT_ID=" + id);
    const pid_t second = spawn(clients + "/client-ignoresterm", "SWEEPSCOPE_ATTEMPT_ID=" + id);
    const pid_t other = spawn(clients + "/client-hangs", "SWEEPSCOPE_ATTEMPT_ID=" + id + "0");

    CHECK(killLeftovers(id).killed == 2);
    CHECK(signalThatEnded(first) == SIGKILL);
    CHECK(signalThatEnded(second) == SIGKILL);
    CHECK(killLeftovers(id).killed == 0);
    CHECK(killLeftovers("").killed == 0);
    CHECK(processStartTime(other).has_value());
    ::kill(other, SIGKILL);
    CHECK(signalThatEnded(other) == SIGKILL);
}

TEST_CASE("a master port is free, and leased ports differ")
{
    std::vector<MasterPort> ports;
    std::vector<int> numbers;
    for (int i = 0; i < 20; ++i) {
        auto port = MasterPort::choose();
        REQUIRE(port.has_value());
        CHECK(std::find(numbers.begin(), numbers.end(), port->number()) == numbers.end());
        numbers.push_back(port->number());
        ports.push_back(std::move(*port));
    }
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(numbers.front()));
    CHECK(::bind(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0);
    ::close(socket);
}
