#include "alerts/alertpacer.h"

#include <algorithm>

namespace sweepscope::alerts {

namespace {

constexpr std::chrono::minutes pause{1};

bool areTold(const Alert &one, const Alert &other)
{
    return one.kind == other.kind && one.sweepId == other.sweepId;
}

}  // namespace

void AlertPacer::add(const Alert &alert)
{
    if (alert.kind == AlertKind::SweepEnded)
        std::erase_if(m_told, [&alert](const auto &told) { return told.first.second == alert.sweepId; });
    m_waiting.push_back(alert);
}

std::vector<Alert> AlertPacer::take(Time now)
{
    std::vector<Alert> told;
    std::vector<Alert> waiting;
    for (Alert &alert : m_waiting) {
        const auto last = m_told.find({alert.kind, alert.sweepId});
        if (last != m_told.end() && last->second + pause > now) {
            waiting.push_back(std::move(alert));
            continue;
        }
        const auto same = std::ranges::find_if(told, [&alert](const Alert &other) { return areTold(alert, other); });
        if (same == told.end()) {
            told.push_back(std::move(alert));
        } else if (alert.kind == AlertKind::NewBest) {
            *same = std::move(alert);  // the later one is better
        } else if (alert.kind == AlertKind::SweepEnded) {
            told.push_back(std::move(alert));
        } else {
            same->count += alert.count;
            same->trial = 0;
        }
    }
    m_waiting = std::move(waiting);
    for (const Alert &alert : told)
        m_told[{alert.kind, alert.sweepId}] = now;
    return told;
}

}  // namespace sweepscope::alerts
