#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <functional>

namespace sweepscope::ui {

/// Work that keys set off, on a thread of its own, a moment after the last one. Only the newest is answered.
class NewestJob : public QObject {
    Q_OBJECT

public:
    /// Runs on the thread; what it returns runs on this object's, unless something newer was requested meanwhile.
    using Work = std::function<std::function<void()>()>;

    NewestJob(std::chrono::milliseconds delay, QObject *parent);
    ~NewestJob() override;  ///< waits for what runs

    void request(Work work);
    /// What was requested and is not answered yet is wanted no more.
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
