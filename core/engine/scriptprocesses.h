#pragma once

#include "engine/localagent.h"
#include "launch/attemptevents.h"

#include <map>

namespace sweepscope::engine {

/// The processes of a run that was not started by us: together they are its agent, and each reports for one rank. They belong to
/// the user, who may end them at any time; then the run has failed, and is not lost.
class ScriptProcesses : public LocalAgent {
public:
    ScriptProcesses(const AttemptLayout &files, const std::string &attemptId, int ranks);

    /// Past its ranks as soon as it is seen: its end is believed, and it need not show activity.
    std::optional<launch::AgentLife> life(const launch::ProcessIdentity &agent) const override;
    /// Signals all ranks. Signals that an agent would handle are replaced by what they mean.
    void signal(const launch::ProcessIdentity &agent, int signal) override;
    AgentFound find(WallNs now) override;
    std::optional<AttemptVerdict> explain(const AttemptVerdict &byFiles, bool isRequested) override;

private:
    std::vector<launch::ProcessIdentity> living(const launch::ProcessIdentity &agent) const;
    void requestStop() const;

    AttemptLayout m_files;
    int m_ranks;
    mutable launch::AttemptEventReader m_events;
    struct Process {
        launch::ProcessIdentity identity;
        std::optional<int> exitCode{};  ///< it has closed its run, and may go on
    };
    mutable std::map<int, Process> m_processes;  ///< by rank
};

}  // namespace sweepscope::engine
