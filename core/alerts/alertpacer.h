#pragma once

#include "alerts/alert.h"

#include <chrono>
#include <map>
#include <utility>
#include <vector>

namespace sweepscope::alerts {

/// Keeps a sweep whose trials all fail from telling each: after an alert, those of the same kind and sweep are told
/// together, a minute later, or when the sweep ends.
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
