#include "engine/alertsender.h"

#include "alerts/alertsettings.h"
#include "base/log.h"

#include <QProcess>
#include <QProcessEnvironment>

namespace sweepscope::engine {
using namespace Qt::StringLiterals;

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
    process.setArguments({u"-c"_s, QString::fromStdString(command)});
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
