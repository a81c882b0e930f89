#pragma once

#include "alerts/alert.h"

#include <chrono>
#include <map>
#include <utility>
#include <vector>

namespace sweepscope::alerts {

/// Limits how often alerts are sent. After one, further alerts of the same kind and sweep are sent together, a minute
/// later or when the sweep ends, so that a sweep whose trials all fail sends few.
class AlertPacer {
public:
    using Time = std::chrono::steady_clock::time_point;

    void add(const Alert &alert);
    /// Returns those that are to be told now, and forgets them.
    std::vector<Alert> take(Time now);
    const std::vector<Alert> &waiting() const { return m_waiting; }
    bool isEmpty() const { return m_waiting.empty(); }

private:
    std::vector<Alert> m_waiting;
    std::map<std::pair<AlertKind, std::int64_t>, Time> m_told;  ///< when one of this kind was told last
};

}  // namespace sweepscope::alerts
