#include "engine/agentlauncher.h"

#include "base/files.h"
#include "base/log.h"
#include "engine/attemptmonitor.h"
#include "engine/foundrun.h"
#include "engine/localagent.h"
#include "engine/preflight.h"
#include "engine/remoteagent.h"
#include "engine/remotejobfiles.h"
#include "engine/remotestart.h"
#include "engine/scriptprocesses.h"
#include "launch/launchspec.h"
#include "launch/outputrequest.h"
#include "sweep/deviceplace.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <random>
#include <sstream>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr std::uint64_t mostLaunchBytes = 16 * 1024 * 1024;
constexpr WallNs mostAgeOfCode = std::chrono::nanoseconds(std::chrono::minutes(1)).count();

/// A running attempt whose files are watched, so that the engine sees its events immediately.
template <typename Observer>
class WatchedAttempt : public Observer {
public:
    template <typename... Arguments>
    WatchedAttempt(AttemptWatch &watch, std::int64_t sweepId, int trial, const AttemptLayout &files,
                   Arguments &&...arguments)
        : Observer(std::forward<Arguments>(arguments)...), m_watch(watch), m_sweepId(sweepId), m_trial(trial)
    {
        m_watch.begin(m_sweepId, m_trial, files);
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

/// The script of a command may only print its metrics.
bool readsOutputIfSilent(const sweep::SweepSpec &spec)
{
    return spec.run.worker == sweep::WorkerKind::Command && !spec.run.metrics;
}

std::string requestIfSilent()
{
    return launch::toJson({{output::OutputFormat::Auto, false, {}, {}}, true});
}

}  // namespace

AgentLauncher::AgentLauncher(Programs programs, WorkspaceLayout workspace, std::optional<mode_t> rankUmask,
                             AttemptWatch &watch, MachinePool &machines)
    : m_programs(std::move(programs)),
      m_workspace(std::move(workspace)),
      m_rankUmask(rankUmask),
      m_sources(m_workspace.codeStore()),
      m_energy(m_workspace),
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
    const std::vector<AttemptPart> parts = partsOf(devices.all(), trial.ranks);
    if (parts.size() > 1) {
        launch = beginGroup(*launch, devices, parts);
        if (!launch)
            return tl::unexpected<Error>(launch.error());
    }
    if (devices.ofJob) {
        launch->devices.assign(static_cast<std::size_t>(trial.ranks), {});
        launch->gpusOfJob = devices.ofJob->gpus > 0;
        m_toSubmit[attemptId] = *devices.ofJob;
    }
    if (!devices.machine.empty() && devices.machine != sweep::thisMachine) {
        const schedule::Allocation share = devices.ofJob ? devices : shareOf(devices, parts.front());
        const auto request = startElsewhere(sweep, trial, std::move(*launch), attempt, share);
        if (!request)
            return tl::unexpected<Error>(request.error());
        m_starting[attemptId] = *request;
        return std::nullopt;
    }
    if (devices.ofJob) {
        // Its node has other devices, which Slurm chooses.
    } else if (Expected<void> prepared = addPreflight(*launch, m_programs.worker, m_workspace, attempt, spec, devices);
               !prepared) {
        log(LogLevel::Warning, "launch", prepared.error().message);
    }
    launch->umask = m_rankUmask;
    launch->environment["SWEEPSCOPE_PARAMS_FILE"] = attempt.parametersFile().string();
    if (const std::optional<int> parent = sweep::parentOf(trial.chosen)) {
        launch->environment["SWEEPSCOPE_PARENT"] = std::to_string(*parent);
        launch->environment["SWEEPSCOPE_PARENT_CHECKPOINT"] =
            m_workspace.parentCheckpoint(sweep.folder, trial.number).string();
    }
    Expected<void> written =
        writeFileAtomically(attempt.parametersFile(), parametersAsJson(trial.parameters) + "\n", Survives::Kill);
    for (const auto &[file, share] : launchFilesOf(*launch, devices.ofJob ? devices.ofJob->nodes : 1)) {
        std::error_code error;
        std::filesystem::create_directory((attempt.folder / file).parent_path(), error);
        if (written)
            written = launch::writeLaunchSpec(share, attempt.folder / file);
    }
    if (written && readsOutputIfSilent(spec))
        written = writeFileAtomically(attempt.folder / launch::outputRequestFile, requestIfSilent(), Survives::Kill);
    if (!written)
        return tl::unexpected<Error>(written.error());
    if (devices.ofJob)
        return std::nullopt;  // SlurmAgent submits it
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

Expected<void> AgentLauncher::describe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                       const sweep::TrialRecord &trial, const std::string &attemptId)
{
    const Expected<launch::LaunchSpec> launch =
        makeLaunchSpec(m_programs, sweep, spec, trial, attemptId, schedule::Allocation());
    if (!launch)
        return tl::unexpected<Error>(launch.error());
    const WallNs began = trial.attemptStarted.value_or(wallNow());
    // Later the code may have changed.
    if (wallNow() - began < mostAgeOfCode)
        m_sources.record(
            {m_workspace.sourceLog(sweep.folder), sweep.folder, launch->workingFolder, SourceLog::Snapshot::Taken},
            began);
    return launch::writeLaunchSpec(*launch, files(sweep, trial.number, trial.attempts).launchFile());
}

