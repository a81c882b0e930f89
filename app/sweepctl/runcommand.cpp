#include "argumentchecks.h"
#include "costs.h"
#include "exitcode.h"
#include "resulttable.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweeplaunch.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "analysis/savedbypruning.h"
#include "base/files.h"
#include "base/workspacelayout.h"
#include "exporting/sweepexport.h"
#include "launch/printedoutput.h"
#include "protocol/engineclient.h"
#include "sweep/outcome.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

struct RunOptions {
    std::string file;
    std::string workspace;
    bool wait = false;
    std::string csvFolder;
};

/// Makes the folder and makes sure that files can be written there. The sweep may run for days before they are.
Expected<void> prepareCsvFolder(const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    if (::access(folder.c_str(), W_OK) != 0)
        return makeErrnoError("cannot write to " + folder.string(), errno);
    return {};
}

/// Writes trials.csv and curves.csv; returns the exit code.
int writeCsv(const protocol::EngineClient &client, const sweep::SweepRecord &sweep, const std::filesystem::path &folder)
{
    const std::vector<sweep::TrialRecord> &trials = client.trials(sweep.id);
    const WorkspaceLayout workspace{client.workspace().toStdString()};
    Expected<void> written = prepareCsvFolder(folder);
    if (written)
        written = exporting::exportTrials(sweep, trials, folder / "trials.csv", {},
                                          launch::readEnergy(launch::energyFile(workspace.sweepFolder(sweep.folder))),
                                          costFactors());
    if (written)
        written = exporting::exportCurves(workspace, sweep, trials, folder / "curves.csv");
    if (!written) {
        std::cerr << written.error().message << '\n';
        return badInput;
    }
    std::cout << "CSV: " << (folder / "trials.csv").string() << "\nCSV: " << (folder / "curves.csv").string() << '\n';
    return good;
}

/// A trial can complete without reporting the objective.
void warnOfMissingObjective(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const auto silent = std::count_if(trials.begin(), trials.end(), [](const sweep::TrialRecord &trial) {
        return trial.state == sweep::TrialState::Completed && !trial.objectiveLast;
    });
    if (silent == 0)
        return;
    std::cerr << "warning: rank 0 of " << silent << (silent == 1 ? " completed trial" : " completed trials")
              << " reported no '" << sweep.objective
              << "', the objective: report a series of this name, or set sweep.objective to one that is reported\n";
}

/// If no trial has reported anything, the output may have metrics that are not read.
void tellWhatWasPrinted(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                        const std::vector<sweep::TrialRecord> &trials)
{
    constexpr std::size_t bytesToRead = 128 * 1024;
    const auto ran = std::ranges::find_if(trials, [](const sweep::TrialRecord &trial) { return trial.attempts > 0; });
    const bool hasReported =
        std::ranges::any_of(trials, [](const sweep::TrialRecord &trial) { return trial.firstAttempt != 0; });
    const sweep::SweepSpec spec = sweep::parseSweep(sweep.toml).spec;
    if (ran == trials.end() || hasReported || spec.run.command.empty() || spec.run.metrics)
        return;
    const AttemptLayout files = workspace.attempt(sweep.folder, ran->number, ran->attempts);
    std::string names;
    for (const std::string &name : launch::printedMetrics(readTail(files.rankLog(0), bytesToRead)))
        names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        std::cerr << "The output has " << names
                  << ". To report that, add to the sweep file, or with sweepctl edit:\n\n[run.metrics]\nformat = "
                     "\"auto\"\n\n";
}

/// A constraint on results holds where its metric was not reported: its name may be misspelt.
void warnOfMissingMetrics(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const auto isReported = [&](const std::string &name) {
        return name == sweep.objective || std::ranges::any_of(trials, [&](const sweep::TrialRecord &trial) {
                   return sweep::find(trial.metrics, name) != nullptr;
               });
    };
    const auto hasCompleted = [](const sweep::TrialRecord &trial) {
        return trial.state == sweep::TrialState::Completed;
    };
    if (std::ranges::none_of(trials, hasCompleted))
        return;
    for (const std::string &name : sweep::outcomeMetrics(sweep::parseSweep(sweep.toml).spec)) {
        if (!isReported(name))
            std::cerr << "warning: no trial reported '" << name
                      << "', which [objectives] or [outcome_constraints] names: report a series of this name, or "
                         "correct the sweep file\n";
    }
}

