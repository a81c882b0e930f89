#pragma once

#include "diagnosis/attemptfiles.h"
#include "ui/findings/findingplot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A finding with its plot.
struct ShownFinding {
    diagnosis::Finding finding;
    FindingPlot plot;
    bool live = false;  ///< of a running attempt
};

/// What was found in an attempt, and what could not be decided.
struct ExaminedAttempt {
    int trial = 0;
    int attempt = 0;
    std::vector<ShownFinding> findings;
    std::vector<diagnosis::RuleResult> results;
    std::string problem;  ///< why the attempt or part of its files could not be examined
};

/// Examines attempts, one at a time. Reads the machine's history for the first one, and again when that is outdated.
class AttemptExaminer {
public:
    explicit AttemptExaminer(std::filesystem::path devicesFeed) : m_devicesFeed(std::move(devicesFeed)) {}

    ExaminedAttempt examine(const diagnosis::AttemptPlace &place, WallNs now);

private:
    const diagnosis::DeviceHistory &devices(const diagnosis::AttemptPlace &place, WallNs now);

    std::filesystem::path m_devicesFeed;
    std::optional<diagnosis::DeviceHistory> m_devices;
    WallNs m_devicesRead = 0;
};

}  // namespace sweepscope::ui