/// Returns what the first part runs.
Expected<launch::LaunchSpec> AgentLauncher::beginGroup(const launch::LaunchSpec &whole,
                                                       const schedule::Allocation &devices,
                                                       const std::vector<AttemptPart> &parts)
{
    const std::string address = addressOf(m_machines, parts[0].machine, parts[1].machine);
    if (address.empty())
        return makeError(ErrorCode::NotFound, "the address of "
                                                  + (parts[0].machine.empty() ? "this machine" : parts[0].machine)
                                                  + " is not known");
    m_beginning[whole.attemptId] = {whole, devices, address};
    return shareOf(whole, parts, 0, address, 0);
}

/// Returns the request.
Expected<std::int64_t> AgentLauncher::startElsewhere(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                                                     launch::LaunchSpec launch, const AttemptLayout &files,
                                                     const schedule::Allocation &devices)
{
    remote::MachineConnection *machine = m_machines.connection(devices.machine);
    if (machine == nullptr)
        return makeError(ErrorCode::NotFound, "the machine " + devices.machine + " was removed");
    const node::Taken taken = devices.ofJob ? node::Taken() : takenBy(devices, launch);
    std::map<std::string, std::string> written{
        {files.parametersFile().filename().string(), parametersAsJson(trial.parameters) + "\n"}};
    if (readsOutputIfSilent(sweep::parseSweep(sweep.toml).spec))
        written[launch::outputRequestFile] = requestIfSilent();
    return machine->start(
        startThere({std::move(launch), relativeFolder(files), m_workspace, sweep.folder, machine->machine(),
                    std::move(written), taken, devices.ofJob ? devices.ofJob->nodes : 0}));
}

std::unique_ptr<AgentHost> AgentLauncher::hostOf(const AttemptMonitor::Attempt &attempt, const std::string &machine,
                                                 std::optional<std::int64_t> start)
{
    std::error_code error;
    if (std::filesystem::exists(attempt.files.folder / foundRunFile, error))
        return std::make_unique<ScriptProcesses>(attempt.files, attempt.id, attempt.ranks);
    if (machine.empty())
        return std::make_unique<LocalAgent>(attempt.files, attempt.id, attempt.ranks);
    return std::make_unique<RemoteAgent>(
        m_machines,
        RemoteAgent::Attempt{machine, relativeFolder(attempt.files), attempt.id, attempt.ranks, attempt.agent, start});
}

