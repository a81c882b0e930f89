#pragma once

#include "protocol/engineclient.h"

#include <QDBusConnection>
#include <QObject>

#include <map>
#include <set>

class QWidget;

namespace sweepscope::ui {

/// Tells by the desktop's notifications (org.freedesktop.Notifications) that a sweep has ended, while somebody does
/// something else. Says nothing where nobody shows notifications, and never waits for who does.
class SweepNotifier : public QObject {
    Q_OBJECT

public:
    /// While `window` is active nothing is told: it shows it.
    SweepNotifier(const QDBusConnection &bus, protocol::EngineClient *client, const QWidget *window);

private:
    void look();
    void tellEnded(qint64 sweepId);
    void tell(const sweep::SweepRecord &sweep);

    QDBusConnection m_bus;
    protocol::EngineClient *m_client;
    const QWidget *m_window;
    std::map<std::int64_t, sweep::SweepState> m_known;
    std::set<std::int64_t> m_ended;  ///< but not told yet
};

/// "4 of 4 trials done, 1 failed. Best loss 0.12 in trial 2"
QString endText(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ui
