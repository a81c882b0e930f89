#include "sweeplaunch.h"

#include "enginepatience.h"
#include "enginerequest.h"
#include "sweepwatch.h"
#include "terminationsignals.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "snapshot/snapshot.h"
#include "sweep/deviceplace.h"
#include "sweep/sweepfile.h"
#include "wording/placeholders.h"
#include "wording/sentence.h"

#include <QEventLoop>

#include <atomic>
#include <iostream>

namespace sweepscope::ctl {

namespace {

/// False for problems of the engine or the workspace.
bool isOfFile(const sweep::Problem &problem)
{
    return !problem.field.empty() || problem.line > 0;
}

}  // namespace

Launch requestSweep(protocol::EngineClient &client, const std::function<void()> &send, const ProblemWords &words)
{
    Launch result;
    QEventLoop loop;
    const auto fail = [&](int exitCode, const std::string &message) {
        std::cerr << message << '\n';
        result.exitCode = exitCode;
        loop.quit();
    };
    using Client = protocol::EngineClient;
    QObject::connect(&client, &Client::sweepLaunched, &loop, [&](quint64, qint64 id) {
        result.sweepId = id;
        loop.quit();
    });
    QObject::connect(&client, &Client::sweepRefused, &loop,
                     [&](quint64, const std::vector<sweep::Problem> &problems) { fail(badInput, words(problems)); });
    QObject::connect(&client, &Client::requestFailed, &loop,
                     [&](quint64, const facts::Fact &reason) { fail(noEngine, wording::sentence(reason)); });
    const EnginePatience onBreak(client, "Reconnecting.",
                                 [&](const QString &reason) { fail(noEngine, reason.toStdString()); });
    send();
    loop.exec();
    return result;
}

std::string describeAll(const std::vector<sweep::Problem> &problems)
{
    std::string text;
    for (const sweep::Problem &problem : problems)
        text += (text.empty() ? "" : "\n") + sweep::describe(problem, {});
    return text;
}

Launch requestLaunch(protocol::EngineClient &client, const SweepInput &input, const std::string &file)
{
    const auto words = [&](std::vector<sweep::Problem> problems) {
        // The engine counts lines in the text that was sent, not in the file.
        sweep::locateProblems(problems, input.text);
        std::string text;
        for (const sweep::Problem &problem : problems)
            text += (text.empty() ? "" : "\n") + sweep::describe(problem, isOfFile(problem) ? file : std::string());
        return text;
    };
    const auto send = [&] {
        client.launchSweep(QString::fromStdString(input.toml), QString::fromStdString(input.baseFolder.string()));
    };
    return requestSweep(client, send, words);
}

namespace {

/// Of a sweep that may use other machines.
void announceCode(const SweepInput &input, const std::filesystem::path &workspace)
{
    const std::string &folder = input.spec.run.workingFolder;
    if (!sweep::usesOtherMachines(input.spec.devices) || folder.find('{') != std::string::npos)
        return;
    const std::atomic<bool> neverCancelled = false;
    const auto code = snapshot::plan(WorkspaceLayout{workspace}.codeStore(), input.baseFolder / folder, neverCancelled);
    if (code)  // or the engine says why not
        std::cout << "The code is sent to other machines: " << code->files
                  << (code->files == 1 ? " file, " : " files, ") << wording::bytes(static_cast<double>(code->bytes))
                  << ", in " << code->root.string() << std::endl;
}

}  // namespace

int connectToEngine(protocol::EngineClient &client, const std::string &workspace)
{
    const Expected<std::filesystem::path> folder = writableWorkspace(workspace);
    if (!folder) {
        std::cerr << folder.error().message << '\n';
        return badInput;
    }
    if (!client.connectAndWait(QString::fromStdString(folder->string()), true, engineStartTimeoutMs)) {
        std::cerr << client.errorText().toStdString() << '\n';
        return noEngine;
    }
    return good;
}

Launch launch(protocol::EngineClient &client, const std::string &workspace, const SweepInput &input,
              const std::string &file)
{
    if (const int exitCode = connectToEngine(client, workspace); exitCode != good)
        return {0, exitCode};
    const std::string folder = client.workspace().toStdString();
    announceCode(input, folder);
    const Launch launched = requestLaunch(client, input, file);
    if (launched.exitCode != good)
        return launched;
    const sweep::SweepRecord *sweep = client.sweep(launched.sweepId);
    std::cout << "Sweep " << launched.sweepId << " (" << (sweep != nullptr ? sweep->folder : input.spec.name) << "): "
              << (input.trials == 0 ? std::string("a search")
                                    : (input.spec.repeats > 1 ? "up to " : "") + std::to_string(input.trials)
                                          + (input.trials == 1 ? " trial" : " trials"))
              << ", workspace " << folder << std::endl;
    return launched;
}

bool waitForEnd(protocol::EngineClient &client, std::int64_t sweepId, int concurrent, int &exitCode)
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
        std::cerr << "\nStopped waiting; sweep " << sweepId << " continues. Show its progress with: sweepctl status"
                  << where << "\nStop it with: sweepctl stop " << sweepId << where << '\n';
        exitCode = interrupted;
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &watch, [&watch] { watch.begin(); }, Qt::QueuedConnection);
    loop.exec();
    return ended;
}

}  // namespace sweepscope::ctl
