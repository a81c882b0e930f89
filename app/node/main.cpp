#include "base/installation.h"
#include "node/service.h"

#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace {

constexpr const char *usage =
    "Usage: sweepscope-node FOLDER\n"
    "\n"
    "Does on this machine what an engine on another one asks for: starts and signals agents, samples devices, takes "
    "leases,\n"
    "and sends the files of attempts. The engine starts it over ssh and talks to it over standard input and output.\n"
    "\n"
    "FOLDER has the layout of a workspace. It is created if it does not exist.\n"
    "\n"
    "It ends with its input, or after 15 seconds of silence. Attempts go on; the next node process finds them.\n"
    "\n"
    "Exit codes: 0 the input has ended; 1 the engine was silent, or sent something that is no message; 2 wrong "
    "usage.\n";

}  // namespace

int main(int argc, char **argv)
{
    using sweepscope::node::Service;
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "--help" || argument == "-h") {
        std::fputs(usage, stdout);
        return 0;
    }
    if (argument == "--version") {
        std::puts("sweepscope-node " SWEEPSCOPE_VERSION);
        return 0;
    }
    if (argument.empty() || argument.front() == '-') {
        std::fputs(usage, stderr);
        return 2;
    }
    Service service({.root = std::filesystem::absolute(argument),
                     .agent = sweepscope::executableFolder() / "sweepscope-agent",
                     .version = SWEEPSCOPE_VERSION,
                     .input = STDIN_FILENO,
                     .output = STDOUT_FILENO});
    if (const auto done = service.run(); !done) {
        std::fprintf(stderr, "sweepscope-node: %s\n", done.error().message.c_str());
        return 1;
    }
    return 0;
}
