#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::sweep {

/// Measures how steadily steps follow one another, in constant memory: of many reports it keeps evenly spaced ones.
class StepPace {
public:
    /// A report of `step` at `time`. Reports of the same or an earlier step are ignored.
    void add(std::int64_t step, WallNs time);

    /// The standard error of the mean time of a step, as a share of that mean: from the means of eight consecutive parts,
    /// without the first fifth of the reports, in which libraries are loaded and kernels chosen. nullopt for too few reports.
    std::optional<double> relativeError() const;

private:
    struct Report {
        std::int64_t step = 0;
        WallNs time = 0;
    };

    std::vector<Report> m_reports;
    std::int64_t m_stride = 1;  ///< reports per kept one
    std::int64_t m_skipped = 0;
};

}  // namespace sweepscope::sweep
