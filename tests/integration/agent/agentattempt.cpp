#include "agentattempt.h"

#include "base/files.h"
#include "launch/leftovers.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

namespace sweepscope::test {

using namespace launch;

namespace {

std::filesystem::path newFolder()
{
    char name[] = "/tmp/sweepscope-agent-XXXXXX";
    return ::mkdtemp(name);
}

}  // namespace

bool waitUntil(const std::function<bool()> &condition)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string contentOf(const std::filesystem::path &file)
{
    return readFile(file, 64 << 20).value_or("");
}

std::string client(const std::string &name)
{
    return std::string(SWEEPSCOPE_TEST_BIN_DIR) + "/clients/client-" + name;
}

AgentAttempt::AgentAttempt(std::vector<std::string> argv, int ranks)
    : layout{newFolder()}, m_reader(layout.eventsFile())
{
    static std::atomic<int> number{0};
    spec.attemptId = "test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
    spec.argv = std::move(argv);
    spec.ranks = ranks;
    spec.workingFolder = layout.folder.string();
}

AgentAttempt::~AgentAttempt()
{
    (void)signalProcess(m_agent, SIGKILL);
    waitUntil([&] { return !agentIsAlive(); });
    killLeftovers(spec.attemptId);
    for (int rank = 0; rank < spec.ranks; ++rank) {  // of an agent that was killed
        std::error_code error;
        const auto ring = std::filesystem::read_symlink(layout.rankRing(rank), error);
        if (!error)
            std::filesystem::remove(ring, error);
    }
    std::filesystem::remove_all(layout.folder);
}

void AgentAttempt::start()
{
    REQUIRE(writeLaunchSpec(spec, layout.launchFile()).has_value());
    const auto started = startAgent(std::string(SWEEPSCOPE_BIN_DIR) + "/sweepscope-agent", layout.folder, leases);
    REQUIRE(started.has_value());
    m_agent = *started;
}

bool AgentAttempt::startFrom(ForkServer &server)
{
    REQUIRE(writeLaunchSpec(spec, layout.launchFile()).has_value());
    const auto started = server.startAgent(layout.folder, leases);
    if (started)
        m_agent = *started;
    return started.has_value();
}

void AgentAttempt::signal(int number) const
{
    REQUIRE(signalProcess(m_agent, number).has_value());
}

const std::vector<AttemptEvent> &AgentAttempt::events()
{
    for (AttemptEvent &event : m_reader.poll())
        m_events.push_back(std::move(event));
    return m_events;
}

std::optional<AttemptEvent> AgentAttempt::find(AttemptEventKind kind, int rank)
{
    for (const AttemptEvent &event : events()) {
        if (event.kind == kind && (rank < 0 || event.rank == rank))
            return event;
    }
    return std::nullopt;
}

bool AgentAttempt::waitFor(AttemptEventKind kind, int rank)
{
    return waitUntil([&] { return find(kind, rank).has_value(); });
}

AttemptEvent AgentAttempt::run()
{
    start();
    return waitForEnd();
}

AttemptEvent AgentAttempt::waitForEnd()
{
    REQUIRE(waitUntil([&] { return !agentIsAlive(); }));
    REQUIRE_FALSE(events().empty());
    REQUIRE(m_events.back().kind == AttemptEventKind::Ended);
    return m_events.back();
}

}  // namespace sweepscope::test
