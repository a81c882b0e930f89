#include "ui/examination/attemptexaminer.h"

#include "diagnosis/rule.h"

namespace sweepscope::ui {

namespace {

constexpr WallNs mostAge = 10LL * 1'000'000'000;

}  // namespace

ExaminedAttempt AttemptExaminer::examine(const diagnosis::AttemptPlace &place, WallNs now)
{
    ExaminedAttempt examined{place.trial, place.attempt, {}, {}, {}};
    const Expected<diagnosis::AttemptFiles> files = diagnosis::AttemptFiles::read(place, devices(place, now), now);
    if (!files) {
        examined.problem = files.error().message;
        return examined;
    }
    const diagnosis::AttemptEvidence &evidence = files->evidence();
    diagnosis::Report report = diagnosis::diagnose(evidence);
    for (diagnosis::Finding &finding : report.findings) {
        FindingPlot plot = makePlot(finding, evidence);
        examined.findings.push_back({std::move(finding), std::move(plot), evidence.now.has_value()});
    }
    examined.results = std::move(report.results);
    examined.problem = files->damage();
    return examined;
}

/// The history that was read for an ended attempt stays valid.
diagnosis::DeviceHistories &AttemptExaminer::devices(const diagnosis::AttemptPlace &place, WallNs now)
{
    if (!m_devices || (place.isRunning && now - m_devicesRead > mostAge)) {
        m_devices.emplace(m_workspace);
        m_devicesRead = now;
    }
    return *m_devices;
}

}  // namespace sweepscope::ui
