#include "ui/logs/loghits.h"

#include "ui/logs/logcount.h"
#include "ui/logs/logmerge.h"

#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

LogHits::LogHits(QObject *parent) : QObject(parent), m_job(0ms, nullptr) {}

LogHits::~LogHits()
{
    stop();
}

void LogHits::stop()
{
    // The flag publishes no other data, so relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_job.drop();
    m_count.reset();
    m_pattern.reset();
    m_state = {};
}

void LogHits::countHits(const std::vector<LogFile> &files, const QRegularExpression &pattern,
                        const std::optional<LogView::Selected> &selected)
{
    if (files != m_files || m_pattern != pattern) {
        stop();
        m_files = files;
        m_pattern = pattern;
        m_count = std::make_shared<LogCount>(files, pattern);
        m_cancelled = std::make_shared<std::atomic<bool>>(false);
    } else if (m_state.tooSlow || (m_job.isPending() && selected == m_selected)) {
        return;
    }
    m_selected = selected;
    const auto report = [this, cancelled = m_cancelled, reported = std::make_shared<int>(0)](double share) {
        const int percent = static_cast<int>(share * 100);
        if (percent == std::exchange(*reported, percent))
            return;
        QMetaObject::invokeMethod(
            this,
            [this, percent, cancelled] {
                if (cancelled != m_cancelled || m_state.complete)
                    return;
                m_state.percent = percent;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    };
    m_job.request([this, files, selected, count = m_count, cancelled = m_cancelled, report]() -> std::function<void()> {
        State state;
        state.complete = count->countOn(*cancelled, report);
        // The flag publishes no other data, so relaxed order is enough.
        state.tooSlow = !state.complete && !cancelled->load(std::memory_order_relaxed);
        state.count = count->total();
        if (state.complete && selected)
            state.current = count->before(LogMerge(files).positionOf(selected->file, selected->offset), *cancelled)
                            + selected->inLine + 1;
        return [this, state, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_state = state;
            Q_EMIT changed();
        };
    });
}

}  // namespace sweepscope::ui
