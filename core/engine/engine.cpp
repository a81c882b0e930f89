#include "engine/engine.h"

#include "wording/sentence.h"

#include "device/foreignprocesses.h"
#include "device/sources.h"
#include "engine/devicelist.h"
#include "process/processstat.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <fcntl.h>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
constexpr auto tickEvery = 100ms;
constexpr std::uintmax_t mostBytesCheckedAtStart = 100'000'000;  // half a second
constexpr auto lookAtWorkspaceEvery = 5s;
constexpr auto lookAtDevicesEvery = 500ms;
constexpr auto saveProgressEvery = 2s;

tl::unexpected<Error> passOn(const Error &error)
{
    return tl::unexpected<Error>(error);
}

}  // namespace

Expected<std::unique_ptr<Engine>> Engine::start(const EngineSettings &wanted)
{
    EngineSettings settings = wanted;
    std::error_code error;
    std::filesystem::create_directories(settings.workspace / "sweeps", error);
    if (error)
        return makeErrnoError("the workspace folder " + settings.workspace.string()
                                  + " is not writable; choose another one with --workspace",
                              error.value());
    // Agents, sockets and messages all speak of the same path, whatever the person typed.
    settings.workspace = std::filesystem::canonical(settings.workspace, error);
    if (error)
        return makeErrnoError("cannot read the workspace folder " + wanted.workspace.string(), error.value());
    const WorkspaceLayout workspace{settings.workspace};

    Expected<EngineLock> lock = EngineLock::acquire(workspace.lockFile());
    if (!lock)
        return passOn(lock.error());
    Expected<std::unique_ptr<Database>> database = Database::openForWriting(workspace.database());
    if (!database)
        return passOn(database.error());
    const bool isSmall = std::filesystem::file_size(workspace.database(), error) <= mostBytesCheckedAtStart;
    if (const Expected<void> checked = isSmall ? (*database)->check() : Expected<void>(); !checked)
        return passOn(checked.error());
    std::unique_ptr<Engine> engine(
        new Engine(std::move(settings), std::move(*lock), std::move(*database), isSmall, device::makeSources()));
    if (Expected<void> loaded = engine->loadSweeps(); !loaded)
        return passOn(loaded.error());
    engine->noteGpuChanges();  // nothing was read yet: what adopted trials use is no measure of an empty GPU
    const std::filesystem::path socket = engineSocketPath(workspace.root);
    if (Expected<void> listening = engine->m_server.listen(socket); !listening)
        return passOn(listening.error());
    engine->startSampler();
    engine->watchIdleness();
    return engine;
}

