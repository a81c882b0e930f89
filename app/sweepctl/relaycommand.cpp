#include "exitcode.h"
#include "subcommand.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "protocol/engineclient.h"
#include "remote/mirrorserver.h"

#include <QCoreApplication>
#include <QLocalSocket>
#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

constexpr int startTimeoutMs = 30'000;
constexpr qint64 mostUnsent = 1024 * 1024;

/// Joins standard input and output with the engine's socket.
int joinWith(QLocalSocket &engine)
{
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &engine, [&] {
        std::array<char, 65536> buffer{};
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count > 0)
            engine.write(buffer.data(), count);
        else if (count == 0 || (errno != EINTR && errno != EAGAIN))
            QCoreApplication::quit();
        input.setEnabled(engine.bytesToWrite() < mostUnsent);
    });
    QObject::connect(&engine, &QLocalSocket::bytesWritten, &input,
                     [&] { input.setEnabled(engine.bytesToWrite() < mostUnsent); });
    const auto pass = [&engine] {
        const QByteArray bytes = engine.readAll();
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t count =
                ::write(STDOUT_FILENO, bytes.data() + sent, static_cast<std::size_t>(bytes.size() - sent));
            if (count > 0)
                sent += count;
            else if (errno != EINTR)
                return QCoreApplication::quit();
        }
    };
    QObject::connect(&engine, &QLocalSocket::readyRead, qApp, pass);
    QObject::connect(&engine, &QLocalSocket::disconnected, qApp, &QCoreApplication::quit);
    pass();
    return QCoreApplication::exec();
}

int relay(const std::string &workspace)
{
    std::signal(SIGPIPE, SIG_IGN);
    // Starts an engine where none runs, and checks whose it is.
    protocol::EngineClient client;
    client.leaveOutTrials();
    if (!client.connectAndWait(QString::fromStdString(workspace), true, startTimeoutMs)) {
        std::cerr << client.errorText().toStdString() << '\n';
        return noEngine;
    }
    QLocalSocket engine;
    engine.connectToServer(QString::fromStdString(engineSocketPath(client.workspace().toStdString()).string()));
    if (!engine.waitForConnected(startTimeoutMs)) {
        std::cerr << engine.errorString().toStdString() << '\n';
        return noEngine;
    }
    std::cout << remote::relayGreeting << std::flush;
    return joinWith(engine);
}

}  // namespace

Subcommand makeRelayCommand(CLI::App &app)
{
    auto workspace = std::make_shared<std::string>();
    CLI::App *command =
        app.add_subcommand("relay", "Relay messages between standard input and output and the engine of a workspace");
    addWorkspaceOption(*command, *workspace);
    command->footer(
        "Windows on other machines run this over ssh. It starts an engine if none runs, and exits at the end of its\n"
        "input; the engine keeps running.");
    return {command, [workspace] { return relay(*workspace); }};
}

}  // namespace sweepscope::ctl
