#include "completion.h"
#include "exitcode.h"
#include "hostoption.h"
#include "subcommand.h"
#include "usageerror.h"
#include "version.h"
#include "workspaceoption.h"

#include <QCoreApplication>

#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

using namespace sweepscope::ctl;

int main(int argc, char **argv)
{
    if (const std::optional<int> exitCode = runOnHost({argv + 1, argv + argc}))
        return *exitCode;
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("sweepctl"));

    CLI::App app("Runs hyperparameter sweeps of distributed PyTorch training on this machine, without a "
                 "window.",
                 "sweepctl");
    app.set_version_flag("--version", std::string("sweepctl ") + sweepscope::version);
    app.require_subcommand(1);
    app.footer("Start here:\n"
               "  sweepctl validate digits-mlp.toml              check the sweep file\n"
               "  sweepctl keys                                  list the keys of the sweep file\n"
               "  sweepctl plan digits-mlp.toml                  preview the schedule\n"
               "  sweepctl run digits-mlp.toml --wait --csv out  run it, print results, write CSV\n"
               "  sweepctl exec -- python3 train.py              run a command once, and record it\n"
               "  sweepctl status                                show progress\n"
               "  sweepctl SUBCOMMAND --help                     show options and examples\n"
               "  sweepctl --host user@host SUBCOMMAND           run it on another machine, over ssh\n"
               "\n"
               "Exit codes: 0 success, 2 invalid input, 3 not every trial completed, 4 no engine or no "
               "workspace.");
    const std::array commands{
        makeValidateCommand(app), makePlanCommand(app),       makeRunCommand(app),    makeStatusCommand(app),
        makePauseCommand(app),    makeResumeCommand(app),     makeStopCommand(app),   makeRetryCommand(app),
        makePriorityCommand(app), makeMarkCommand(app),       makeEditCommand(app),   makeEnqueueCommand(app),
        makeHistoryCommand(app),  makeDiagnoseCommand(app),   makeExportCommand(app), makeDevicesCommand(app),
        makeMachineCommand(app),  makeClusterCommand(app),    makeRelayCommand(app),  makeServeCommand(app),
        makeProbeCommand(app),    makeArchiveCommand(app),    makeDeleteCommand(app), makeKeysCommand(app),
        makeRescueCommand(app),   makeSuggestCommand(app),    makeWatchCommand(app),  makeTraceCommand(app),
        makeCodeCommand(app),     makeCheckpointCommand(app), makeExecCommand(app),   makeImportCommand(app),
        makeContinueCommand(app), makeJoinCommand(app),       makeWorkerCommand(app)};
    if (argc > 1 && std::string(argv[1]) == "__complete")
        return printCompletions(app, {argv + 2, argv + argc});
    const std::vector<std::string> words = withCommandFirst({argv + 1, argv + argc});
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 expects reversed arguments
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);  // --help, --version
        std::cerr << describeUsageError(app, error, words) << '\n';
        return badInput;
    }
    for (const Subcommand &command : commands) {
        if (command.options->parsed())
            return command.run();
    }
    return badInput;
}