Engine::Engine(EngineSettings settings, EngineLock lock, std::unique_ptr<Database> database, bool isChecked,
               std::vector<std::unique_ptr<device::Source>> sources)
    : m_settings(std::move(settings)),
      m_workspace{m_settings.workspace},
      m_lock(std::move(lock)),
      m_databaseFile(::open(m_workspace.database().c_str(), O_PATH | O_CLOEXEC)),
      m_database(std::move(database)),
      m_reader(*m_database),
      m_store(*m_database),
      m_sources(std::move(sources)),
      m_devices(devicesOf(m_sources)),
      m_remarks{notesOf(m_sources), conditionsOf(m_sources), {}},
      m_leases(schedule::LeaseFolder::ofThisMachine(), m_workspace.root.string()),
      m_scheduler(offeredOf(m_devices), &m_leases, device::cpuTopologyHere()),
      m_gpuWatch([this](pid_t pid) { return device::descendsFrom(pid, agents()); },
                 [](pid_t pid) { return process::readProcessStat(pid).has_value(); }),
      m_starter(m_settings.programs, m_workspace, m_settings.rankUmask),
      m_launcher(m_starter, m_watch),
      m_disk(m_workspace.root, m_settings.diskProbe),
      m_backup(m_workspace.database(), !isChecked,
               [this](const std::string &problem) {
                   QMetaObject::invokeMethod(
                       this,
                       [this, problem] {
                           tellProblem(facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, problem));
                       },
                       Qt::QueuedConnection);
               }),
      m_removal(m_workspace.root / "sweeps",
                [this](const std::string &problem) {
                    QMetaObject::invokeMethod(
                        this,
                        [this, problem] {
                            tellProblem(facts::Fact(facts::Code::FolderNotRemoved).with(facts::Field::Detail, problem));
                        },
                        Qt::QueuedConnection);
                }),
      m_server(*this, QString::fromStdString(m_workspace.root.string()))
{
    m_scheduler.allocator().setTopology(topologyOf(m_sources));
    m_tick.setInterval(tickEvery);
    connect(&m_tick, &QTimer::timeout, this, &Engine::tick);
    connect(&m_watch, &AttemptWatch::changed, this, &Engine::look);
    m_startNext.setSingleShot(true);
    m_startNext.setInterval(0);
    connect(&m_startNext, &QTimer::timeout, this, [this] { schedule(wallNow()); });
    m_saveProgress.setInterval(saveProgressEvery);
    connect(&m_saveProgress, &QTimer::timeout, this, [this] {
        for (const auto &[id, run] : m_runs)
            run->saveProgress();
    });
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, &Engine::idle);
    connect(&m_lookAtWorkspace, &QTimer::timeout, this, &Engine::watchWorkspace);
    m_lookAtWorkspace.start(lookAtWorkspaceEvery);
    m_lookAtDevices.setInterval(lookAtDevicesEvery);
    connect(&m_lookAtDevices, &QTimer::timeout, this, &Engine::watchDevices);
    connect(&m_server, &Server::clientsChanged, this, &Engine::watchIdleness);
    connect(&m_server, &Server::watchChanged, this, &Engine::sampleWhileNeeded);
    connect(&m_server, &Server::note, this, [this](const QString &line) { note(line.toStdString()); });
}

Engine::~Engine()
{
    for (const auto &[id, run] : m_runs)
        run->saveProgress();
    settle();
    saveRemovedDatabase();
}

Expected<void> Engine::loadSweeps()
{
    Expected<std::vector<sweep::SweepRecord>> sweeps = m_reader.sweeps();
    if (!sweeps)
        return passOn(sweeps.error());
    for (sweep::SweepRecord &record : *sweeps) {
        const auto place = m_sweeps.emplace(record.id, std::move(record)).first;
        if (place->second.ended)
            continue;
        if (Expected<SweepRun *> added = loadRun(place->second); !added)
            return passOn(added.error());
    }
    m_removal.takeUp([this](const std::string &folderName) {
        return std::ranges::any_of(m_sweeps, [&](const auto &known) { return known.second.folder == folderName; });
    });
    return {};
}

/// From the database.
Expected<SweepRun *> Engine::loadRun(const sweep::SweepRecord &record)
{
    Expected<std::vector<TrialRow>> trials = m_reader.trials(record.id, 1, record.trialsTotal);
    if (!trials)
        return passOn(trials.error());
    Expected<std::vector<AttemptRow>> attempts = m_reader.openAttempts(record.id);
    if (!attempts)
        return passOn(attempts.error());
    if (static_cast<int>(trials->size()) != record.trialsTotal)
        return makeError(ErrorCode::Corrupt, "the database has not all trials of sweep " + record.folder);
    return addRun(record, sweep::parseSweep(record.toml).spec, std::move(*trials), *attempts);
}

/// A sweep that is to be looked after from now on.
SweepRun *Engine::addRun(const sweep::SweepRecord &record, sweep::SweepSpec spec, std::vector<TrialRow> trials,
                         const std::vector<AttemptRow> &openAttempts)
{
    auto run = std::make_unique<SweepRun>(SweepRun::Context{m_store, m_scheduler, m_launcher, *this}, record,
                                          std::move(spec), std::move(trials));
    run->adopt(openAttempts, wallNow());
    run->noteDisk(m_disk.warning(), m_disk.level() == DiskWatch::Level::Full);
    run->noteWorkspace(m_workspaceWarning);
    SweepRun *added = m_runs.emplace(record.id, std::move(run)).first->second.get();
    m_tick.start();
    m_saveProgress.start();
    sampleWhileNeeded();
    return added;
}

