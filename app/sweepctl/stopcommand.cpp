#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "client/engineclient.h"

#include <QEventLoop>

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr int connectTimeoutMs = 10'000;

struct StopOptions {
    std::string workspace;
    std::string sweep;
};

/// Why nobody could be asked.
int complainOfNoEngine(const client::EngineClient &client, const StopOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored)
        std::cerr << stored.error().message << '\n';
    else
        std::cerr << client.errorText().toStdString()
                  << " Trials that still run belong to nobody until one is started with: sweepctl serve"
                  << workspaceArgument(options.workspace) << '\n';
    return noEngine;
}

int stop(const StopOptions &options)
{
    client::EngineClient client;
    if (!client.connectAndWait(QString::fromStdString(options.workspace), false, connectTimeoutMs))
        return complainOfNoEngine(client, options);
    const Expected<const sweep::SweepRecord *> found = selectSweep(client.sweeps(), options.sweep, Wanted::NotEnded);
    if (!found) {
        std::cerr << found.error().message << '\n';
        return badInput;
    }
    const std::string folder = (*found)->folder;
    int exitCode = noEngine;
    std::string answer;
    QEventLoop loop;
    const auto end = [&](int code, const QString &text) {
        exitCode = code;
        answer = text.toStdString();
        loop.quit();
    };
    QObject::connect(&client, &client::EngineClient::requestDone, &loop, [&](quint64) { end(good, {}); });
    QObject::connect(&client, &client::EngineClient::requestFailed, &loop,
                     [&](quint64, const QString &message) { end(badInput, message); });
    QObject::connect(&client, &client::EngineClient::disconnected, &loop,
                     [&](const QString &reason) { end(noEngine, reason); });
    client.stopSweep((*found)->id);
    loop.exec();
    if (exitCode != good)
        std::cerr << answer << '\n';
    else
        std::cout << "Sweep " << folder
                  << " is being stopped: no further trial starts, and those that run are told to end.\n";
    return exitCode;
}

}  // namespace

Subcommand makeStopCommand(CLI::App &app)
{
    auto options = std::make_shared<StopOptions>();
    CLI::App *command = app.add_subcommand("stop", "Stop a sweep: running trials end, waiting ones do not start");
    command->add_option("SWEEP", options->sweep, "Its id, name or folder, as sweepctl status shows them")
        ->required()
        ->type_name("");
    addWorkspaceOption(*command, options->workspace);
    command->footer("What was measured stays and can be exported.\n\n"
                    "Examples:\n  sweepctl stop 3\n  sweepctl stop digits-mlp\n  sweepctl stop 0003-digits-mlp");
    return {command, [options] { return stop(*options); }};
}

}  // namespace sweepscope::ctl
