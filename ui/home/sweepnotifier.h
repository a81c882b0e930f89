#pragma once

#include "alerts/alertpacer.h"
#include "alerts/alertwatch.h"
#include "protocol/engineclient.h"

#include <QDBusConnection>
#include <QObject>
#include <QTimer>

class QWidget;

namespace sweepscope::ui {

/// Shows the alerts that the user has chosen as desktop notifications (org.freedesktop.Notifications) while the window is
/// inactive. Does nothing without a notification server, and never waits for it.
class SweepNotifier : public QObject {
    Q_OBJECT

public:
    /// While `window` is active, shows nothing, because the window does.
    SweepNotifier(const QDBusConnection &bus, protocol::EngineClient *client, const QWidget *window);

    /// Whether a notification server runs, or can be started.
    static bool hasServer(const QDBusConnection &bus);

private:
    void begin();
    void update(qint64 sweepId, int first, int last);
    void show();
    void notify(const alerts::Alert &alert);

    QDBusConnection m_bus;
    protocol::EngineClient *m_client;
    const QWidget *m_window;
    alerts::AlertWatch m_watch{0};
    alerts::AlertPacer m_pacer;
    QTimer m_timer;  ///< while alerts wait for others
};

}  // namespace sweepscope::ui
