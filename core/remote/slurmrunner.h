#pragma once

#include "remote/ssh.h"
#include "slurm/commands.h"

#include <memory>

namespace sweepscope::remote {

/// Runs Slurm's programs on a login node, in a login shell, which knows where they are. `ssh` is connected, and outlives it.
slurm::Runner slurmRunner(const Ssh &ssh);

/// The same over a separate connection. It connects before the first program, and again after the connection broke. ssh asks
/// no questions.
class LoginNode {
public:
    explicit LoginNode(SshTarget target);
    /// What runs ends soon, with Unavailable, and nothing else runs.
    ~LoginNode();
    LoginNode(const LoginNode &) = delete;
    LoginNode &operator=(const LoginNode &) = delete;

    /// What runs next does so there.
    void use(const SshTarget &target);
    /// For one thread, also its last copy. May outlive the login node.
    slurm::Runner runner() const;

private:
    struct Wishes;
    struct Connection;
    std::shared_ptr<Wishes> m_wishes;
};

}  // namespace sweepscope::remote
