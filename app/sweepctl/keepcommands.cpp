#include "enginerequest.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "protocol/engineclient.h"
#include "wording/sentence.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

using Action = sweep::Control::Action;

struct KeepOptions {
    std::string workspace;
    std::string sweep;
    bool undo = false;
    bool yes = false;
};

int sendRequest(const KeepOptions &options, Action action)
{
    return requestOfEngine(options.workspace, options.sweep, Wanted::Any,
                           [action](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                               sweep::Control control;
                               control.action = action;
                               client.control(sweep.id, control);
                           });
}

/// Prints what would be deleted; only --yes deletes it.
int describe(const KeepOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    const Expected<const sweep::SweepRecord *> found = selectSweep(stored->sweeps(), options.sweep, Wanted::Any);
    if (!found) {
        std::cerr << found.error().message << '\n';
        return badInput;
    }
    const sweep::SweepRecord &sweep = **found;
    if (!sweep.ended) {
        std::cerr << wording::sentence(facts::Fact(facts::Code::SweepIsActive).with(facts::Field::Sweep, sweep.folder))
                  << '\n';
        return badInput;
    }
    std::cerr << "nothing was deleted: --yes deletes the sweep " << sweep.folder << ", the results of its "
              << sweep.trialsTotal << " trials, and all files in "
              << stored->workspace().sweepFolder(sweep.folder).string()
              << "; sweepctl archive hides the sweep and keeps everything\n";
    return badInput;
}

}  // namespace

Subcommand makeArchiveCommand(CLI::App &app)
{
    auto options = std::make_shared<KeepOptions>();
    CLI::App *command = app.add_subcommand("archive", "Archive a sweep that has ended, or restore it");
    addSweepOption(*command, options->sweep);
    command->add_flag("--undo", options->undo, "Restore it");
    addWorkspaceOption(*command, options->workspace);
    command->footer("status and the window do not list archived sweeps. Their data is kept. A retry, or an "
                    "edit that lets the sweep run\n"
                    "again, restores it.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl archive 3\n"
                    "  sweepctl archive digits-mlp --undo");
    return {command, [options] { return sendRequest(*options, options->undo ? Action::Unarchive : Action::Archive); }};
}

Subcommand makeDeleteCommand(CLI::App &app)
{
    auto options = std::make_shared<KeepOptions>();
    CLI::App *command = app.add_subcommand("delete", "Delete a sweep that has ended, with all its results and files");
    addSweepOption(*command, options->sweep);
    command->add_flag("--yes", options->yes, "Delete the sweep; without this option, only print what would be deleted");
    addWorkspaceOption(*command, options->workspace);
    command->footer("This cannot be undone. Curves, logs and checkpoints of its trials are deleted too.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl delete 3\n"
                    "  sweepctl delete digits-mlp --yes");
    return {command, [options] { return options->yes ? sendRequest(*options, Action::Delete) : describe(*options); }};
}

}  // namespace sweepscope::ctl
