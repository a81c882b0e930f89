#include "exitcode.h"
#include "resulttable.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweepwatch.h"
#include "sweepwords.h"
#include "terminationsignals.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "client/engineclient.h"
#include "exporting/sweepexport.h"
#include "sweep/sweepfile.h"

#include <QEventLoop>

#include <algorithm>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr int connectTimeoutMs = 30'000;

struct RunOptions {
    std::string file;
    std::string workspace;
    bool wait = false;
    std::string csvFolder;
};

/// What the engine made of the request: an id, or an exit code (the reason is on stderr).
struct Launch {
    std::int64_t sweepId = 0;
    int exitCode = good;
};

Launch launch(client::EngineClient &client, const SweepInput &input, const std::string &file)
{
    Launch result;
    QEventLoop loop;
    const auto fail = [&](int exitCode, const std::string &message) {
        std::cerr << message << '\n';
        result.exitCode = exitCode;
        loop.quit();
    };
    using Client = client::EngineClient;
    QObject::connect(&client, &Client::sweepLaunched, &loop, [&](quint64, qint64 id) {
        result.sweepId = id;
        loop.quit();
    });
    QObject::connect(&client, &Client::sweepRefused, &loop, [&](quint64, const std::vector<sweep::Problem> &problems) {
        // The engine knows the text as it was sent, not as the person wrote it.
        std::vector<sweep::Problem> placed = problems;
        sweep::locateProblems(placed, input.text);
        std::string text;
        for (const sweep::Problem &problem : placed)
            text += (text.empty() ? "" : "\n") + sweep::describe(problem, file);
        fail(badInput, text);
    });
    QObject::connect(&client, &Client::requestFailed, &loop,
                     [&](quint64, const QString &message) { fail(noEngine, message.toStdString()); });
    QObject::connect(&client, &Client::disconnected, &loop,
                     [&](const QString &reason) { fail(noEngine, reason.toStdString()); });
    client.launchSweep(QString::fromStdString(input.toml), QString::fromStdString(input.baseFolder.string()));
    loop.exec();
    return result;
}

/// True when the sweep has ended; false when waiting did.
bool waitForEnd(client::EngineClient &client, std::int64_t sweepId, int concurrent, int &exitCode)
{
    QEventLoop loop;
    bool ended = false;
    TerminationSignals signals;
    SweepWatch watch(client, sweepId, concurrent, std::cout);
    QObject::connect(&watch, &SweepWatch::ended, &loop, [&] {
        ended = true;
        loop.quit();
    });
    QObject::connect(&watch, &SweepWatch::gaveUp, &loop, [&](const QString &reason) {
        std::cerr << reason.toStdString() << '\n';
        exitCode = noEngine;
        loop.quit();
    });
    QObject::connect(&signals, &TerminationSignals::received, &loop, [&] {
        const std::string where = workspaceArgument(client.workspace().toStdString());
        std::cerr << "\nNot waiting any longer; sweep " << sweepId << " goes on. Look with: sweepctl status" << where
                  << "\nStop it with: sweepctl stop " << sweepId << where << '\n';
        exitCode = interrupted;
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &watch, [&watch] { watch.begin(); }, Qt::QueuedConnection);
    loop.exec();
    return ended;
}

/// trials.csv and curves.csv; the exit code.
int writeCsv(const client::EngineClient &client, const sweep::SweepRecord &sweep, const std::filesystem::path &folder)
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

int report(const client::EngineClient &client, std::int64_t sweepId, const std::string &csvFolder)
{
    const sweep::SweepRecord sweep = *client.sweep(sweepId);
    const std::vector<sweep::TrialRecord> &trials = client.trials(sweepId);
    std::cout << '\n';
    printResultTable(std::cout, sweep, trials);
    auto counts = countStates(trials);
    std::cout << '\n' << sweep.folder << ": " << countsInWords(counts) << '\n';
    tellOfMissingObjective(sweep, trials);
    int exitCode = good;
    if (!csvFolder.empty()) {
        exitCode = writeCsv(client, sweep, csvFolder);
    } else {
        std::cout << "CSV: sweepctl export " << sweepId << workspaceArgument(client.workspace().toStdString())
                  << " --trials trials.csv --curves curves.csv\n";
    }
    if (counts[sweep::TrialState::Completed] + counts[sweep::TrialState::Pruned] != sweep.trialsTotal)
        return trialsFailed;
    return exitCode;
}

int runSweep(const RunOptions &options)
{
    const std::optional<SweepInput> input = readSweepInput(options.file);
    if (!input)
        return badInput;
    const Expected<std::filesystem::path> workspace = writableWorkspace(options.workspace);
    if (!workspace) {
        std::cerr << workspace.error().message << '\n';
        return badInput;
    }
    client::EngineClient client;
    if (!client.connectAndWait(QString::fromStdString(workspace->string()), true, connectTimeoutMs)) {
        std::cerr << client.errorText().toStdString() << '\n';
        return noEngine;
    }
    const Launch launched = launch(client, *input, options.file);
    if (launched.exitCode != good)
        return launched.exitCode;
    const sweep::SweepRecord *sweep = client.sweep(launched.sweepId);
    std::cout << "Sweep " << launched.sweepId << " (" << (sweep != nullptr ? sweep->folder : input->spec.name)
              << "): " << input->trials << " trials, workspace " << workspace->string() << std::endl;
    if (!options.wait && options.csvFolder.empty()) {
        const std::string where = workspaceArgument(workspace->string());
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
