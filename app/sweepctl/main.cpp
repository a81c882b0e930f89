#include "exitcode.h"
#include "subcommand.h"
#include "usageerror.h"
#include "workspaceoption.h"

#include <QCoreApplication>

#include <array>
#include <iostream>
#include <string>
#include <vector>

using namespace sweepscope::ctl;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("sweepctl"));

    CLI::App app("Sweepscope without a window: runs sweeps of training trials on this machine's GPUs and cores.",
                 "sweepctl");
    app.set_version_flag("--version", "sweepctl " SWEEPSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer("Start here:\n"
               "  sweepctl validate digits-mlp.toml              is the sweep file right?\n"
               "  sweepctl keys                                  what can a sweep file say?\n"
               "  sweepctl plan digits-mlp.toml                  which trial would get what?\n"
               "  sweepctl run digits-mlp.toml --wait --csv out  run it, see results, get CSV\n"
               "  sweepctl status                                how far is it?\n"
               "  sweepctl SUBCOMMAND --help                     options and examples\n\n"
               "Exit codes: 0 success, 2 invalid input, 3 not every trial completed, 4 no engine or no workspace.");
    const std::array commands{
        makeValidateCommand(app), makePlanCommand(app),     makeRunCommand(app),     makeStatusCommand(app),
        makePauseCommand(app),    makeResumeCommand(app),   makeStopCommand(app),    makeRetryCommand(app),
        makePriorityCommand(app), makeMarkCommand(app),     makeEditCommand(app),    makeEnqueueCommand(app),
        makeHistoryCommand(app),  makeDiagnoseCommand(app), makeExportCommand(app),  makeDevicesCommand(app),
        makeServeCommand(app),    makeProbeCommand(app),    makeArchiveCommand(app), makeDeleteCommand(app),
        makeKeysCommand(app),     makeRescueCommand(app),   makeSuggestCommand(app)};
    const std::vector<std::string> words = withCommandFirst({argv + 1, argv + argc});
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
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
