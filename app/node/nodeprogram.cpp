#include "nodeprogram.h"

#include "base/installation.h"
#include "node/service.h"
#include "version.h"

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace sweepscope {

namespace {

constexpr const char *nodeUsage =
    "Usage: sweepscope-node FOLDER\n"
    "\n"
    "Serves an engine on another machine: starts and signals agents, samples devices, takes leases, and sends the "
    "files of\n"
    "attempts. The engine starts it over ssh and communicates with it over standard input and output.\n"
    "\n"
    "FOLDER has the layout of a workspace. It is created if it does not exist.\n"
    "\n"
    "It exits at the end of its input, or after 15 seconds without a message. Attempts keep running; the next node "
    "process\n"
    "adopts them.\n"
    "\n"
    "Exit codes: 0 end of input; 1 no message from the engine, or an invalid one; 2 wrong usage.\n";

}  // namespace

int runNodeProgram(int argc, char **argv)
{
    using node::Service;
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "--help" || argument == "-h") {
        std::fputs(nodeUsage, stdout);
        return 0;
    }
    if (argument == "--version") {
        std::printf("sweepscope-node %s\n", version);
        return 0;
    }
    if (argument.empty() || argument.front() == '-') {
        std::fputs(nodeUsage, stderr);
        return 2;
    }
    Service service({.root = std::filesystem::absolute(argument),
                     .agent = executableFolder() / "sweepscope-agent",
                     .version = version,
                     .input = STDIN_FILENO,
                     .output = STDOUT_FILENO});
    if (const auto done = service.run(); !done) {
        std::fprintf(stderr, "sweepscope-node: %s\n", done.error().message.c_str());
        return 1;
    }
    return 0;
}

}  // namespace sweepscope
