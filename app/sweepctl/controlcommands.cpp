#include "atleast.h"
#include "enginerequest.h"
#include "exitcode.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "protocol/engineclient.h"

#include <memory>

namespace sweepscope::ctl {

namespace {

using sweep::Control;
using sweep::StopMode;

struct ControlOptions {
    std::string workspace;
    std::string sweep;
    Control control;
    bool finish = false;
    bool checkpoint = false;
    bool kill = false;
};

using Options = std::shared_ptr<ControlOptions>;

/// A subcommand that asks for one action.
CLI::App *addCommand(CLI::App &app, const Options &options, Control::Action action, const std::string &name,
                     const std::string &description, const std::string &ofTrials)
{
    options->control.action = action;
    CLI::App *command = app.add_subcommand(name, description);
    addSweepOption(*command, options->sweep);
    command->add_option("--trial,-t", options->control.trials, ofTrials)->type_name("N")->check(atLeast(1));
    addWorkspaceOption(*command, options->workspace);
    return command;
}

int askFor(const ControlOptions &options, Wanted wanted = Wanted::NotEnded)
{
    return requestOfEngine(options.workspace, options.sweep, wanted,
                           [&](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                               client.control(sweep.id, options.control);
                           });
}

}  // namespace

Subcommand makeStopCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::Stop, "stop",
                                   "Stop a sweep or trials: running ones end, waiting ones do not start",
                                   "Stop only these trials; the rest of the sweep goes on");
    auto *modes = command->add_option_group("how");
    modes->add_flag("--finish", options->finish, "Let running trials run to their end; only start no more");
    modes->add_flag("--checkpoint", options->checkpoint,
                    "Ask running trials to save a checkpoint and end (the built-in worker, and scripts that look at "
                    "run.should_stop())");
    modes->add_flag("--kill", options->kill, "Kill running trials without a grace (SIGKILL)");
    modes->require_option(0, 1);
    command->footer(
        "Without a mode running trials get SIGTERM, and SIGKILL 10 s later. What was measured stays and can "
        "be exported.\n\n"
        "Examples:\n  sweepctl stop 3\n  sweepctl stop digits-mlp --finish\n"
        "  sweepctl stop 0003-digits-mlp --trial 7 --trial 9");
    return {command, [options] {
                if (options->finish)
                    options->control.stopMode = StopMode::Finish;
                else if (options->checkpoint)
                    options->control.stopMode = StopMode::Checkpoint;
                else if (options->kill)
                    options->control.stopMode = StopMode::Kill;
                return askFor(*options);
            }};
}

Subcommand makePauseCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command =
        addCommand(app, options, Control::Action::Pause, "pause",
                   "Pause a sweep or trials: what runs keeps its work, what waits does not start", "Pause only these");
    command->footer("A trial of the built-in worker saves a checkpoint and gives its devices back. A command is frozen "
                    "where it is and\nkeeps its devices and their memory, because nobody knows whether it could go on "
                    "otherwise.\n\n"
                    "Examples:\n  sweepctl pause 3\n  sweepctl pause digits-mlp --trial 7");
    return {command, [options] { return askFor(*options); }};
}

Subcommand makeResumeCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::Resume, "resume",
                                   "Let a paused sweep or paused trials go on", "Resume only these");
    command->footer("Examples:\n  sweepctl resume 3\n  sweepctl resume digits-mlp --trial 7");
    return {command, [options] { return askFor(*options); }};
}

Subcommand makeRetryCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::Retry, "retry",
                                   "Run trials again that failed, were lost, pruned or stopped",
                                   "Retry these; without it all that failed or were lost");
    command->footer("Also after the sweep has ended: it runs again until they are done. Trials of the built-in worker "
                    "go on from their\nlast checkpoint. What earlier attempts measured stays.\n\n"
                    "Examples:\n  sweepctl retry 3\n  sweepctl retry digits-mlp --trial 7");
    return {command, [options] { return askFor(*options, Wanted::Any); }};
}

Subcommand makePriorityCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::SetPriority, "priority",
                                   "Let a sweep, or trials of it, have devices before others", "Only of these trials");
    command
        ->add_option("--level,-l", options->control.priority,
                     "Higher ones go first, between sweeps or between trials of one sweep; 0 is usual")
        ->type_name("N")
        ->required()
        ->check(CLI::Range(-sweep::highestPriority, sweep::highestPriority));
    command->footer("Running trials are not touched: the next free devices go by it.\n\n"
                    "Examples:\n  sweepctl priority 3 --level 10\n  sweepctl priority digits-mlp --trial 7 --level 1");
    return {command, [options] { return askFor(*options); }};
}

}  // namespace sweepscope::ctl
