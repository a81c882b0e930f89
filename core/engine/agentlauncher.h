#pragma once

#include "engine/attemptlauncher.h"
#include "engine/attemptstarter.h"
#include "engine/attemptwatch.h"

namespace sweepscope::engine {

/// Attempts as agents of this machine; an attempt is watched for as long as its observer lives.
class AgentLauncher : public AttemptLauncher {
public:
    AgentLauncher(AttemptStarter &starter, AttemptWatch &watch) : m_starter(starter), m_watch(watch) {}

    int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const override;
    std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const override;
    Expected<launch::ProcessIdentity> start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                            const sweep::TrialRecord &trial, const std::string &attemptId,
                                            const schedule::Allocation &devices, std::span<const int> leases) override;
    std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                             const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                             ReportedPast past) override;
    std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const override;
    void tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const override;

private:
    AttemptStarter &m_starter;
    AttemptWatch &m_watch;
};

}  // namespace sweepscope::engine
