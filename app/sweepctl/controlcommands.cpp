#include "argumentchecks.h"
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

/// Adds a subcommand that requests one action.
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

int sendControl(const ControlOptions &options, Wanted wanted = Wanted::NotEnded)
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
    CLI::App *command = addCommand(app, options, Control::Action::Stop, "stop", "Stop a sweep or trials",
                                   "Stop only these trials; the sweep continues");
    const CLI::Option *finish =
        command->add_flag("--finish", options->finish, "Let running trials finish, and start no more");
    const CLI::Option *checkpoint =
        command->add_flag("--checkpoint", options->checkpoint,
                          "Ask running trials to save a checkpoint and exit (the built-in worker, and scripts that "
                          "check run.should_stop())");
    const CLI::Option *kill = command->add_flag("--kill", options->kill, "Kill running trials at once (SIGKILL)");
    allowOneOf(*command, {finish, checkpoint, kill});
    command->footer("By default, running trials get SIGTERM, and SIGKILL 10 s later. Their results are kept "
                    "and can be exported.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl stop 3\n"
                    "  sweepctl stop digits-mlp --finish\n"
                    "  sweepctl stop 0003-digits-mlp --trial 7 --trial 9");
    return {command, [options] {
                if (options->finish)
                    options->control.stopMode = StopMode::Finish;
                else if (options->checkpoint)
                    options->control.stopMode = StopMode::Checkpoint;
                else if (options->kill)
                    options->control.stopMode = StopMode::Kill;
                return sendControl(*options);
            }};
}

Subcommand makePauseCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::Pause, "pause",
                                   "Pause a sweep or trials without losing progress", "Pause only these trials");
    command->footer("A trial of the built-in worker saves a checkpoint and releases its devices. A command "
                    "is frozen, and keeps its\n"
                    "devices and their memory, because it may be unable to continue from a checkpoint. "
                    "Queued trials do not start.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl pause 3\n"
                    "  sweepctl pause digits-mlp --trial 7");
    return {command, [options] { return sendControl(*options); }};
}

Subcommand makeResumeCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::Resume, "resume",
                                   "Resume a paused sweep or paused trials", "Resume only these trials");
    command->footer("Examples:\n  sweepctl resume 3\n  sweepctl resume digits-mlp --trial 7");
    return {command, [options] { return sendControl(*options); }};
}

Subcommand makeRetryCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command =
        addCommand(app, options, Control::Action::Retry, "retry", "Run failed, lost, pruned or stopped trials again",
                   "Retry these trials (default: all failed and lost ones)");
    command->footer("A sweep that has ended runs again until these trials end. Trials of the built-in worker "
                    "continue from their last\n"
                    "checkpoint. Results of earlier attempts are kept.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl retry 3\n"
                    "  sweepctl retry digits-mlp --trial 7");
    return {command, [options] { return sendControl(*options, Wanted::Any); }};
}

Subcommand makePriorityCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App *command = addCommand(app, options, Control::Action::SetPriority, "priority",
                                   "Set the priority of a sweep or of trials", "Set the priority of these trials only");
    command->add_option("--level,-l", options->control.priority, "Priority; higher runs first, 0 is the default")
        ->type_name("N")
        ->required()
        ->check(between(-sweep::highestPriority, sweep::highestPriority));
    command->footer("Priorities of sweeps are compared first, then those of trials in one sweep. They decide which\n"
                    "trial gets the next free devices; running trials are not interrupted.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl priority 3 --level 10\n"
                    "  sweepctl priority digits-mlp --trial 7 --level 1");
    return {command, [options] { return sendControl(*options); }};
}

Subcommand makeTraceCommand(CLI::App &app)
{
    auto options = std::make_shared<ControlOptions>();
    Control &control = options->control;
    control.action = Control::Action::Trace;
    CLI::App *command = app.add_subcommand("trace", "Record a profiler trace of running trials");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", control.trials, "Numbers of the trials")->required()->type_name("")->check(atLeast(1));
    command->add_option("--steps", control.steps, "Number of steps to record")
        ->type_name("N")
        ->capture_default_str()
        ->check(between(1, sweep::mostTraceSteps));
    addWorkspaceOption(*command, options->workspace);
    command->footer("Each rank records its next steps with PyTorch's profiler and writes trace-rank-N.json to the "
                    "folder of its attempt.\n"
                    "Open the file in ui.perfetto.dev or chrome://tracing. sweepctl history SWEEP --trial N lists the "
                    "files.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl trace 3 7\n"
                    "  sweepctl trace digits-mlp 7 9 --steps 20");
    return {command, [options] { return sendControl(*options); }};
}

}  // namespace sweepscope::ctl
