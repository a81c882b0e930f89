#pragma once

#include "alerts/alertpacer.h"
#include "alerts/alertwatch.h"
#include "base/workspacelayout.h"

#include <filesystem>

namespace sweepscope::engine {

/// Runs the user's command for alerts, so that it runs without a window, too. Keeps on disk the time up to which all alerts were sent, so that
/// the next engine sends what this one could not.
class AlertSender {
public:
    explicit AlertSender(const WorkspaceLayout &workspace);

    /// As AlertWatch::update().
    void update(const sweep::SweepRecord &sweep, const alerts::TrialList &trials, int first, int last);
    void forget(std::int64_t sweepId) { m_watch.forget(sweepId); }
    /// Runs the command for alerts that are due. Its output is appended to alerts.log in the workspace.
    void poll();
    bool isWaiting() const { return !m_pacer.isEmpty(); }

private:
    void run(const std::string &command, const alerts::Alert &alert) const;

    void noteTold(const std::vector<alerts::Alert> &told);

    WorkspaceLayout m_workspace;
    WallNs m_toldUntil;
    alerts::AlertWatch m_watch;
    alerts::AlertPacer m_pacer;
};

}  // namespace sweepscope::engine
