#pragma once

#include "launch/launchspec.h"
#include "launch/processtitle.h"

namespace sweepscope::launch {

/// A program that is in this process already, with its libraries: its ranks can be forked from here, and need not load
/// them again.
class LoadedProgram {
public:
    using Main = int (*)(int, char **);

    LoadedProgram(Main main, const ProcessTitle &title) : m_main(main), m_title(title) {}

    /// Whether the ranks of `spec` are this very program (not another one that an upgrade has put at its path), in an
    /// environment in which its libraries would have been loaded just so.
    bool runs(const LaunchSpec &spec) const;

    /// In the child: from here on it is the program. `added`: those of `environment` that the agent does not have. Lists
    /// end with a null pointer.
    [[noreturn]] void run(char *const *argv, char *const *environment, const char *const *added) const;

private:
    Main m_main;
    const ProcessTitle &m_title;
};

}  // namespace sweepscope::launch
