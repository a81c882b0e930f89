#include "launch/agent.h"
#include "launch/attempttidying.h"

#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr const char *usage =
    "Usage: sweepscope-agent ATTEMPT_FOLDER\n"
    "       sweepscope-agent --tidy ATTEMPT_FOLDER\n"
    "\n"
    "Runs the one trial attempt that ATTEMPT_FOLDER/launch.json describes, to its end: starts its ranks with the\n"
    "environment that torchrun gives, keeps their logs and telemetry, and ends them. What happens is appended to\n"
    "ATTEMPT_FOLDER/events.jsonl. The engine starts one agent per attempt; by hand it works the same.\n"
    "\n"
    "--tidy  do only what comes last: complete the indexes of the telemetry logs and compress them. For an attempt\n"
    "        whose agent was killed, after its rings were recovered.\n"
    "\n"
    "Signals: TERM, INT  stop the ranks (SIGTERM, after the grace time SIGKILL)\n"
    "         USR2       ask the ranks to save a checkpoint and end\n"
    "         TSTP, CONT freeze the ranks, let them go on\n"
    "\n"
    "Exit codes: 0 the attempt was run to its end, good or bad (see events.jsonl); 2 it could not begin.\n";

}  // namespace

int main(int argc, char **argv)
{
    // First of all: what is open later is the program's own.
    std::vector<sweepscope::FileDescriptor> leases = sweepscope::launch::inheritedDescriptors();
    if (argc == 3 && std::string_view(argv[1]) == "--tidy") {
        sweepscope::launch::tidyAttempt({argv[2]});
        return 0;
    }
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "--help" || argument == "-h") {
        std::fputs(usage, stdout);
        return 0;
    }
    if (argument == "--version") {
        std::puts("sweepscope-agent " SWEEPSCOPE_VERSION);
        return 0;
    }
    if (argument.empty() || argument.front() == '-') {
        std::fputs(usage, stderr);
        return 2;
    }
    if (const auto done = sweepscope::launch::runAgent(argument, std::move(leases)); !done) {
        std::fprintf(stderr, "sweepscope-agent: %s\n", done.error().message.c_str());
        return 2;
    }
    return 0;
}
