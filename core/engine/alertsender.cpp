#include "engine/alertsender.h"

#include "alerts/alertsettings.h"
#include "base/files.h"
#include "base/log.h"

#include <QProcess>
#include <QProcessEnvironment>

#include <algorithm>
#include <cstdlib>

namespace sweepscope::engine {
using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t mostBytes = 100;
/// Runs its argument with a limit, and says how it failed.
constexpr auto limited =
    "timeout -k 5 60 /bin/sh -c \"$0\"; code=$?; [ $code -eq 0 ] || echo \"$(date -u +%Y-%m-%dT%H:%M:%SZ) "
    "$SWEEPSCOPE_TITLE: "
    "the command $([ $code -eq 124 ] && echo 'did not finish within 60 s' || echo \"failed with exit code $code\")\"";

std::filesystem::path stateFile(const WorkspaceLayout &workspace)
{
    return workspace.root / "alerts.state";
}

/// Of the engine before; now if there was none.
WallNs readToldUntil(const WorkspaceLayout &workspace)
{
    const auto text = readFile(stateFile(workspace), mostBytes);
    const WallNs told = text ? std::atoll(text->c_str()) : 0;
    return told > 0 ? std::min(told, wallNow()) : wallNow();
}

}  // namespace

AlertSender::AlertSender(const WorkspaceLayout &workspace)
    : m_workspace(workspace), m_toldUntil(readToldUntil(workspace)), m_watch(m_toldUntil + 1)
{}

void AlertSender::noteTold(const std::vector<alerts::Alert> &told)
{
    for (const alerts::Alert &alert : told)
        m_toldUntil = std::max(m_toldUntil, alert.at);
    WallNs until = m_toldUntil;
    for (const alerts::Alert &alert : m_pacer.waiting())
        until = std::min(until, alert.at - 1);
    if (const auto written = writeFileAtomically(stateFile(m_workspace), std::to_string(until), Survives::Kill);
        !written)
        log(LogLevel::Warning, "alerts", written.error().message);
}

void AlertSender::update(const sweep::SweepRecord &sweep, const alerts::TrialList &trials, int first, int last)
{
    for (const alerts::Alert &alert : m_watch.update(sweep, trials, first, last))
        m_pacer.add(alert);
}

void AlertSender::poll()
{
    if (m_pacer.isEmpty())
        return;
    const std::vector<alerts::Alert> told = m_pacer.take(std::chrono::steady_clock::now());
    if (told.empty())
        return;
    noteTold(told);
    const auto settings = alerts::readAlertSettings(alerts::alertSettingsFile());
    if (!settings) {
        log(LogLevel::Warning, "alerts", settings.error().message);
        return;
    }
    for (const alerts::Alert &alert : told) {
        if (!settings->command.empty() && settings->byCommand.contains(alert.kind))
            run(settings->command, alert);
    }
}

void AlertSender::run(const std::string &command, const alerts::Alert &alert) const
{
    const QString log = QString::fromStdString((m_workspace.root / "alerts.log").string());
    QProcess process;
    process.setProgram(u"/bin/sh"_s);
    process.setArguments({u"-c"_s, QString::fromUtf8(limited), QString::fromStdString(command)});
    process.setWorkingDirectory(QString::fromStdString(m_workspace.root.string()));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto &[name, value] : alerts::environmentOf(alert, m_workspace.root))
        environment.insert(QString::fromStdString(name), QString::fromStdString(value));
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(log, QIODevice::Append);
    process.setStandardErrorFile(log, QIODevice::Append);
    const bool started = process.startDetached();
    sweepscope::log(started ? LogLevel::Info : LogLevel::Warning, "alerts",
                    alerts::titleOf(alert)
                        + (started ? ": the command was started" : ": the command cannot be started"));
}

}  // namespace sweepscope::engine
