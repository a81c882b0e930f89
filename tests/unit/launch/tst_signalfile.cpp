#include "launch/signalfile.h"
#include "temporaryfolder.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope::launch;

TEST_CASE("each signal in the file comes once, when its line is whole")
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path / "slurm-signals";
    SignalFile signals(path);
    CHECK(signals.poll().empty());
    std::ofstream file(path);
    file << "USR2\nnonsense\nTE" << std::flush;
    CHECK(signals.poll() == std::vector{SIGUSR2});
    file << "RM\nQUIT\n" << std::flush;
    CHECK(signals.poll() == std::vector{SIGTERM, SIGQUIT});
    CHECK(signals.poll().empty());
}
