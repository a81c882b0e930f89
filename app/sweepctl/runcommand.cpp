#include "exitcode.h"
#include "resulttable.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweeplaunch.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "exporting/sweepexport.h"
#include "protocol/engineclient.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

struct RunOptions {
    std::string file;
    std::string workspace;
    bool wait = false;
    std::string csvFolder;
};

/// trials.csv and curves.csv; the exit code.
int writeCsv(const protocol::EngineClient &client, const sweep::SweepRecord &sweep, const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::vector<sweep::TrialRecord> &trials = client.trials(sweep.id);
    const WorkspaceLayout workspace{client.workspace().toStdString()};
    Expected<void> written = error ? makeErrnoError("cannot make the folder " + folder.string(), error.value())
                                   : exporting::exportTrials(sweep, trials, folder / "trials.csv");
    if (written)
        written = exporting::exportCurves(workspace, sweep, trials, folder / "curves.csv");
    if (!written) {
        std::cerr << written.error().message << '\n';
        return badInput;
    }
    std::cout << "CSV: " << (folder / "trials.csv").string() << "\nCSV: " << (folder / "curves.csv").string() << '\n';
    return good;
}

/// A trial can run to its end and say nothing that could be compared.
void tellOfMissingObjective(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const auto silent = std::count_if(trials.begin(), trials.end(), [](const sweep::TrialRecord &trial) {
        return trial.state == sweep::TrialState::Completed && !trial.objectiveLast;
    });
    if (silent == 0)
        return;
    std::cerr << "warning: rank 0 of " << silent << (silent == 1 ? " completed trial" : " completed trials")
              << " reported no '" << sweep.objective
              << "', by which trials are compared (sweep.objective): report a series of this name, or name one that is "
                 "reported\n";
}

int report(const protocol::EngineClient &client, std::int64_t sweepId, const std::string &csvFolder)
{
    const sweep::SweepRecord sweep = *client.sweep(sweepId);
    const std::vector<sweep::TrialRecord> &trials = client.trials(sweepId);
    std::cout << '\n';
    printResultTable(std::cout, sweep, trials);
    const auto counts = countStates(trials);
    std::cout << '\n' << sweep.folder << ": " << countsInWords(counts) << '\n';
    tellOfMissingObjective(sweep, trials);
    int exitCode = good;
    if (!csvFolder.empty()) {
        exitCode = writeCsv(client, sweep, csvFolder);
    } else {
        std::cout << "CSV: sweepctl export " << sweepId << workspaceArgument(client.workspace().toStdString())
                  << " --trials trials.csv --curves curves.csv\n";
    }
    const bool isWhole = !counts.empty() && std::ranges::all_of(counts, [](const auto &one) {
        return one.first == sweep::TrialState::Completed || one.first == sweep::TrialState::Pruned;
    });
    if (!isWhole)
        return trialsFailed;
    return exitCode;
}

int runSweep(const RunOptions &options)
{
    const std::optional<SweepInput> input = readSweepInput(options.file);
    if (!input)
        return badInput;
    protocol::EngineClient client;
    const Launch launched = launch(client, options.workspace, *input, options.file);
    if (launched.exitCode != good)
        return launched.exitCode;
    if (!options.wait && options.csvFolder.empty()) {
        const std::string where = workspaceArgument(client.workspace().toStdString());
        std::cout << "It runs in the background. Look with: sweepctl status" << where
                  << "\nStop it with: sweepctl stop " << launched.sweepId << where << '\n';
        return good;
    }
    int exitCode = good;
    if (!waitForEnd(client, launched.sweepId, input->spec.devices.concurrent, exitCode))
        return exitCode;
    return report(client, launched.sweepId, options.csvFolder);
}

}  // namespace

Subcommand makeRunCommand(CLI::App &app)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App *command = app.add_subcommand("run", "Start a sweep");
    command->add_option("FILE", options->file, "Sweep file (TOML)")->required()->type_name("");
    command->add_flag("--wait", options->wait, "Wait for its end: a line per trial, then the results, best first");
    command->add_option("--csv", options->csvFolder, "Write trials.csv and curves.csv there at the end (waits for it)")
        ->type_name("DIR");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Starts an engine for the workspace when none runs. Ctrl-C ends the waiting, not the sweep.\n"
                    "With --wait, exit code 3 says that a trial neither completed nor was pruned.\n\n"
                    "Examples:\n  sweepctl run digits-mlp.toml\n"
                    "  sweepctl run digits-mlp.toml --wait --csv results");
    return {command, [options] { return runSweep(*options); }};
}

}  // namespace sweepscope::ctl
