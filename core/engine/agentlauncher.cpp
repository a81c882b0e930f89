#include "engine/agentlauncher.h"

#include "engine/attemptmonitor.h"
#include "launch/launchspec.h"

#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

/// An attempt that runs: its files are watched, so that the engine hears of events at once.
class WatchedAttempt : public AttemptMonitor {
public:
    WatchedAttempt(Attempt attempt, AttemptWatch &watch, std::int64_t sweepId, int trial)
        : AttemptMonitor(attempt), m_watch(watch), m_sweepId(sweepId), m_trial(trial)
    {
        m_watch.begin(m_sweepId, m_trial, attempt.files);
    }
    ~WatchedAttempt() override { m_watch.end(m_sweepId, m_trial); }
    WatchedAttempt(const WatchedAttempt &) = delete;
    WatchedAttempt &operator=(const WatchedAttempt &) = delete;

private:
    AttemptWatch &m_watch;
    std::int64_t m_sweepId;
    int m_trial;
};

}  // namespace

int AgentLauncher::nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const
{
    return m_starter.nextAttempt(sweep, trial);
}

std::string AgentLauncher::makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    return AttemptStarter::makeAttemptId(sweep, trial, attempt);
}

Expected<launch::ProcessIdentity> AgentLauncher::start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                       const sweep::TrialRecord &trial, const std::string &attemptId,
                                                       const schedule::Allocation &devices, std::span<const int> leases)
{
    return m_starter.start(sweep, spec, trial, attemptId, devices, leases);
}

std::unique_ptr<AttemptObserver> AgentLauncher::observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                        const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                                        ReportedPast past)
{
    AttemptMonitor::Attempt observed{m_starter.files(sweep, attempt.trial, attempt.number),
                                     attempt.id,
                                     trial.ranks,
                                     sweep.objective,
                                     sweep.goal,
                                     spec.prune,
                                     attempt.agent,
                                     attempt.created,
                                     spec.run.timeout ? *spec.run.timeout : std::chrono::milliseconds(0),
                                     trial.paused,
                                     std::move(past)};
    return std::make_unique<WatchedAttempt>(std::move(observed), m_watch, sweep.id, attempt.trial);
}

std::vector<std::vector<int>> AgentLauncher::cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const
{
    return launch::readLaunchSpec(m_starter.files(sweep, attempt.trial, attempt.number).launchFile())
        .map([](launch::LaunchSpec &&spec) { return std::move(spec.cpus); })
        .value_or(std::vector<std::vector<int>>());
}

void AgentLauncher::tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    m_starter.tidyAfter(sweep, trial, attempt);
}

}  // namespace sweepscope::engine
