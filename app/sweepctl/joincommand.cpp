#include "enginerequest.h"
#include "exitcode.h"
#include "subcommand.h"
#include "sweeplaunch.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "protocol/engineclient.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::ctl {

namespace {

struct JoinOptions {
    std::string workspace;
    std::vector<std::string> sweeps;
    std::string name;
    std::string objective;
};

int joinSweeps(const JoinOptions &options)
{
    protocol::EngineClient client;
    if (const int exitCode = connectToKnownEngine(client, options.workspace); exitCode != good)
        return exitCode;
    const auto selected = selectSweeps(client.sweeps(), options.sweeps);
    if (!selected) {
        std::cerr << selected.error().message << '\n';
        return badInput;
    }
    std::vector<std::int64_t> ids;
    for (const sweep::SweepRecord *sweep : *selected)
        ids.push_back(sweep->id);
    const auto send = [&] {
        client.joinSweeps(ids, QString::fromStdString(options.name), QString::fromStdString(options.objective));
    };
    const Launch joined = requestSweep(client, send, describeAll);
    if (joined.exitCode != good)
        return joined.exitCode;
    const sweep::SweepRecord *sweep = client.sweep(joined.sweepId);
    std::cout << (sweep != nullptr ? sweep->folder + ": " + sweep->mark.note : std::to_string(joined.sweepId)) << '\n';
    return good;
}

}  // namespace

Subcommand makeJoinCommand(CLI::App &app)
{
    auto options = std::make_shared<JoinOptions>();
    CLI::App *command = app.add_subcommand("join", "Join the trials of several sweeps in a new sweep");
    addSweepsOption(*command, options->sweeps);
    command->add_option("--name", options->name, "Name of the new sweep; by default, combined from their names")
        ->type_name("NAME");
    command
        ->add_option(
            "--objective", options->objective,
            "Objective of the new sweep: a metric that all of them report. Required if their objectives differ")
        ->type_name("NAME");
    addWorkspaceOption(*command, options->workspace);
    command->footer("The new sweep contains copies of all trials that have ended. Its parameter sweep names the "
                    "sweep of each.\n"
                    "Curves, logs and media are kept, checkpoints are not. The other sweeps do not change.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl join digits-mlp digits-cnn --name digits\n"
                    "  sweepctl join 3 4 5 --objective accuracy\n"
                    "  sweepctl join 3 4 --name both && sweepctl export both --html report.html");
    return {command, [options] { return joinSweeps(*options); }};
}

}  // namespace sweepscope::ctl
