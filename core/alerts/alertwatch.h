#pragma once

#include "alerts/alert.h"
#include "sweep/records.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sweepscope::alerts {

/// The trials of a sweep, sorted by number, wherever they are kept.
struct TrialList {
    std::size_t count = 0;
    std::function<const sweep::TrialRecord &(std::size_t index)> at;
};

/// Finds what is worth an alert in how records change.
class AlertWatch {
public:
    /// Ignores sweeps and trials that ended before `since`.
    explicit AlertWatch(WallNs since) : m_since(since) {}

    /// The record of a sweep, or of its trials `first` to `last`, may have changed. No trials: first > last.
    std::vector<Alert> update(const sweep::SweepRecord &sweep, const TrialList &trials, int first, int last);
    void forget(std::int64_t sweepId) { m_sweeps.erase(sweepId); }

private:
    struct SeenTrial {
        sweep::TrialState state = sweep::TrialState::Queued;
        int hungAttempt = 0;  ///< the last one that hung
    };
    struct SeenSweep {
        bool isActive = false;
        bool ends = false;  ///< its end is not reported yet; it is when all of its trials have ended
        bool hasDiskWarning = false;
        std::optional<double> best;
        std::vector<SeenTrial> trials;  ///< by number, from 1
        SeenTrial &trial(int number);
    };
    SeenSweep &seen(const sweep::SweepRecord &sweep, const TrialList &trials);
    void compare(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial, SeenSweep &seen,
                 std::vector<Alert> &alerts) const;

    WallNs m_since;
    std::map<std::int64_t, SeenSweep> m_sweeps;
};

}  // namespace sweepscope::alerts
