#include "sweep/steppace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t mostReports = 256;
constexpr std::size_t parts = 8;
constexpr std::size_t fewestPerPart = 2;

}  // namespace

void StepPace::add(std::int64_t step, WallNs time)
{
    if (!m_reports.empty() && step <= m_reports.back().step)
        return;
    if (!m_reports.empty() && ++m_skipped < m_stride)
        return;
    m_skipped = 0;
    m_reports.push_back({step, time});
    if (m_reports.size() < mostReports)
        return;
    for (std::size_t i = 0; 2 * i < m_reports.size(); ++i)
        m_reports[i] = m_reports[2 * i];
    m_reports.resize((m_reports.size() + 1) / 2);
    m_stride *= 2;
}

std::optional<double> StepPace::relativeError() const
{
    const std::size_t first = m_reports.size() / 5 + 1;
    if (m_reports.size() < first + parts * fewestPerPart + 1)
        return std::nullopt;
    const std::size_t steps = m_reports.size() - 1 - first;
    double sum = 0;
    double squares = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        const Report &begin = m_reports[first + part * steps / parts];
        const Report &end = m_reports[first + (part + 1) * steps / parts];
        const double pace = static_cast<double>(end.time - begin.time) / static_cast<double>(end.step - begin.step);
        sum += pace;
        squares += pace * pace;
    }
    constexpr auto count = static_cast<double>(parts);
    const double mean = sum / count;
    if (!(mean > 0))
        return std::nullopt;
    const double variance = std::max(0.0, (squares - sum * mean) / (count - 1));
    return std::sqrt(variance / count) / mean;
}

}  // namespace sweepscope::sweep