std::unique_ptr<AttemptObserver> AgentLauncher::observeGroup(const AttemptMonitor::Attempt &attempt,
                                                             const sweep::SweepRecord &sweep,
                                                             const sweep::TrialRecord &trial,
                                                             const std::vector<AttemptPart> &parts)
{
    auto beginning = m_beginning.extract(attempt.id);
    std::vector<AttemptGroup::Part> members;
    std::vector<std::string> machines;
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const AttemptPart &part = parts[index];
        AttemptMonitor::Attempt observed = attempt;
        observed.files = filesOf(attempt.files, part);
        observed.ranks = part.ranks;
        machines.push_back(part.machine);
        AttemptGroup::Part &member = members.emplace_back(AttemptGroup::Part{part.machine});
        if (index == 0) {
            const auto starting = m_starting.extract(attempt.id);
            member.monitor = std::make_unique<AttemptMonitor>(
                observed, hostOf(observed, part.machine, starting ? std::optional(starting.mapped()) : std::nullopt));
            continue;
        }
        observed.agent.reset();
        if (!beginning) {
            member.monitor = std::make_unique<AttemptMonitor>(observed, hostOf(observed, part.machine));
            continue;
        }
        member.begin = [this, sweep, trial, observed, index, parts, begun = beginning.mapped()](int masterPort) {
            const AttemptPart &own = parts[index];
            std::error_code error;
            std::filesystem::create_directory(observed.files.folder, error);
            const auto request =
                startElsewhere(sweep, trial, shareOf(begun.launch, parts, index, begun.masterAddress, masterPort),
                               observed.files, shareOf(begun.devices, own));
            auto monitor = std::make_unique<AttemptMonitor>(
                observed, hostOf(observed, own.machine, request ? std::optional(*request) : std::nullopt));
            if (!request)
                monitor->failToStart(
                    AttemptEnd::NeverStarted,
                    facts::Fact(facts::Code::AttemptNotStarted).with(facts::Field::Detail, request.error().message),
                    wallNow());
            return monitor;
        };
    }
    std::ranges::sort(machines);
    std::unique_ptr<NodesCheck> check;
    if (beginning && !m_connected.contains(machines))
        check = std::make_unique<NodesCheck>(m_machines, machines);
    const auto noteCheck = [this, machines](const facts::Fact &problem) {
        if (!problem)
            m_connected.insert(machines);
        else
            m_machines.noteRefusal(problem.text(facts::Field::Machine), problem);
    };
    return std::make_unique<WatchedAttempt<AttemptGroup>>(m_watch, sweep.id, trial.number, attempt.files,
                                                          std::move(members), std::move(check), noteCheck);
}

EnergyUse AgentLauncher::energyUse(const sweep::SweepRecord &sweep)
{
    return m_energy.use(launch::energyFile(m_workspace.sweepFolder(sweep.folder)));
}

std::unique_ptr<AttemptObserver> AgentLauncher::observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                        const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                                        ReportedPast past)
{
    m_energy.begin({attempt.id, launch::energyFile(m_workspace.sweepFolder(sweep.folder)), attempt.trial,
                    attempt.number, trial.devices, attempt.created});
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
    const std::vector<AttemptPart> parts = partsOf(trial.devices, trial.ranks);
    if (parts.size() > 1)
        return observeGroup(observed, sweep, trial, parts);
    if (!trial.devices.empty() && sweep::isJobDevice(trial.devices.front()))
        return observeJob(observed, sweep, spec, trial);
    const std::string machine = trial.devices.empty() ? std::string() : sweep::machineOf(trial.devices.front());
    const auto starting = m_starting.extract(attempt.id);
    return std::make_unique<WatchedAttempt<AttemptMonitor>>(
        m_watch, sweep.id, attempt.trial, observed.files, observed,
        hostOf(observed, machine, starting ? std::optional(starting.mapped()) : std::nullopt));
}

