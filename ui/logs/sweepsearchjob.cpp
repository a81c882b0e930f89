#include "ui/logs/sweepsearchjob.h"

#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

SweepSearchJob::SweepSearchJob(QObject *parent) : QObject(parent), m_job(0ms, nullptr) {}

SweepSearchJob::~SweepSearchJob()
{
    cancel();
}

void SweepSearchJob::cancel()
{
    // The flag publishes no other data, so relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_job.drop();
}

void SweepSearchJob::start(const SweepSearch &search)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_job.request([this, search, cancelled = m_cancelled]() -> std::function<void()> {
        searchSweep(search, *cancelled, [this, cancelled](std::vector<SweepHit> hits, const SweepSearchState &state) {
            QMetaObject::invokeMethod(
                this,
                [this, cancelled, hits = std::move(hits), state] {
                    if (cancelled == m_cancelled)
                        Q_EMIT found(hits, state);
                },
                Qt::QueuedConnection);
        });
        return [this, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            Q_EMIT finished();
        };
    });
}

}  // namespace sweepscope::ui
