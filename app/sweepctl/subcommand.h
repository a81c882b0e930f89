#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace sweepscope::ctl {

/// Each function adds its options to `app` and returns the action to run if the user chose it; the action returns the
/// exit code. One file each: validatecommand.cpp, runcommand.cpp, ….
struct Subcommand {
    CLI::App *options;
    std::function<int()> run;
};

Subcommand makeValidateCommand(CLI::App &app);
Subcommand makeKeysCommand(CLI::App &app);
Subcommand makePlanCommand(CLI::App &app);
Subcommand makeProbeCommand(CLI::App &app);
Subcommand makeRunCommand(CLI::App &app);
Subcommand makeExecCommand(CLI::App &app);
Subcommand makeStatusCommand(CLI::App &app);
Subcommand makeStopCommand(CLI::App &app);
Subcommand makePauseCommand(CLI::App &app);
Subcommand makeResumeCommand(CLI::App &app);
Subcommand makeRetryCommand(CLI::App &app);
Subcommand makePriorityCommand(CLI::App &app);
Subcommand makeMarkCommand(CLI::App &app);
Subcommand makeTraceCommand(CLI::App &app);
Subcommand makeArchiveCommand(CLI::App &app);
Subcommand makeDeleteCommand(CLI::App &app);
Subcommand makeEditCommand(CLI::App &app);
Subcommand makeEnqueueCommand(CLI::App &app);
Subcommand makeContinueCommand(CLI::App &app);
Subcommand makeJoinCommand(CLI::App &app);
Subcommand makeHistoryCommand(CLI::App &app);
Subcommand makeCheckpointCommand(CLI::App &app);
Subcommand makeCodeCommand(CLI::App &app);
Subcommand makeDiagnoseCommand(CLI::App &app);
Subcommand makeExportCommand(CLI::App &app);
Subcommand makeImportCommand(CLI::App &app);
Subcommand makeDevicesCommand(CLI::App &app);
Subcommand makeClusterCommand(CLI::App &app);
Subcommand makeMachineCommand(CLI::App &app);
Subcommand makeServeCommand(CLI::App &app);
Subcommand makeSuggestCommand(CLI::App &app);
Subcommand makeRescueCommand(CLI::App &app);
Subcommand makeRelayCommand(CLI::App &app);
Subcommand makeWatchCommand(CLI::App &app);
Subcommand makeWorkerCommand(CLI::App &app);

}  // namespace sweepscope::ctl