std::unique_ptr<AttemptObserver> AgentLauncher::observeJob(const AttemptMonitor::Attempt &attempt,
                                                           const sweep::SweepRecord &sweep,
                                                           const sweep::SweepSpec &spec,
                                                           const sweep::TrialRecord &trial)
{
    const std::string machine = sweep::machineOf(trial.devices.front());
    const std::shared_ptr<Cluster> cluster = m_machines.cluster(machine);
    if (!cluster)  // the machine was removed, which this host says
        return std::make_unique<WatchedAttempt<AttemptMonitor>>(m_watch, sweep.id, trial.number, attempt.files, attempt,
                                                                hostOf(attempt, machine));
    SlurmAgent::Attempt job{machine, attempt.files, attempt.id, trial.ranks};
    const int nodes = prepareJob(job, attempt.agent.has_value(), spec.devices);
    const bool isInHost = !job.host.empty() && job.hostId.empty();
    job.use = std::make_shared<JobUse>(cluster, isInHost ? job.host : slurm::jobName(attempt.id));
    std::vector<AttemptGroup::Part> members;
    for (const AttemptPart &part : partsOfJob(machine, trial.ranks, nodes)) {
        AttemptMonitor::Attempt observed = attempt;
        observed.files = filesOf(attempt.files, part);
        observed.ranks = part.ranks;
        if (job.node > 0)
            observed.agent.reset();
        std::unique_ptr<JobFiles> files = filesOfJob(job, part, nodes, trial);
        auto host = std::make_unique<SlurmAgent>(m_machines, cluster, std::move(files), job);
        if (nodes == 1)
            return std::make_unique<WatchedAttempt<AttemptMonitor>>(m_watch, sweep.id, trial.number, observed.files,
                                                                    observed, std::move(host));
        members.push_back({machine, std::make_unique<AttemptMonitor>(observed, std::move(host))});
        job.submission.reset();
        ++job.node;
    }
    return std::make_unique<WatchedAttempt<AttemptGroup>>(m_watch, sweep.id, trial.number, attempt.files,
                                                          std::move(members), nullptr, nullptr);
}

/// Notes whether it has to be submitted: an earlier engine may have been killed before or after it did that. Returns the number
/// of its nodes.
int AgentLauncher::prepareJob(SlurmAgent::Attempt &job, bool hasAgent, const sweep::DevicesSection &devices)
{
    if (const auto mine = m_toSubmit.extract(job.id)) {
        job.submission = SlurmAgent::Submission{mine.mapped()};
        return mine.mapped().nodes;
    }
    constexpr std::size_t longestName = 256;
    std::istringstream host(readFile(job.files.hostJob(), longestName).value_or(std::string()));
    std::getline(host, job.host);
    std::getline(host, job.hostId);
    const Expected<launch::LaunchSpec> launch = launch::readLaunchSpec(job.files.launchFile());
    const int nodes = launch && launch->node ? launch->node->count : 1;
    if (hasAgent || !job.host.empty())
        return nodes;
    job.hasJob = launch.has_value();
    const int ranks = job.ranks / nodes;
    if (job.hasJob)
        job.submission = SlurmAgent::Submission{
            {nodes, launch->gpusOfJob ? ranks * devices.perRank : 0, ranks * std::max(1, devices.coresPerRank)}, true};
    return nodes;
}

std::unique_ptr<JobFiles> AgentLauncher::filesOfJob(const SlurmAgent::Attempt &job, const AttemptPart &part, int nodes,
                                                    const sweep::TrialRecord &trial)
{
    // What is left of all ranks is recovered by the first agent's.
    if (job.machine == sweep::thisMachine)
        return std::make_unique<SharedJobFiles>(
            SharedJobFiles::Attempt{job.files, job.id, job.node == 0 ? trial.ranks : 0}, m_programs.agent);
    RemoteJobFiles::Attempt there{job.machine, relativeFolder(job.files), job.id,
                                  relativeFolder(filesOf(job.files, part)), nodes > 1};
    remote::MachineConnection *connection = m_machines.connection(job.machine);
    if (const auto starting = m_starting.extract(job.id)) {
        there.start = starting.mapped();
    } else if (connection != nullptr && job.submission) {  // an earlier engine may have been killed before it sent this
        node::Start start{0, there.folder, job.id, {}, {}, true};
        for (const AttemptPart &each : partsOfJob({}, trial.ranks, nodes)) {
            const std::string file = filesOf(AttemptLayout{}, each).launchFile().string();
            start.files[file] = readFile(job.files.folder / file, mostLaunchBytes).value_or(std::string());
        }
        start.files[AttemptLayout{}.parametersFile().string()] = parametersAsJson(trial.parameters) + "\n";
        there.start = connection->post(start);
    }
    return std::make_unique<RemoteJobFiles>(m_machines, std::move(there));
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
