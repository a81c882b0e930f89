#pragma once

#include "base/workspacelayout.h"
#include "launch/agentprocess.h"
#include "launch/attemptevents.h"
#include "launch/forkserver.h"
#include "launch/launchspec.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::test {

/// Polls until `condition` holds; false after half a minute.
bool waitUntil(const std::function<bool()> &condition);
std::string contentOf(const std::filesystem::path &file);
/// Returns the path of a program of tests/clients.
std::string client(const std::string &name);

/// One attempt run by the real sweepscope-agent in a temporary folder. The destructor ends all its processes.
class AgentAttempt {
public:
    explicit AgentAttempt(std::vector<std::string> argv, int ranks = 1);
    ~AgentAttempt();
    AgentAttempt(const AgentAttempt &) = delete;
    AgentAttempt &operator=(const AgentAttempt &) = delete;

    launch::LaunchSpec spec;
    AttemptLayout layout;
    std::vector<int> leases;  ///< descriptors for the agent to inherit

    /// Writes launch.json and starts the agent.
    void start();
    /// Starts it by a fork server; returns false if the server did not.
    bool startFrom(launch::ForkServer &server);
    void signal(int number) const;
    bool agentIsAlive() const { return launch::isAlive(m_agent); }
    launch::ProcessIdentity agent() const { return m_agent; }

    /// All events so far.
    const std::vector<launch::AttemptEvent> &events();
    std::optional<launch::AttemptEvent> find(launch::AttemptEventKind kind, int rank = -1);
    bool waitFor(launch::AttemptEventKind kind, int rank = -1);
    /// Starts the agent, waits for its end, and returns the last event, which must be Ended.
    launch::AttemptEvent run();
    launch::AttemptEvent waitForEnd();

private:
    launch::ProcessIdentity m_agent;
    launch::AttemptEventReader m_reader;
    std::vector<launch::AttemptEvent> m_events;
};

}  // namespace sweepscope::test
