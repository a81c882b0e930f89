#include "agentprogram.h"

#include "launch/agent.h"
#include "launch/attempttidying.h"
#include "version.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sweepscope {

namespace {

constexpr const char *agentUsage =
    "Usage: sweepscope-agent [--master-address ADDRESS] ATTEMPT_FOLDER\n"
    "       sweepscope-agent --tidy ATTEMPT_FOLDER\n"
    "\n"
    "Runs one attempt of a trial, as described by ATTEMPT_FOLDER/launch.json: starts its ranks with the environment "
    "of\n"
    "torchrun, records their logs and telemetry, and ends them. Appends events to ATTEMPT_FOLDER/events.jsonl. The\n"
    "engine starts one agent per attempt; you can also start one by hand.\n"
    "\n"
    "--master-address  MASTER_ADDR of the ranks, for a job on several nodes\n"
    "\n"
    "--tidy  only complete the indexes of the telemetry logs and compress the logs, for an attempt whose agent was\n"
    "        killed, after its rings were recovered\n"
    "\n"
    "Signals: TERM, INT  stop the ranks (SIGTERM, then SIGKILL after the grace period)\n"
    "         USR2       ask the ranks to save a checkpoint and exit\n"
    "         TSTP, CONT freeze the ranks, or resume them\n"
    "\n"
    "Exit codes: 0 the attempt has ended, successfully or not (see events.jsonl); 2 it could not start.\n";

}  // namespace

int runAgentProgram(int argc, char **argv)
{
    // First, before the program opens files: every open descriptor was inherited.
    std::vector<FileDescriptor> leases = launch::inheritedDescriptors();
    if (argc == 3 && std::string_view(argv[1]) == "--tidy") {
        launch::tidyAttempt({argv[2]});
        return 0;
    }
    std::string masterAddress;
    if (argc == 4 && std::string_view(argv[1]) == "--master-address") {
        masterAddress = argv[2];
        argv += 2;
        argc -= 2;
    }
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "--help" || argument == "-h") {
        std::fputs(agentUsage, stdout);
        return 0;
    }
    if (argument == "--version") {
        std::printf("sweepscope-agent %s\n", version);
        return 0;
    }
    if (argument.empty() || argument.front() == '-') {
        std::fputs(agentUsage, stderr);
        return 2;
    }
    if (const auto done = launch::runAgent(argument, std::move(leases), {}, masterAddress); !done) {
        // Not log(): if the agent does not start, the engine shows this line as the reason.
        std::fprintf(stderr, "sweepscope-agent: %s\n", done.error().message.c_str());
        return 2;
    }
    return 0;
}

}  // namespace sweepscope