void Engine::tick()
{
    heedClock();
    if (!lookAtWorkspace() && m_workspaceState == WorkspaceState::Elsewhere)
        return;  // what is not where it was looked for is not gone
    const WallNs now = wallNow();
    watchDisk(now);
    watchDevices();
    for (const auto &[id, run] : m_runs)
        run->poll(now);
    schedule(wallNow());  // not `now`: what begins in a place comes after the end of what was there
    settle();
    retireEnded();
}

void Engine::heedClock()
{
    const WallNs change = m_clockChange.take();
    if (change == 0)
        return;
    note("the clock of this machine was set " + std::string(change > 0 ? "forward" : "back") + " by "
         + std::to_string(std::llabs(change) / 1'000'000'000) + " s");
    for (const auto &[id, run] : m_runs)
        run->moveWaits(change);
}

/// An attempt has said something. Its devices go on at once when that was its last word.
void Engine::look(std::int64_t sweepId, int trial)
{
    heedClock();
    const auto run = m_runs.find(sweepId);
    if ((!lookAtWorkspace() && m_workspaceState == WorkspaceState::Elsewhere) || run == m_runs.end()
        || !run->second->look(trial, wallNow()))
        return;
    schedule(wallNow());
    retireEnded();
}

void Engine::watchDisk(WallNs now)
{
    if (!m_disk.look(now))
        return;
    note(m_disk.warning() ? wording::sentence(m_disk.warning()) : "the disk has room again");
    for (const auto &[id, run] : m_runs)
        run->noteDisk(m_disk.warning(), m_disk.level() == DiskWatch::Level::Full);
}

void Engine::schedule(WallNs now)
{
    if (!lookAtWorkspace())
        return;
    noteGpuChanges();
    tellWhatIsInTheWay();
    for (;;) {
        std::vector<schedule::SweepDemand> demands;
        for (const auto &[id, run] : m_runs)
            demands.push_back(run->demand(now));
        std::stable_sort(
            demands.begin(), demands.end(),
            [](const schedule::SweepDemand &a, const schedule::SweepDemand &b) { return a.priority > b.priority; });
        const schedule::Decision decision = m_scheduler.decide(demands);
        for (const schedule::TrialReason &reason : decision.waiting)
            m_runs.at(reason.sweepId)->setReason(reason.trial, reason.reason);
        if (decision.impossible) {
            m_runs.at(decision.impossible->sweepId)
                ->refuse(decision.impossible->trial, decision.impossible->reason, now);
            continue;
        }
        if (decision.start) {
            m_runs.at(decision.start->sweepId)->start(*decision.start, now);
            m_startNext.start();
        }
        break;
    }
    noteGpuChanges();
}

void Engine::retireEnded()
{
    const std::size_t before = m_runs.size();
    std::erase_if(m_runs, [](const auto &entry) { return entry.second->hasEnded(); });
    if (m_runs.size() == before)
        return;
    settle();
    if (m_runs.empty()) {  // nothing to look after: do not wake up ten times a second
        m_tick.stop();
        m_saveProgress.stop();
        sampleWhileNeeded();
    }
    watchIdleness();
}

void Engine::settle()
{
    const Expected<void> synced = m_database->sync();
    const std::string problem = synced ? std::string() : synced.error().message;
    if (problem != m_syncProblem)
        note(problem.empty() ? "the database comes to the disk again" : problem);
    m_syncProblem = problem;
}

void Engine::sweepChanged(std::int64_t sweepId)
{
    if (const auto run = m_runs.find(sweepId); run != m_runs.end())
        m_sweeps.insert_or_assign(sweepId, run->second->record());
    m_server.sweepChanged(sweepId);
}

void Engine::trialsChanged(std::int64_t sweepId, int first, int last)
{
    m_server.trialsChanged(sweepId, first, last);
}

void Engine::devicesChanged()
{
    m_server.devicesChanged();
}

/// Of what nobody waits for any more.
void Engine::tellProblem(const facts::Fact &problem)
{
    note(wording::sentence(problem));
    m_server.tellProblem(problem);
}

void Engine::note(const std::string &line)
{
    m_settings.log(line);
}

}  // namespace sweepscope::engine
