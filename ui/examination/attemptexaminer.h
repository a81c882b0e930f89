#pragma once

#include "diagnosis/attemptfiles.h"
#include "ui/examination/findingplot.h"

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

/// Examines attempts, one at a time. Reads a machine's history for its first one, and again when that is outdated.
class AttemptExaminer {
public:
    explicit AttemptExaminer(WorkspaceLayout workspace) : m_workspace(std::move(workspace)) {}

    ExaminedAttempt examine(const diagnosis::AttemptPlace &place, WallNs now);

private:
    diagnosis::DeviceHistories &devices(const diagnosis::AttemptPlace &place, WallNs now);

    WorkspaceLayout m_workspace;
    std::optional<diagnosis::DeviceHistories> m_devices;
    WallNs m_devicesRead = 0;
};

}  // namespace sweepscope::ui
