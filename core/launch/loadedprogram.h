#pragma once

#include "launch/processtitle.h"
#include "launch/rankprocess.h"

namespace sweepscope::launch {

/// A program that this process has already loaded with its libraries: its ranks can be forked from here and need not
/// load them again.
class LoadedProgram : public RankLauncher {
public:
    using Main = int (*)(int, char **);

    LoadedProgram(Main main, const ProcessTitle &title) : m_main(main), m_title(title) {}

private:
    /// Returns whether the ranks of `spec` run exactly this program (not a newer one that an upgrade has put at its
    /// path), in an environment in which its libraries would have loaded in the same way.
    bool hasLoaded(const LaunchSpec &spec) const override;
    void run(char *const *argv, char *const *environment, const char *const *added) const override;

    Main m_main;
    const ProcessTitle &m_title;
};

}  // namespace sweepscope::launch
