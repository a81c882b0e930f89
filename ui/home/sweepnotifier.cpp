#include "ui/home/sweepnotifier.h"

#include "alerts/alertsettings.h"

#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusReply>
#include <QWidget>

#include <chrono>
#include <limits>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto service = "org.freedesktop.Notifications"_L1;
constexpr auto path = "/org/freedesktop/Notifications"_L1;
constexpr int defaultTimeout = -1;  ///< milliseconds; -1 leaves it to the server
constexpr int lastTrial = std::numeric_limits<int>::max();

}  // namespace

SweepNotifier::SweepNotifier(const QDBusConnection &bus, protocol::EngineClient *client, const QWidget *window)
    : m_bus(bus), m_client(client), m_window(window)
{
    m_timer.setInterval(1s);
    connect(&m_timer, &QTimer::timeout, this, &SweepNotifier::show);
    connect(client, &protocol::EngineClient::connected, this, &SweepNotifier::begin);
    connect(client, &protocol::EngineClient::sweepsChanged, this, [this] {
        for (const sweep::SweepRecord &sweep : m_client->sweeps())
            update(sweep.id, 1, 0);
    });
    connect(client, &protocol::EngineClient::trialsChanged, this,
            [this](qint64 sweepId) { update(sweepId, 1, lastTrial); });
}

bool SweepNotifier::hasServer(const QDBusConnection &bus)
{
    QDBusConnectionInterface *names = bus.interface();
    if (!names)
        return false;
    names->setTimeout(200);  // milliseconds
    return names->isServiceRegistered(service) || names->activatableServiceNames().value().contains(QString(service));
}

/// What happened earlier or while disconnected is no news.
void SweepNotifier::begin()
{
    m_watch = alerts::AlertWatch(wallNow());
    for (const sweep::SweepRecord &sweep : m_client->sweeps())
        update(sweep.id, 1, lastTrial);
    m_pacer = {};
}

void SweepNotifier::update(qint64 sweepId, int first, int last)
{
    const sweep::SweepRecord *sweep = m_client->sweep(sweepId);
    if (sweep == nullptr)
        return;
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(sweepId);
    const alerts::TrialList list{trials.size(),
                                 [&trials](std::size_t i) -> const sweep::TrialRecord & { return trials[i]; }};
    for (const alerts::Alert &alert : m_watch.update(*sweep, list, first, last))
        m_pacer.add(alert);
    show();
}

void SweepNotifier::show()
{
    if (!m_pacer.isEmpty()) {
        const std::vector<alerts::Alert> due = m_pacer.take(std::chrono::steady_clock::now());
        const alerts::AlertSettings settings =
            due.empty() ? alerts::AlertSettings()
                        : alerts::readAlertSettings(alerts::alertSettingsFile()).value_or(alerts::AlertSettings());
        for (const alerts::Alert &alert : due) {
            if (settings.desktop.contains(alert.kind) && !m_window->isActiveWindow())
                notify(alert);
        }
    }
    if (m_pacer.isEmpty())
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
}

void SweepNotifier::notify(const alerts::Alert &alert)
{
    QDBusMessage message = QDBusMessage::createMethodCall(service, path, service, u"Notify"_s);
    message.setArguments({u"Sweepscope"_s, 0U, u"sweepscope"_s, QString::fromStdString(alerts::titleOf(alert)),
                          QString::fromStdString(alert.text).toHtmlEscaped(), QStringList(),
                          QVariantMap{{u"desktop-entry"_s, u"sweepscope"_s}}, defaultTimeout});
    m_bus.send(message);
}

}  // namespace sweepscope::ui
