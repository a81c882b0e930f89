#pragma once

#include <QObject>
#include <QTimer>

namespace sweepscope::protocol {

/// Whether the other end of a line answers: asks every two seconds, and tells when nothing has come for ten. It counts
/// what its own thread has seen, so time in which that one stood still is not taken for silence.
class Heartbeat : public QObject {
    Q_OBJECT

public:
    explicit Heartbeat(QObject *parent = nullptr);

    void start();
    void stop();
    /// Something came.
    void heard();
    bool isSilent() const { return m_silent; }

Q_SIGNALS:
    void due();  ///< ask
    void silentChanged(bool silent);

private:
    void beat();
    void setSilent(bool silent);

    QTimer m_timer;
    int m_unansweredBeats = 0;
    bool m_silent = false;
};

}  // namespace sweepscope::protocol
