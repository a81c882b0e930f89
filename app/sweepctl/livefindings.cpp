#include "livefindings.h"

#include "diagnosis/attemptfiles.h"

namespace sweepscope::ctl {

std::vector<diagnosis::Finding> LiveFindings::of(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    if (trial.state != sweep::TrialState::Running || trial.attempts == 0)
        return {};
    if (!m_devices)
        m_devices.emplace(m_workspace.devicesFeed());
    const diagnosis::AttemptPlace present = diagnosis::attemptsOf(m_workspace, sweep, {trial}).back();
    const auto report = diagnosis::diagnose(present, *m_devices, wallNow());
    return report ? report->findings : std::vector<diagnosis::Finding>();
}

}  // namespace sweepscope::ctl
