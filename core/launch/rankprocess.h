#pragma once

#include "base/error.h"
#include "launch/agentprocess.h"
#include "launch/launchspec.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// One rank as a process of the agent.
struct RankProcess {
    int rank = 0;
    ProcessIdentity identity;
    bool alive = false;
    std::optional<int> exitCode;  ///< set once it has ended: this or `signal`
    std::optional<int> signal;
    bool isForked = false;  ///< from a process that had loaded its program

    bool failed() const { return !alive && (signal || exitCode.value_or(0) != 0); }
};

/// What a rank gets besides what launch.json says.
struct RankSurroundings {
    std::map<std::string, std::string> environment;  ///< on top of this process's own
    std::filesystem::path logFile;                   ///< stdout and stderr are appended here
    std::vector<int> kept{};                         ///< descriptors that it inherits, in rising order
};

/// Starts the ranks of attempts. This class executes their program; the derived LoadedProgram forks it if this process
/// has loaded it already.
class RankLauncher {
public:
    virtual ~RankLauncher() = default;

    /// Start one rank: in its own process group, killed by the kernel when this process dies (so call it from the main
    /// thread: the kernel means the thread that forked), stdin from /dev/null. argv[0] without a slash is looked up in
    /// the rank's PATH. The error says in a sentence why it cannot start: "cannot start 'foo': No such file or directory".
    Expected<RankProcess> start(const LaunchSpec &spec, int rank, const RankSurroundings &surroundings) const;

private:
    friend struct RankStart;
    /// Returns whether the ranks of `spec` are forked.
    virtual bool hasLoaded(const LaunchSpec &) const { return false; }
    /// Runs the program in the forked child if hasLoaded(). `added`: the variables of `environment` that the agent does
    /// not have. Lists end with a null pointer. Does not return.
    virtual void run(char *const *, char *const *, const char *const *) const {}
};

}  // namespace sweepscope::launch
