#pragma once

#include "diagnosis/attemptfiles.h"
#include "ui/findings/findingplot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A finding with its picture.
struct ShownFinding {
    diagnosis::Finding finding;
    FindingPlot plot;
    bool live = false;  ///< its attempt runs
};

/// What was found in one attempt, and what could not be told.
struct ExaminedAttempt {
    int trial = 0;
    int attempt = 0;
    std::vector<ShownFinding> findings;
    std::vector<diagnosis::RuleResult> results;
    std::string problem;  ///< why it, or a part of its files, could not be looked at
};

/// Looks at attempts, one at a time. The machine's history is read when the first one needs it, and again when that is
/// a while ago.
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
