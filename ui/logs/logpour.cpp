#include "ui/logs/logpour.h"

#include "ui/logs/logview.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::ptrdiff_t slice = 500;

}  // namespace

LogPour::LogPour(LogView *view) : QObject(view), m_view(view)
{
    connect(&m_timer, &QTimer::timeout, this, &LogPour::pour);
}

void LogPour::start(std::vector<ShownLine> before, std::vector<ShownLine> after, bool withRank)
{
    m_before = std::move(before);
    m_after = std::move(after);
    m_taken = 0;
    m_withRank = withRank;
    m_timer.start(0);
}

void LogPour::stop()
{
    m_timer.stop();
    m_before.clear();
    m_after.clear();
}

void LogPour::pour()
{
    if (m_taken < m_after.size()) {
        const auto begin = m_after.begin() + static_cast<std::ptrdiff_t>(m_taken);
        const std::ptrdiff_t count = std::min(slice, m_after.end() - begin);
        LogBatch batch;
        batch.lines.assign(begin, begin + count);
        m_taken += static_cast<std::size_t>(count);
        m_view->append(batch, m_withRank);
    } else if (!m_before.empty()) {
        const auto begin = m_before.end() - std::min(slice, std::ssize(m_before));
        m_view->prepend({begin, m_before.end()}, m_withRank);
        m_before.erase(begin, m_before.end());
    }
    if (m_taken < m_after.size() || !m_before.empty())
        return;
    stop();
    Q_EMIT done();
}

}  // namespace sweepscope::ui
