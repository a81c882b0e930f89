#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <functional>

namespace sweepscope::ui {

/// Runs work on its own thread a moment after the last request. Only the newest is answered.
class NewestJob : public QObject {
    Q_OBJECT

public:
    /// Runs on the thread; the returned function runs on this object's thread, unless there was a newer request.
    using Work = std::function<std::function<void()>()>;

    NewestJob(std::chrono::milliseconds delay, QObject *parent);
    ~NewestJob() override;  ///< waits for running work

    void request(Work work);
    /// Cancels requests without an answer.
    void drop();
    bool isPending() const { return m_pending; }

private:
    void start();
    void finish(quint64 revision, const std::function<void()> &answer);

    QTimer m_delay;
    QThreadPool m_pool;
    Work m_work;
    quint64 m_revision = 0;
    bool m_pending = false;
    bool m_running = false;
};

}  // namespace sweepscope::ui
