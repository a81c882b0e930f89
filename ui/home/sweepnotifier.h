#pragma once

#include "protocol/engineclient.h"

#include <QDBusConnection>
#include <QObject>

#include <map>
#include <set>

class QWidget;

namespace sweepscope::ui {

/// Shows a desktop notification (org.freedesktop.Notifications) when a sweep ends while the window is inactive. Does
/// nothing without a notification server, and never waits for it.
class SweepNotifier : public QObject {
    Q_OBJECT

public:
    /// While `window` is active, shows nothing, because the window does.
    SweepNotifier(const QDBusConnection &bus, protocol::EngineClient *client, const QWidget *window);

private:
    void updateSweeps();
    void notifyIfComplete(qint64 sweepId);
    void notify(const sweep::SweepRecord &sweep);

    QDBusConnection m_bus;
    protocol::EngineClient *m_client;
    const QWidget *m_window;
    std::map<std::int64_t, sweep::SweepState> m_known;
    std::set<std::int64_t> m_ended;  ///< not reported yet
};

/// "4 of 4 trials done, 1 failed. Best loss 0.12 in trial 2"
QString endText(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::ui
