#pragma once

#include "engine/jobfiles.h"
#include "engine/machinepool.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// On a file system of the cluster, which a node process on its login node sees: what jobs write is copied here.
class RemoteJobFiles : public JobFiles {
public:
    struct Attempt {
        std::string machine;  ///< the login node
        std::string folder;   ///< relative to the workspace
        std::string id;
        std::string agentFolder{};            ///< of the agent that is followed: `folder`, or one below
        bool hasOthers = false;               ///< the job runs agents on other nodes, whose ranks write to `folder`
        std::optional<std::int64_t> start{};  ///< the request that brings what the job needs
    };
    RemoteJobFiles(MachinePool &machines, Attempt attempt);

    std::optional<tl::expected<Place, facts::Fact>> place() override;
    bool withdraw() override;
    bool isReachable() const override;
    facts::Fact lost() const override;
    bool isComplete(bool hasJobEnded) override;
    Expected<void> write(const std::string &name, const std::string &content) override;
    std::string name() const override { return m_attempt.folder; }
    Expected<void> handOver(const std::string &other, const std::string &folder) override;
    void ended() override;

private:
    using Time = std::chrono::steady_clock::time_point;

    Expected<void> post(const std::string &path, const std::string &content);

    MachinePool &m_machines;
    Attempt m_attempt;
    std::optional<std::int64_t> m_withdrawal;
    bool m_isClosing = false;  ///< nothing more is written
    bool m_wasComplete = false;
    std::optional<Time> m_asked;  ///< whether it is complete, for the first time
};

}  // namespace sweepscope::engine
