#include "ui/editor/sweepchecker.h"

#include <chrono>

namespace sweepscope::ui {
using namespace std::chrono_literals;

SweepChecker::SweepChecker(QObject *parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(50ms);
    connect(&m_delay, &QTimer::timeout, this, &SweepChecker::start);
}

SweepChecker::~SweepChecker()
{
    m_pool.waitForDone();
}

void SweepChecker::request(CheckRequest request)
{
    if (m_request && *m_request == request)
        return;
    m_request = std::move(request);
    repeat();
}

void SweepChecker::repeat()
{
    if (!m_request)
        return;
    ++m_revision;
    m_pending = true;
    m_delay.start();
}

void SweepChecker::start()
{
    if (m_running)
        return;
    m_running = true;
    m_pool.start([this, request = *m_request, revision = m_revision] {
        auto result = std::make_shared<const CheckResult>(checkSweep(request));
        QMetaObject::invokeMethod(
            this, [this, revision, result] { finish(revision, result); }, Qt::QueuedConnection);
    });
}

void SweepChecker::finish(quint64 revision, const std::shared_ptr<const CheckResult> &result)
{
    m_running = false;
    if (revision != m_revision) {
        start();
        return;
    }
    m_pending = false;
    m_result = result;
    Q_EMIT checked();
}

}  // namespace sweepscope::ui
