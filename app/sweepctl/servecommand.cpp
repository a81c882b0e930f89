#include "exitcode.h"
#include "subcommand.h"
#include "terminationsignals.h"
#include "workspaceoption.h"

#include "base/log.h"
#include "base/workspaceaccess.h"
#include "engine/engine.h"
#include "engine/workspacereader.h"
#include "protocol/qtlog.h"

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
};

/// A client that goes while it is written to, and a limit on file sizes, are errors of that one write: they must not
/// end the engine.
void takeWriteErrorsAsErrors()
{
    for (const int number : {SIGPIPE, SIGXFSZ})
        std::signal(number, SIG_IGN);
}

/// Until nobody looks any more.
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

int serve(const ServeOptions &options)
{
    takeWriteErrorsAsErrors();
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
        log("the engine ends; trials that run go on");
        QCoreApplication::quit();
    });
    QObject::connect(engine->get(), &engine::Engine::idle, qApp, [&log] {
        log("the engine ends: nobody is connected and no sweep runs");
        QCoreApplication::quit();
    });
    QObject::connect(engine->get(), &engine::Engine::workspaceLost, qApp, [&log](const std::string &why) {
        log("the engine ends: " + why);
        QCoreApplication::quit();
    });
    log("engine of " + options.workspace + ", process " + std::to_string(QCoreApplication::applicationPid()));
    return QCoreApplication::exec();
}

}  // namespace

Subcommand makeServeCommand(CLI::App &app)
{
    auto options = std::make_shared<ServeOptions>();
    CLI::App *command = app.add_subcommand("serve", "Be the engine of a workspace: run its sweeps");
    command
        ->add_option("--idle-exit", options->idleExitSeconds,
                     "End when nobody is connected and no sweep runs for this long")
        ->type_name("SECONDS")
        ->check(CLI::Range(0, 31'536'000));
    command->add_flag("--read-only", options->readOnly,
                      "Only tell what the workspace holds, to windows that only look: no sweep goes on, nothing is\n"
                      "written. Ends when nobody looks or an engine starts");
    addWorkspaceOption(*command, options->workspace);
    command->footer("The window and sweepctl run start it by themselves when it is needed. There is one engine per\n"
                    "workspace; a second one says so and ends with code 2. Trials outlive the engine: end it with\n"
                    "SIGTERM or Ctrl-C, start it again, and it takes over what runs.\n\n"
                    "Example:\n  sweepctl serve --workspace ~/experiments");
    return {command, [options] { return serve(*options); }};
}

}  // namespace sweepscope::ctl
