#include "ui/models/newestjob.h"

#include <utility>

namespace sweepscope::ui {

NewestJob::NewestJob(std::chrono::milliseconds delay, QObject *parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delay);
    connect(&m_delay, &QTimer::timeout, this, &NewestJob::start);
}

NewestJob::~NewestJob()
{
    m_pool.waitForDone();
}

void NewestJob::request(Work work)
{
    m_work = std::move(work);
    ++m_revision;
    m_pending = true;
    m_delay.start();
}

void NewestJob::drop()
{
    ++m_revision;
    m_pending = false;
    m_work = {};
    m_delay.stop();
}

void NewestJob::start()
{
    if (m_running || !m_work)
        return;
    m_running = true;
    m_pool.start([this, work = m_work, revision = m_revision] {
        const std::function<void()> answer = work();
        QMetaObject::invokeMethod(
            this, [this, revision, answer] { finish(revision, answer); }, Qt::QueuedConnection);
    });
}

void NewestJob::finish(quint64 revision, const std::function<void()> &answer)
{
    m_running = false;
    if (revision != m_revision) {
        if (!m_delay.isActive())
            start();
        return;
    }
    m_pending = false;
    answer();
}

}  // namespace sweepscope::ui
