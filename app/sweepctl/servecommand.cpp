#include "argumentchecks.h"
#include "exitcode.h"
#include "subcommand.h"
#include "terminationsignals.h"
#include "workspaceoption.h"

#include "base/installation.h"
#include "base/log.h"
#include "base/workspaceaccess.h"
#include "base/workspacelayout.h"
#include "engine/engine.h"
#include "engine/enginelock.h"
#include "engine/workspacereader.h"
#include "protocol/qtlog.h"
#include "remote/mirrorserver.h"

#include <QCoreApplication>

#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

namespace sweepscope::ctl {

namespace {

struct ServeOptions {
    std::string workspace;
    std::optional<int> idleExitSeconds;
    bool readOnly = false;
    bool ask = false;
};

/// A closed connection and a file size limit are errors of the write that meets them; their signals must not end the
/// engine.
void ignoreWriteSignals()
{
    for (const int number : {SIGPIPE, SIGXFSZ})
        std::signal(number, SIG_IGN);
}

/// Serves until the last client disconnects.
int serveReader(const ServeOptions &options)
{
    const Expected<std::unique_ptr<engine::WorkspaceReader>> reader = engine::WorkspaceReader::start(options.workspace);
    if (!reader) {
        std::cerr << reader.error().message << '\n';
        return badInput;
    }
    TerminationSignals signals;
    QObject::connect(&signals, &TerminationSignals::received, qApp, &QCoreApplication::quit);
    QObject::connect(reader->get(), &engine::WorkspaceReader::done, qApp, &QCoreApplication::quit);
    return QCoreApplication::exec();
}

/// Serves the workspace of another machine in place of its engine, until the connection breaks or no client is left.
int serveMirror(const remote::MirrorFolder &mirror, bool mayAsk)
{
    const auto fail = [](const Error &error) {
        std::cerr << error.message << '\n';
        return badInput;
    };
    const auto lock = engine::EngineLock::acquire(WorkspaceLayout{mirror.root}.lockFile());
    if (!lock)
        return fail(lock.error());
    const Expected<remote::PortablePrograms> programs = remote::portablePrograms(shareFolder());
    if (!programs)
        return fail(programs.error());
    const bool hasDisplay = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    const auto server = remote::MirrorServer::start(
        mirror, mayAsk && hasDisplay ? remote::Questions::InDialogs : remote::Questions::Refused, *programs);
    if (!server)
        return fail(server.error());
    TerminationSignals signals;
    QObject::connect(&signals, &TerminationSignals::received, qApp, &QCoreApplication::quit);
    QObject::connect(server->get(), &remote::MirrorServer::done, qApp, [](const QString &why) {
        sweepscope::log(LogLevel::Info, "mirror", why.toStdString());
        QCoreApplication::quit();
    });
    const int exitCode = QCoreApplication::exec();
    if (const Expected<void> stored = (*server)->storeState(); !stored)
        sweepscope::log(LogLevel::Warning, "mirror", stored.error().message);
    remote::removeUnusedMirrors(mirror);
    return exitCode;
}

int serve(const ServeOptions &options)
{
    ignoreWriteSignals();
    const Expected<std::optional<remote::MirrorFolder>> mirror = remote::mirrorIn(options.workspace);
    if (!mirror) {
        std::cerr << mirror.error().message << '\n';
        return badInput;
    }
    if (*mirror)
        return serveMirror(**mirror, options.ask);
    if (options.readOnly)
        return serveReader(options);
    engine::EngineSettings settings;
    settings.workspace = options.workspace;
    if (options.idleExitSeconds)
        settings.idleExit = std::chrono::seconds(*options.idleExitSeconds);
    protocol::logQtMessages();
    const auto log = [](const std::string &line) { sweepscope::log(LogLevel::Info, "engine", line); };
    if (const Expected<void> made = makeWorkspaceFolder(options.workspace); !made) {
        std::cerr << made.error().message << '\n';
        return badInput;
    }
    settings.rankUmask = enterUmaskOf(options.workspace);
    const Expected<std::unique_ptr<engine::Engine>> engine = engine::Engine::start(settings);
    if (!engine) {
        std::cerr << engine.error().message << '\n';
        return badInput;
    }
    TerminationSignals signals;
    QObject::connect(&signals, &TerminationSignals::received, qApp, [&log] {
        log("shutting down; running trials continue");
        QCoreApplication::quit();
    });
    QObject::connect(engine->get(), &engine::Engine::idle, qApp, [&log] {
        log("shutting down: no client is connected and no sweep is active");
        QCoreApplication::quit();
    });
    QObject::connect(engine->get(), &engine::Engine::workspaceLost, qApp, [&log](const std::string &why) {
        log("shutting down: " + why);
        QCoreApplication::quit();
    });
    log("engine of " + options.workspace + ", process " + std::to_string(QCoreApplication::applicationPid()));
    return QCoreApplication::exec();
}

}  // namespace

Subcommand makeServeCommand(CLI::App &app)
{
    auto options = std::make_shared<ServeOptions>();
    CLI::App *command = app.add_subcommand("serve", "Run the engine of a workspace");
    command
        ->add_option("--idle-exit", options->idleExitSeconds, "Exit after this time without clients and active sweeps")
        ->type_name("SECONDS")
        ->check(between(0, 31'536'000));
    command->add_flag("--read-only", options->readOnly,
                      "Serve a read-only view of the workspace; run and write nothing. Exit when no client is "
                      "connected\n"
                      "or an engine starts");
    command->add_flag("--ask", options->ask, "For a workspace on another machine: let ssh prompt in dialogs");
    addWorkspaceOption(*command, options->workspace);
    command->footer("The window and sweepctl run start the engine when they need it. A workspace has one "
                    "engine; a second one\n"
                    "exits with code 2. Trials outlive the engine: if you end it with SIGTERM or Ctrl-C, the "
                    "next engine adopts\n"
                    "the running ones.\n"
                    "\n"
                    "Example:\n"
                    "  sweepctl serve --workspace ~/experiments");
    return {command, [options] { return serve(*options); }};
}

}  // namespace sweepscope::ctl
