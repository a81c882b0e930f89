#include "ui/home/sweepnotifier.h"

#include "ui/models/sweepsummary.h"
#include "ui/models/valuetext.h"

#include <QDBusMessage>
#include <QWidget>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr auto service = "org.freedesktop.Notifications"_L1;
constexpr auto path = "/org/freedesktop/Notifications"_L1;
constexpr int defaultTimeout = -1;  ///< milliseconds; -1 leaves it to the server

}  // namespace

SweepNotifier::SweepNotifier(const QDBusConnection &bus, protocol::EngineClient *client, const QWidget *window)
    : m_bus(bus), m_client(client), m_window(window)
{
    // Do not report sweeps that ended earlier or while disconnected.
    connect(client, &protocol::EngineClient::connected, this, [this] {
        m_known.clear();
        m_ended.clear();
        for (const sweep::SweepRecord &sweep : m_client->sweeps())
            m_known[sweep.id] = sweep.state;
    });
    connect(client, &protocol::EngineClient::sweepsChanged, this, &SweepNotifier::updateSweeps);
    connect(client, &protocol::EngineClient::trialsChanged, this, &SweepNotifier::notifyIfComplete);
}

void SweepNotifier::updateSweeps()
{
    for (const sweep::SweepRecord &sweep : m_client->sweeps()) {
        const auto known = m_known.try_emplace(sweep.id, sweep.state).first;
        const bool ended = sweep::isActive(known->second) && !sweep::isActive(sweep.state);
        known->second = sweep.state;
        if (ended)
            m_ended.insert(sweep.id);
        else if (sweep::isActive(sweep.state))
            m_ended.erase(sweep.id);
        notifyIfComplete(sweep.id);
    }
}

/// The end of a sweep arrives before that of its trials, and only these give the result.
void SweepNotifier::notifyIfComplete(qint64 sweepId)
{
    const sweep::SweepRecord *sweep = m_client->sweep(sweepId);
    const bool complete = sweep && std::ranges::all_of(m_client->trials(sweepId), [](const sweep::TrialRecord &trial) {
                              return sweep::isFinal(trial.state);
                          });
    if (complete && m_ended.erase(sweepId) > 0 && !m_window->isActiveWindow())
        notify(*sweep);
}

void SweepNotifier::notify(const sweep::SweepRecord &sweep)
{
    const QString name = QString::fromStdString(sweep.name);
    const QString title = sweep.state == sweep::SweepState::Stopped  ? tr("%1 was stopped").arg(name)
                          : sweep.state == sweep::SweepState::Failed ? tr("%1 failed").arg(name)
                                                                     : tr("%1 completed").arg(name);
    QDBusMessage message = QDBusMessage::createMethodCall(service, path, service, u"Notify"_s);
    message.setArguments({u"Sweepscope"_s, 0U, u"sweepscope"_s, title,
                          endText(sweep, m_client->trials(sweep.id)).toHtmlEscaped(), QStringList(),
                          QVariantMap{{u"desktop-entry"_s, u"sweepscope"_s}}, defaultTimeout});
    m_bus.send(message);
}

QString endText(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const SweepSummary summary = summarize(sweep, trials, 1, wallNow());
    QString text = countsText(summary);
    if (summary.best)
        text += SweepNotifier::tr(". Best %1 %2 in trial %3")
                    .arg(QString::fromStdString(sweep.objective), numberText(summary.best->value))
                    .arg(summary.bestTrial);
    return text;
}

}  // namespace sweepscope::ui
