#pragma once

#include "engine/attemptmonitor.h"
#include "engine/attemptparts.h"
#include "engine/nodescheck.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// Follows an attempt on several machines, with one monitor for each. The other machines start once rank 0's agent has
/// chosen MASTER_PORT and every machine can connect to every other one. When one ends, all are ended, and the first cause
/// is that of the attempt. On nodes of a cluster, one job starts them all.
class AttemptGroup : public AttemptObserver {
public:
    /// Starts the part with this MASTER_PORT.
    using Begin = std::function<std::unique_ptr<AttemptMonitor>(int masterPort)>;
    struct Part {
        std::string machine;  ///< empty: this one
        std::unique_ptr<AttemptMonitor> monitor{};
        Begin begin{};  ///< if it has no monitor yet
    };
    /// `check`: null if the machines are known to reach each other, or the parts have begun. `noteCheck` gets its result.
    AttemptGroup(std::vector<Part> parts, std::unique_ptr<NodesCheck> check,
                 std::function<void(const facts::Fact &problem)> noteCheck);

    void poll(WallNs now) override;
    void stop(WallNs now) override;
    void kill(WallNs now) override;
    void saveAndEnd() override;
    void freeze() override;
    void thaw() override;
    Expected<void> requestTrace(const sweep::TraceRequest &request) override;
    Expected<void> readOutput(const output::MetricsSection &metrics) override;
    void judgeBy(const sweep::SweepSpec &spec, ReportedPast past) override { first().judgeBy(spec, std::move(past)); }
    void moveWaits(WallNs change) override;
    void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) override;

    bool ranksStarted() const override;
    bool stopRequested() const override { return m_isStopRequested; }
    const std::optional<launch::ProcessIdentity> &agent() const override { return first().agent(); }
    const ObjectiveTracker &objective() const override { return first().objective(); }
    std::vector<pruning::RungValue> takeReachedRungs() override { return first().takeReachedRungs(); }
    const std::optional<AttemptVerdict> &verdict() const override { return m_verdict; }
    std::optional<WallNs> agentStarted() const override { return first().agentStarted(); }
    std::optional<AgentSilence> silence() const override;
    std::optional<facts::Fact> waits() const override { return first().waits(); }
    std::string takeWarning() override;

private:
    AttemptMonitor &first() const { return *m_parts.front().monitor; }
    template <typename Ask>
    Expected<void> askEach(const Ask &ask);
    void beginOthers(WallNs now);
    void noteEnds(WallNs now);
    void endOthers(WallNs now);
    void endWith(AttemptVerdict verdict, std::size_t part, WallNs now);

    std::vector<Part> m_parts;
    std::unique_ptr<NodesCheck> m_check;
    std::function<void(const facts::Fact &)> m_noteCheck;
    bool m_isStopRequested = false;
    bool m_isSaveRequested = false;
    std::vector<PartEnd> m_ends;          ///< in the order in which they were seen
    std::vector<bool> m_hasEnded;         ///< by part
    std::optional<WallNs> m_endingSince;  ///< the first part has ended otherwise than well
    bool m_othersAreStopped = false;
    std::optional<AttemptVerdict> m_verdict;
};

}  // namespace sweepscope::engine
