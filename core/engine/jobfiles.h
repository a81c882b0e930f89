#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "facts/fact.h"
#include "launch/agentprocess.h"
#include "node/attemptrecovery.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// The files of an attempt that is a job, as far as it matters where the cluster is.
class JobFiles {
public:
    virtual ~JobFiles() = default;

    /// As the nodes of the cluster see them.
    struct Place {
        std::string folder;  ///< of the attempt
        std::string agent;   ///< the program
    };
    /// Returns where the job finds everything that it needs, or why it cannot; nullopt while that is prepared.
    virtual std::optional<tl::expected<Place, facts::Fact>> place() = 0;
    /// Keeps jobs from beginning the attempt. True: none will. False: it is not known yet, or one has. Call again until the
    /// job or this has the attempt.
    virtual bool withdraw() = 0;

    virtual bool isReachable() const { return true; }
    /// Why the attempt is given up; None while it is not.
    virtual facts::Fact lost() const { return {}; }
    /// Everything that was written has been read here. `hasJobEnded`: else the agent may still tidy up. Call it before each
    /// conclusion: true once it was true at the last call, too.
    virtual bool isComplete(bool hasJobEnded) = 0;
    virtual bool needsRecovery() const { return false; }
    virtual node::Recovery recover(const launch::ProcessIdentity & /*agent*/) { return {}; }
    virtual Expected<void> write(const std::string &name, const std::string &content) = 0;
    /// Of the attempt, for handOver().
    virtual std::string name() const = 0;
    /// Lets the job of the attempt `other`, which has ended, run this one. `folder`: as Place.
    virtual Expected<void> handOver(const std::string &other, const std::string &folder) = 0;
    /// The attempt is over.
    virtual void ended() {}
};

/// On a file system that this machine shares with the nodes.
class SharedJobFiles : public JobFiles {
public:
    struct Attempt {
        AttemptLayout files;
        std::string id;
        int ranks = 1;
    };
    SharedJobFiles(Attempt attempt, std::filesystem::path agent);

    std::optional<tl::expected<Place, facts::Fact>> place() override;
    bool withdraw() override;
    bool isComplete(bool /*hasJobEnded*/) override { return true; }
    bool needsRecovery() const override;
    node::Recovery recover(const launch::ProcessIdentity &agent) override;
    Expected<void> write(const std::string &name, const std::string &content) override;
    std::string name() const override { return m_attempt.files.folder.string(); }
    Expected<void> handOver(const std::string &other, const std::string &folder) override;

private:
    Attempt m_attempt;
    std::filesystem::path m_agent;
};

}  // namespace sweepscope::engine
