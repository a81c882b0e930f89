#include "ui/editor/sweepchecker.h"

namespace sweepscope::ui {
using namespace std::chrono_literals;

SweepChecker::SweepChecker(QObject *parent) : QObject(parent), m_job(50ms, this) {}

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
    m_job.request([this, request = *m_request]() -> std::function<void()> {
        return [this, result = std::make_shared<const CheckResult>(checkSweep(request))] {
            m_result = result;
            Q_EMIT checked();
        };
    });
}

}  // namespace sweepscope::ui
