#pragma once

#include <QObject>
#include <QTimer>

namespace sweepscope::protocol {

/// Checks whether the peer of a connection answers: pings every two seconds, and reports if nothing has arrived for
/// ten. It counts beats of its own thread, so a pause of that thread does not count as silence.
class Heartbeat : public QObject {
    Q_OBJECT

public:
    explicit Heartbeat(QObject *parent = nullptr);

    void start();
    void stop();
    /// Call when any message has arrived.
    void heard();
    bool isSilent() const { return m_silent; }

Q_SIGNALS:
    void due();  ///< send a ping
    void silentChanged(bool silent);

private:
    void beat();
    void setSilent(bool silent);

    QTimer m_timer;
    int m_unansweredBeats = 0;
    bool m_silent = false;
};

}  // namespace sweepscope::protocol
