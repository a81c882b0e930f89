#include "engine/agentlauncher.h"

#include "base/files.h"
#include "base/log.h"
#include "engine/attemptmonitor.h"
#include "engine/localagent.h"
#include "engine/preflight.h"
#include "engine/remoteagent.h"
#include "engine/remotestart.h"
#include "launch/launchspec.h"
#include "sweep/deviceplace.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <random>
#include <utility>

namespace sweepscope::engine {

namespace {

/// A running attempt whose files are watched, so that the engine sees its events immediately.
class WatchedAttempt : public AttemptMonitor {
public:
    WatchedAttempt(const Attempt &attempt, std::unique_ptr<AgentHost> host, AttemptWatch &watch, std::int64_t sweepId,
                   int trial)
        : AttemptMonitor(attempt, std::move(host)), m_watch(watch), m_sweepId(sweepId), m_trial(trial)
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

/// Creates "trials/0007/1" in the sweep's folder. The sweep's folder must exist: without it the workspace was moved.
Expected<void> makeAttemptFolder(const std::filesystem::path &folder)
{
    const std::filesystem::path trial = folder.parent_path();
    std::error_code error;
    for (const std::filesystem::path &part : {trial.parent_path(), trial, folder}) {
        std::filesystem::create_directory(part, error);
        if (error)
            return makeErrnoError("cannot create the folder " + part.string(), error.value());
    }
    return {};
}

}  // namespace

AgentLauncher::AgentLauncher(Programs programs, WorkspaceLayout workspace, std::optional<mode_t> rankUmask,
                             AttemptWatch &watch, MachinePool &machines)
    : m_programs(std::move(programs)),
      m_workspace(std::move(workspace)),
      m_rankUmask(rankUmask),
      m_sources(m_workspace.codeStore()),
      m_forkServer(m_programs.worker),
      m_watch(watch),
      m_machines(machines)
{}

int AgentLauncher::nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const
{
    int attempt = trial.attempts + 1;
    std::error_code error;
    while (std::filesystem::exists(files(sweep, trial.number, attempt).folder, error))
        ++attempt;
    return attempt;
}

std::string AgentLauncher::makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    std::random_device random;  // the operating system's: no two engines draw the same
    std::array<char, 24> tail{};
    std::snprintf(tail.data(), tail.size(), "%08x%08x", static_cast<unsigned>(random()),
                  static_cast<unsigned>(random()));
    return std::to_string(sweep.id) + "-" + std::to_string(trial) + "-" + std::to_string(attempt) + "-" + tail.data();
}

AttemptLayout AgentLauncher::files(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    return m_workspace.attempt(sweep.folder, trial, attempt);
}

std::string AgentLauncher::relativeFolder(const AttemptLayout &attempt) const
{
    return attempt.folder.lexically_relative(m_workspace.root).string();
}

Expected<std::optional<launch::ProcessIdentity>>
AgentLauncher::start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                     const std::string &attemptId, const schedule::Allocation &devices, std::span<const int> leases)
{
    const AttemptLayout attempt = files(sweep, trial.number, trial.attempts);
    if (Expected<void> made = makeAttemptFolder(attempt.folder); !made)
        return tl::unexpected<Error>(made.error());
    Expected<launch::LaunchSpec> launch = makeLaunchSpec(m_programs, sweep, spec, trial, attemptId, devices);
    if (!launch)
        return tl::unexpected<Error>(launch.error());
    const bool isBuiltin = spec.run.worker == sweep::WorkerKind::Builtin;
    m_sources.record({m_workspace.sourceLog(sweep.folder), sweep.folder, launch->workingFolder,
                      isBuiltin ? SourceLog::Snapshot::NotTaken : SourceLog::Snapshot::Taken},
                     trial.attemptStarted.value_or(wallNow()));
    if (!devices.machine.empty()) {
        remote::MachineConnection *machine = m_machines.connection(devices.machine);
        if (machine == nullptr)
            return makeError(ErrorCode::NotFound, "the machine " + devices.machine + " was removed");
        const node::Taken taken = takenBy(devices, *launch);
        m_starting[attemptId] = machine->start(
            startThere({std::move(*launch),
                        relativeFolder(attempt),
                        m_workspace,
                        sweep.folder,
                        machine->machine(),
                        {{attempt.parametersFile().filename().string(), parametersAsJson(trial.parameters) + "\n"}},
                        taken}));
        return std::nullopt;
    }
    if (Expected<void> prepared = addPreflight(*launch, m_programs.worker, m_workspace, attempt, spec, devices);
        !prepared)
        log(LogLevel::Warning, "launch", prepared.error().message);
    launch->umask = m_rankUmask;
    launch->environment["SWEEPSCOPE_PARAMS_FILE"] = attempt.parametersFile().string();
    if (const std::optional<int> parent = sweep::parentOf(trial.chosen)) {
        launch->environment["SWEEPSCOPE_PARENT"] = std::to_string(*parent);
        launch->environment["SWEEPSCOPE_PARENT_CHECKPOINT"] =
            m_workspace.parentCheckpoint(sweep.folder, trial.number).string();
    }
    const Expected<void> written =
        writeFileAtomically(attempt.parametersFile(), parametersAsJson(trial.parameters) + "\n", Survives::Kill)
            .and_then([&] { return launch::writeLaunchSpec(*launch, attempt.launchFile()); });
    if (!written)
        return tl::unexpected<Error>(written.error());
    using Started = std::optional<launch::ProcessIdentity>;
    // Through the fork server if it has loaded; the first trials of a sweep run while it loads.
    const bool manyLoads = isBuiltin && (sweep.trialsTotal > 1 || sweep.trialsToCome != 0);
    if (manyLoads) {
        if (auto agent = m_forkServer.startAgent(attempt.folder, leases))
            return Started(*agent);
    }
    auto agent = launch::startAgent(m_programs.agent, attempt.folder, leases);
    if (manyLoads)
        m_forkServer.start();
    return agent.map([](const launch::ProcessIdentity &started) { return Started(started); });
}

std::unique_ptr<AttemptObserver> AgentLauncher::observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                        const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                                        ReportedPast past)
{
    AttemptMonitor::Attempt observed{files(sweep, attempt.trial, attempt.number),
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
    const std::string machine = trial.devices.empty() ? std::string() : sweep::machineOf(trial.devices.front());
    std::unique_ptr<AgentHost> host;
    if (machine.empty()) {
        host = std::make_unique<LocalAgent>(observed.files, attempt.id, trial.ranks);
    } else {
        const auto starting = m_starting.extract(attempt.id);
        host = std::make_unique<RemoteAgent>(
            m_machines,
            RemoteAgent::Attempt{machine, relativeFolder(observed.files), attempt.id, trial.ranks, attempt.agent,
                                 starting ? std::optional(starting.mapped()) : std::nullopt});
    }
    return std::make_unique<WatchedAttempt>(std::move(observed), std::move(host), m_watch, sweep.id, attempt.trial);
}

std::vector<std::vector<int>> AgentLauncher::cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const
{
    return launch::readLaunchSpec(files(sweep, attempt.trial, attempt.number).launchFile())
        .map([](launch::LaunchSpec &&spec) { return std::move(spec.cpus); })
        .value_or(std::vector<std::vector<int>>());
}

void AgentLauncher::tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    (void)launch::startAgent(m_programs.agent, files(sweep, trial, attempt).folder, {}, launch::AgentTask::Tidy);
}

}  // namespace sweepscope::engine
