#pragma once

#include "launch/processtitle.h"
#include "launch/rankprocess.h"

namespace sweepscope::launch {

/// A program that is in this process already, with its libraries: its ranks can be forked from here, and need not load
/// them again.
class LoadedProgram : public RankLauncher {
public:
    using Main = int (*)(int, char **);

    LoadedProgram(Main main, const ProcessTitle &title) : m_main(main), m_title(title) {}

private:
    /// Whether the ranks of `spec` are this very program (not another one that an upgrade has put at its path), in an
    /// environment in which its libraries would have been loaded just so.
    bool hasLoaded(const LaunchSpec &spec) const override;
    void run(char *const *argv, char *const *environment, const char *const *added) const override;

    Main m_main;
    const ProcessTitle &m_title;
};

}  // namespace sweepscope::launch
