#include "enginerequest.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "protocol/engineclient.h"

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

int askFor(const KeepOptions &options, Action action)
{
    return requestOfEngine(options.workspace, options.sweep, Wanted::Any,
                           [action](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                               sweep::Control control;
                               control.action = action;
                               client.control(sweep.id, control);
                           });
}

/// What would be deleted. Nothing is, without --yes.
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
    std::cerr << "nothing was deleted. With --yes the sweep " << sweep.folder << ", what its " << sweep.trialsTotal
              << " trials measured, and all files in " << stored->workspace().sweepFolder(sweep.folder).string()
              << " are gone for good; sweepctl archive puts it out of the way and keeps all of it\n";
    return badInput;
}

}  // namespace

Subcommand makeArchiveCommand(CLI::App &app)
{
    auto options = std::make_shared<KeepOptions>();
    CLI::App *command = app.add_subcommand("archive", "Put a sweep that has ended out of the way, or bring it back");
    addSweepOption(*command, options->sweep);
    command->add_flag("--undo", options->undo, "Bring it back");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "status and the window leave archived sweeps out of their lists. Nothing of them is lost; a retry or "
        "an edit that\nlets one run again brings it back.\n\n"
        "Examples:\n  sweepctl archive 3\n  sweepctl archive digits-mlp --undo");
    return {command, [options] { return askFor(*options, options->undo ? Action::Unarchive : Action::Archive); }};
}

Subcommand makeDeleteCommand(CLI::App &app)
{
    auto options = std::make_shared<KeepOptions>();
    CLI::App *command = app.add_subcommand("delete", "Delete a sweep that has ended, with all its results and files");
    addSweepOption(*command, options->sweep);
    command->add_flag("--yes", options->yes, "Delete it; without this only what would be deleted is said");
    addWorkspaceOption(*command, options->workspace);
    command->footer("This cannot be undone: curves, logs and checkpoints of its trials go with it.\n\n"
                    "Examples:\n  sweepctl delete 3\n  sweepctl delete digits-mlp --yes");
    return {command, [options] { return options->yes ? askFor(*options, Action::Delete) : describe(*options); }};
}

}  // namespace sweepscope::ctl