/// The sweep's rules ended it while the trial was queued.
bool endedWithItsSearch(const sweep::TrialRecord &trial)
{
    using facts::Code;
    constexpr std::array rules{Code::TargetReached,   Code::NoImprovement,     Code::ImprovementSmall,
                               Code::TimeBudgetSpent, Code::DeviceBudgetSpent, Code::EnergyBudgetSpent,
                               Code::PointsExhausted, Code::ConstraintsTight,  Code::RepeatsDone};
    return trial.attempts == 0 && std::ranges::find(rules, trial.reason.code) != rules.end();
}

int report(const protocol::EngineClient &client, std::int64_t sweepId, const std::string &csvFolder)
{
    const sweep::SweepRecord sweep = *client.sweep(sweepId);
    const std::vector<sweep::TrialRecord> &trials = client.trials(sweepId);
    std::cout << '\n';
    printResultTable(std::cout, sweep, trials);
    const auto counts = countStates(trials);
    std::cout << '\n' << sweep.folder << ": " << countsInWords(counts) << '\n';
    if (const auto saved = analysis::savedByPruning(trials))
        std::cout << "Pruning saved about " << std::lround(100 * saved->share) << "% of the steps.\n";
    warnOfMissingObjective(sweep, trials);
    tellWhatWasPrinted(WorkspaceLayout{client.workspace().toStdString()}, sweep, trials);
    warnOfMissingMetrics(sweep, trials);
    int exitCode = good;
    if (!csvFolder.empty()) {
        exitCode = writeCsv(client, sweep, csvFolder);
    } else {
        std::cout << "CSV: sweepctl export " << sweepId << workspaceArgument(client.workspace().toStdString())
                  << " --trials trials.csv --curves curves.csv\n";
    }
    const bool isWhole = !counts.empty() && std::ranges::all_of(trials, [](const sweep::TrialRecord &trial) {
        return sweep::isRemoved(trial) || trial.state == sweep::TrialState::Completed
               || trial.state == sweep::TrialState::Pruned || endedWithItsSearch(trial);
    });
    if (!isWhole || sweep.state == sweep::SweepState::Failed)
        return trialsFailed;
    return exitCode;
}

int runSweep(const RunOptions &options)
{
    const std::optional<SweepInput> input = readSweepInput(options.file, {}, options.workspace);
    if (!input)
        return badInput;
    if (!options.csvFolder.empty()) {
        if (const Expected<void> ready = prepareCsvFolder(options.csvFolder); !ready) {
            std::cerr << ready.error().message << '\n';
            return badInput;
        }
    }
    protocol::EngineClient client;
    const Launch launched = launch(client, options.workspace, *input, options.file);
    if (launched.exitCode != good)
        return launched.exitCode;
    if (!options.wait && options.csvFolder.empty()) {
        const std::string where = workspaceArgument(client.workspace().toStdString());
        std::cout << "It runs in the background. Show its progress with: sweepctl status" << where
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
    command->add_flag("--wait", options->wait,
                      "Wait until the sweep ends; print a line per trial, then the results, best first");
    command
        ->add_option("--csv", options->csvFolder, "Write trials.csv and curves.csv to DIR at the end; implies --wait")
        ->check(notEmpty())
        ->type_name("DIR");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Starts an engine for the workspace if none runs. Ctrl-C stops waiting; the sweep "
                    "continues. With --wait, the exit\n"
                    "code is 3 if the search failed, or any trial neither completed nor was pruned.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl run digits-mlp.toml\n"
                    "  sweepctl run digits-mlp.toml --wait --csv results");
    return {command, [options] { return runSweep(*options); }};
}

}  // namespace sweepscope::ctl
