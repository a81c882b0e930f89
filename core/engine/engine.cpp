#include "engine/engine.h"

#include "base/log.h"
#include "device/sources.h"
#include "engine/decisions/attemptbegin.h"
#include "engine/devicelist.h"
#include "engine/parentcheckpoint.h"
#include "engine/studyimport.h"
#include "engine/sweepjoin.h"
#include "engine/sweepkeeping.h"
#include "engine/trialhistory.h"
#include "engine/workspacestate.h"
#include "protocol/randomid.h"
#include "sweep/deviceplace.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
constexpr auto tickEvery = 100ms;
constexpr std::uintmax_t mostBytesCheckedAtStart = 100'000'000;  // half a second
constexpr auto pollWorkspaceEvery = 5s;
constexpr auto pollDevicesEvery = 500ms;
constexpr auto saveProgressEvery = 2s;
constexpr auto alertInterval = 1s;
constexpr auto patienceWithTrials = 60s;
constexpr auto mostReading = 8s;   ///< of output, within a check (definitionchecks.h)
constexpr auto untilTold = 500ms;  ///< by then the answer has reached the client

tl::unexpected<Error> passOn(const Error &error)
{
    return tl::unexpected<Error>(error);
}

facts::Fact refusal(const Error &error, std::int64_t sweepId)
{
    if (error.code == ErrorCode::NotFound)
        return facts::Fact(facts::Code::NoSuchSweep).with(facts::Field::Number, sweepId);
    return facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, error.message);
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
    // Agents, sockets and messages all use the same path, however the user spelled it.
    settings.workspace = std::filesystem::canonical(settings.workspace, error);
    if (error)
        return makeErrnoError("cannot read the workspace folder " + wanted.workspace.string(), error.value());
    const WorkspaceLayout workspace{settings.workspace};

    Expected<EngineLock> lock = EngineLock::acquire(workspace.lockFile());
    if (!lock)
        return passOn(lock.error());
    if (const Expected<void> there = checkDatabaseIsNotLost(workspace); !there)
        return passOn(there.error());
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
    engine->m_devices.noteGpuChanges(
        engine->m_scheduler
            .allocator());  // before the first reading: memory used by adopted trials is no baseline of an empty GPU
    const std::filesystem::path socket = engineSocketPath(workspace.root);
    if (Expected<void> listening = engine->m_server.listen(socket); !listening)
        return passOn(listening.error());
    engine->m_devices.startSampler(workspace.devicesFeed());
    engine->sampleWhileNeeded();
    engine->watchIdleness();
    return engine;
}

Engine::Engine(EngineSettings settings, EngineLock lock, std::unique_ptr<Database> database, bool isChecked,
               std::vector<std::unique_ptr<device::Source>> sources)
    : m_settings(std::move(settings)),
      m_workspace{m_settings.workspace},
      m_database(std::move(database)),
      m_place(m_workspace, std::move(lock)),
      m_reader(*m_database),
      m_store(*m_database),
      m_devices(std::move(sources), *this, [this] { return m_sweeps.agents(); }),
      m_leases(schedule::LeaseFolder::ofThisMachine(), m_workspace.root.string()),
      m_scheduler(offeredOf(m_devices.all()), &m_leases, device::cpuTopologyHere()),
      m_machines(m_workspace, m_settings.share, m_scheduler, [this] { devicesChanged(); }),
      m_launcher(m_settings.programs, m_workspace, m_settings.rankUmask, m_watch, m_machines),
      m_disk(m_workspace.root, m_settings.diskProbe),
      m_search(m_workspace,
               [this](SearchThread::Answer answer) {
                   QMetaObject::invokeMethod(
                       this, [this, answer = std::move(answer)] { apply(answer); }, Qt::QueuedConnection);
               }),
      m_sweeps(m_reader, {m_store, m_scheduler, m_launcher, m_search, *this}, [this](SweepRun &run) { noteRun(run); }),
      m_backup(m_workspace.database(), !isChecked,
               [this](const std::string &problem) {
                   QMetaObject::invokeMethod(
                       this,
                       [this, problem] {
                           announce(facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, problem));
                       },
                       Qt::QueuedConnection);
               }),
      m_inserter(m_store, m_workspace),
      m_inbox(m_workspace),
      m_removal(
          m_workspace.root / "sweeps",
          [this](const std::string &problem) {
              QMetaObject::invokeMethod(
                  this,
                  [this, problem] {
                      announce(facts::Fact(facts::Code::FolderNotRemoved).with(facts::Field::Detail, problem));
                  },
                  Qt::QueuedConnection);
          },
          [this](const std::atomic<bool> &ending) { removeUnusedCode(m_workspace, ending); }),
      m_alerts(m_workspace),
      m_server(*this, QString::fromStdString(m_workspace.root.string()))
{
    m_scheduler.allocator().setTopology(m_devices.topology());
    m_tick.setInterval(tickEvery);
    connect(&m_tick, &QTimer::timeout, this, &Engine::tick);
    connect(&m_watch, &AttemptWatch::changed, this, &Engine::pollTrial);
    m_startNext.setSingleShot(true);
    m_startNext.setInterval(0);
    connect(&m_startNext, &QTimer::timeout, this, [this] { schedule(wallNow()); });
    m_saveProgress.setInterval(saveProgressEvery);
    connect(&m_saveProgress, &QTimer::timeout, this, [this] {
        for (const auto &[id, run] : m_sweeps.runs())
            run->saveProgress();
    });
    m_alertTimer.setSingleShot(true);
    connect(&m_alertTimer, &QTimer::timeout, this, &Engine::sendAlerts);
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, &Engine::idle);
    connect(&m_workspaceTimer, &QTimer::timeout, this, &Engine::watchWorkspace);
    m_workspaceTimer.start(pollWorkspaceEvery);
    m_devicesTimer.setInterval(pollDevicesEvery);
    connect(&m_devicesTimer, &QTimer::timeout, this, [this] {
        m_devices.poll(m_scheduler.allocator());
        m_machines.poll(wantedMachines());
    });
    connect(&m_inbox, &Inbox::changed, this, &Engine::adoptRuns);
    connect(&m_server, &Server::clientsChanged, this, &Engine::watchIdleness);
    connect(&m_server, &Server::watchChanged, this, &Engine::sampleWhileNeeded);
    connect(&m_server, &Server::note, this, [this](const QString &line) { note(line.toStdString()); });
}

Engine::~Engine()
{
    for (const auto &[id, run] : m_sweeps.runs())
        run->saveProgress();
    settle();
    m_place.saveRemovedDatabase(*m_database);
}

Expected<void> Engine::loadSweeps()
{
    if (Expected<void> loaded =
            m_store.removeUnfinished().and_then([this] { return beginStoredRuns(); }).and_then([this] {
                return m_sweeps.load();
            });
        !loaded)
        return loaded;
    for (const auto &[id, run] : m_sweeps.runs())
        watchForAlerts(id, 1, std::numeric_limits<int>::max());  // what the engine before could not tell
    const auto isKnown = [this](const std::string &folderName) {
        return std::ranges::any_of(m_sweeps.records(),
                                   [&](const auto &known) { return known.second.folder == folderName; });
    };
    m_removal.recover(isKnown);
    m_inbox.restore(isKnown);
    adoptRuns();
    return {};
}

void Engine::adoptRuns()
{
    if (!pollWorkspace() || !m_inserter.isIdle())
        return;  // again in a few seconds
    for (const FoundRun &found : m_inbox.waiting()) {
        const sweep::SweepSpec spec = definitionOf(found);
        Expected<std::vector<sweep::TrialPlan>> plans = sweep::planTrials(spec);
        if (!plans) {
            note("cannot add " + found.folder.string() + ": " + plans.error().message);
            continue;
        }
        const CheckedDefinition definition{sweep::toToml(spec), spec, {}};
        NewSweep made{recordOf(definition, found.workingFolder, found.created), std::move(*plans), {}};
        made.addFiles = [this, found](const sweep::SweepRecord &record) {
            return m_inbox.move(found, m_workspace.attempt(record.folder, 1, 1).folder);
        };
        m_inserter.add(std::move(made), [this, found, spec](Expected<NewSweep> stored) {
            Expected<AttemptRow> begun = stored.and_then(
                [&](NewSweep &added) { return beginFound(found, added.record, spec, added.trials.front()); });
            if (!begun)
                return note("cannot add " + found.folder.string() + ": " + begun.error().message);
            const sweep::SweepRecord record = stored->record;
            m_sweeps.add(record, spec, std::move(stored->trials), {*begun});
            sweepChanged(record.id);
            trialsChanged(record.id, 1, 1);
            watchIdleness();
        });
    }
    m_inbox.removeLinks([this](const std::string &folder) {
        return std::ranges::any_of(m_sweeps.runs(),
                                   [&](const auto &active) { return active.second->record().folder == folder; });
    });
}

Expected<AttemptRow> Engine::beginFound(const FoundRun &found, const sweep::SweepRecord &record,
                                        const sweep::SweepSpec &spec, TrialRow &trial)
{
    const TrialChange change = beginAttempt(trial, {1, {}, false, found.created});
    const AttemptRow attempt{record.id, 1, 1, found.attemptId, found.agent, found.created, 0};
    if (const Expected<void> described = m_launcher.describe(record, spec, change.row.record, found.attemptId);
        !described)
        return passOn(described.error());
    const Expected<void> stored =
        m_store.beginAttempt(change, attempt).and_then([&] { return m_store.noteAgent(attempt); });
    if (!stored)
        return passOn(stored.error());
    trial = change.row;
    return attempt;
}

Expected<void> Engine::beginStoredRuns()
{
    const Expected<std::vector<sweep::SweepRecord>> sweeps = m_reader.sweeps();
    if (!sweeps)
        return passOn(sweeps.error());
    for (const sweep::SweepRecord &record : *sweeps) {
        const std::filesystem::path folder = m_workspace.attempt(record.folder, 1, 1).folder;
        std::error_code error;
        if (record.ended || record.trialsTotal != 1 || !std::filesystem::exists(folder / foundRunFile, error))
            continue;
        Expected<std::vector<TrialRow>> trials = m_reader.trials(record.id, 1, 1);
        if (!trials)
            return passOn(trials.error());
        if (trials->empty() || trials->front().record.attempts > 0
            || trials->front().record.state != sweep::TrialState::Queued)
            continue;
        const Expected<FoundRun> found = readFoundRun(folder, wallNow());
        const auto begun = found.and_then([&](const FoundRun &run) {
            return beginFound(run, record, sweep::parseSweep(record.toml).spec, trials->front());
        });
        if (!begun)
            return passOn(begun.error());
    }
    return {};
}

void Engine::noteRun(SweepRun &run)
{
    run.noteDisk(m_disk.warning(), m_disk.level() == DiskWatch::Level::Full);
    run.noteWorkspace(m_place.warning());
    run.noteFileSystem(fileSystemWarning(m_workspace.root));
    m_tick.start();
    m_saveProgress.start();
    sampleWhileNeeded();
}

/// Samples while sweeps run or a client shows devices.
void Engine::sampleWhileNeeded()
{
    const bool onlyWatched = m_sweeps.runs().empty() && m_server.isWatchingDevices();
    m_devices.setSampling(!m_sweeps.runs().empty() || onlyWatched);
    if (!onlyWatched)
        m_devicesTimer.stop();  // the tick polls the devices, or no client shows them
    else if (!m_devicesTimer.isActive())
        m_devicesTimer.start();
}

std::set<std::string> Engine::wantedMachines() const
{
    std::set<std::string> names;
    for (const auto &[id, run] : m_sweeps.runs())
        names.insert(run->spec().devices.machines.begin(), run->spec().devices.machines.end());
    if (m_server.isWatchingDevices())
        names.insert(sweep::allMachines);
    return names;
}

void Engine::tick()
{
    applyClockChange();
    if (!pollWorkspace() && m_place.state() == WorkspaceState::Elsewhere)
        return;  // a file that is not found in a moved workspace is not gone
    const WallNs now = wallNow();
    watchDisk(now);
    m_devices.poll(m_scheduler.allocator());
    m_machines.poll(wantedMachines());
    for (const auto &[id, run] : m_sweeps.runs()) {
        run->noteGpus(m_devices.snapshot());
        run->poll(now);
    }
    schedule(wallNow());  // not `now`: an attempt that begins in a place comes after the end of the earlier one
    settle();
    retireEnded();
}

void Engine::applyClockChange()
{
    const WallNs change = m_clockChange.take();
    if (change == 0)
        return;
    note("the clock of this machine was set " + std::string(change > 0 ? "forward" : "back") + " by "
         + std::to_string(std::llabs(change) / 1'000'000'000) + " s");
    for (const auto &[id, run] : m_sweeps.runs())
        run->moveWaits(change);
}

/// An attempt has written an event. If it was the last one, its devices can be reused immediately.
void Engine::pollTrial(std::int64_t sweepId, int trial)
{
    applyClockChange();
    SweepRun *const run = m_sweeps.run(sweepId);
    if ((!pollWorkspace() && m_place.state() == WorkspaceState::Elsewhere) || run == nullptr
        || !run->pollTrial(trial, wallNow()))
        return;
    schedule(wallNow());
    retireEnded();
}

void Engine::apply(const SearchThread::Answer &answer)
{
    SweepRun *const run = m_sweeps.run(std::visit([](const auto &any) { return any.sweepId; }, answer));
    if ((!pollWorkspace() && m_place.state() == WorkspaceState::Elsewhere) || run == nullptr)
        return;
    if (const auto *suggestion = std::get_if<SuggestionAnswer>(&answer))
        run->applySuggestion(*suggestion, wallNow());
    else
        run->applyVerdict(std::get<VerdictAnswer>(answer), wallNow());
    schedule(wallNow());
    retireEnded();
}

void Engine::watchDisk(WallNs now)
{
    if (!m_disk.poll(now))
        return;
    note(m_disk.warning() ? wording::sentence(m_disk.warning()) : "the disk has free space again");
    for (const auto &[id, run] : m_sweeps.runs())
        run->noteDisk(m_disk.warning(), m_disk.level() == DiskWatch::Level::Full);
}

void Engine::schedule(WallNs now)
{
    if (!pollWorkspace())
        return;
    m_devices.noteGpuChanges(m_scheduler.allocator());
    m_devices.updateStates(m_scheduler.allocator());
    for (;;) {
        std::vector<schedule::SweepDemand> demands;
        for (const auto &[id, run] : m_sweeps.runs())
            demands.push_back(run->demand(now));
        std::stable_sort(
            demands.begin(), demands.end(),
            [](const schedule::SweepDemand &a, const schedule::SweepDemand &b) { return a.priority > b.priority; });
        const schedule::Decision decision = m_scheduler.decide(demands);
        for (const schedule::TrialReason &reason : decision.waiting)
            m_sweeps.runs().at(reason.sweepId)->setReason(reason.trial, reason.reason);
        if (decision.impossible) {
            m_sweeps.runs()
                .at(decision.impossible->sweepId)
                ->refuse(decision.impossible->trial, decision.impossible->reason, now);
            continue;
        }
        if (decision.start) {
            m_sweeps.runs().at(decision.start->sweepId)->start(*decision.start, now);
            m_startNext.start();
        }
        break;
    }
    m_devices.noteGpuChanges(m_scheduler.allocator());
}

void Engine::retireEnded()
{
    if (!m_sweeps.retireEnded())
        return;
    settle();
    if (m_sweeps.runs().empty()) {  // nothing to poll: do not wake up ten times a second
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
        note(problem.empty() ? "the database can be written again" : problem);
    m_syncProblem = problem;
}

void Engine::watchIdleness()
{
    if (!m_settings.idleExit)
        return;
    if (m_server.clientCount() > 0 || !m_sweeps.runs().empty() || !m_inserter.isIdle() || m_machines.isBusy()
        || m_alerts.isWaiting())
        m_idle.stop();
    else if (!m_idle.isActive())
        m_idle.start(*m_settings.idleExit);
}

bool Engine::pollWorkspace()
{
    if (m_place.poll()) {
        announce(m_place.isHere() ? facts::Fact(facts::Code::WorkspaceRestored) : m_place.warning());
        for (const auto &[id, run] : m_sweeps.runs())
            run->noteWorkspace(m_place.warning());
    }
    return m_place.isHere();
}

void Engine::watchWorkspace()
{
    m_machines.poll(wantedMachines());
    watchIdleness();
    adoptRuns();
    if (pollWorkspace() && !m_sweeps.records().empty())
        m_backup.startIfDue();
    if (m_place.isDeleted())
        endDeleted();
    else if (const Expected<void> locked = m_place.keepLock();
             !locked && locked.error().code == ErrorCode::AlreadyExists)
        Q_EMIT workspaceLost("another engine has taken over its workspace");
}

/// A user who deletes a workspace needs none of its trials, nor should they keep devices.
void Engine::endDeleted()
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_workspaceDeleted) {
        m_workspaceDeleted = now;
        log(LogLevel::Warning, "engine", "the workspace was deleted; stopping all trials");
        for (const auto &[id, run] : m_sweeps.runs()) {
            if (const Reply stopping = run->control({}, wallNow()); !stopping)
                note("sweep " + run->record().folder + ": " + wording::sentence(stopping.error()));
        }
    }
    if (m_sweeps.runs().empty() || now - *m_workspaceDeleted > patienceWithTrials)
        Q_EMIT workspaceLost("its workspace was deleted");
}

std::vector<std::int64_t> Engine::sweepIds() const
{
    std::vector<std::int64_t> ids;
    for (const auto &[id, record] : m_sweeps.records())
        ids.push_back(id);
    return ids;
}

const sweep::SweepRecord *Engine::sweep(std::int64_t id) const
{
    return m_sweeps.record(id);
}

Expected<std::vector<sweep::TrialRecord>> Engine::trials(std::int64_t sweepId, int first, int last)
{
    return m_sweeps.trials(sweepId, first, last);
}

protocol::DevicesChanged Engine::devices() const
{
    const auto holderOf = [this](const std::string &holder) {
        const schedule::Scheduler::Holder trial =
            schedule::Scheduler::parseHolder(holder).value_or(schedule::Scheduler::Holder());
        const sweep::SweepRecord *record = sweep(trial.sweepId);
        return protocol::DeviceHolder{trial.sweepId, record ? QString::fromStdString(record->name) : QString(),
                                      trial.trial};
    };
    protocol::DevicesChanged state = m_devices.statuses(m_scheduler.allocator(), holderOf);
    state.machines = m_machines.statuses(holderOf);
    return state;
}

std::vector<sweep::Problem> Engine::launchProblems()
{
    if (pollWorkspace())
        return {};
    if (!m_place.isDeleted())
        return {{"", wording::clause(m_place.warning())}};
    QTimer::singleShot(untilTold, this, &Engine::watchWorkspace);
    return {{"", "the workspace was deleted, and its engine is exiting; try again"}};
}

std::vector<sweep::Problem> Engine::machineProblems(const sweep::SweepSpec &spec)
{
    m_machines.reload();  // one may have been added just now
    return sweep::unknownMachines(spec.devices, m_machines.names());
}

/// With a cluster, Slurm knows what there is.
sweep::Capacity Engine::capacity() const
{
    sweep::Capacity here = capacityOf(m_scheduler.allocator().devices());
    here.clusters = m_machines.clusters();
    return here;
}

void Engine::launch(const std::string &toml, const std::string &baseFolder, QObject *client, Launched done)
{
    if (std::vector<sweep::Problem> problems = launchProblems(); !problems.empty())
        return done(tl::unexpected(std::move(problems)));
    const auto store = [this, baseFolder, done](CheckResult checked) {
        if (!checked)
            return done(tl::unexpected(std::move(checked.error())));
        if (std::vector<sweep::Problem> problems = launchProblems(); !problems.empty())
            return done(tl::unexpected(std::move(problems)));
        if (std::vector<sweep::Problem> problems = machineProblems(checked->spec); !problems.empty())
            return done(tl::unexpected(std::move(problems)));
        sweep::SweepRecord made = recordOf(*checked, baseFolder, wallNow());  // before the specification is moved
        m_inserter.add({std::move(made), std::move(checked->plans), {}, std::move(checked->warmStart)},
                       [this, spec = std::move(checked->spec), done](Expected<NewSweep> stored) {
                           if (!stored)
                               return done(tl::unexpected(std::vector<sweep::Problem>{{"", stored.error().message}}));
                           const sweep::SweepRecord record = std::move(stored->record);
                           m_sweeps.add(record, spec, std::move(stored->trials));
                           sweepChanged(record.id);
                           if (record.trialsTotal > 0)
                               trialsChanged(record.id, 1, record.trialsTotal);
                           watchIdleness();
                           done(record.id);
                       });
    };
    m_checks.add(
        [toml, baseFolder, capacity = capacity(), programs = m_settings.programs, codeStore = m_workspace.codeStore()] {
            return checkNewSweep(toml, baseFolder, capacity, programs, codeStore);
        },
        client, store);
}

void Engine::join(const protocol::JoinRequest &request, QObject *client, Launched done)
{
    using Problems = std::vector<sweep::Problem>;
    std::vector<sweep::SweepRecord> sweeps;
    for (const std::int64_t id : request.sweepIds) {
        const sweep::SweepRecord *known = sweep(id);
        if (known == nullptr)
            return done(tl::unexpected(Problems{{"", "there is no sweep " + std::to_string(id)}}));
        sweeps.push_back(*known);
    }
    if (Problems problems = launchProblems(); !problems.empty())
        return done(tl::unexpected(std::move(problems)));
    const auto prepared = std::make_shared<PreparedSweep>();
    prepared->folder = m_removal.placeFor("join-" + std::to_string(protocol::randomId()));
    m_checks.add(
        [workspace = m_workspace, sweeps = std::move(sweeps), prepared,
         choice = importing::JoinChoice{request.name.toStdString(), request.objective.toStdString()}]() -> CheckResult {
            if (const Expected<void> ready = prepareJoin(workspace, sweeps, choice, *prepared); !ready)
                return tl::unexpected(Problems{{"", ready.error().message}});
            return CheckedDefinition{};
        },
        client, [this, prepared, done](const CheckResult &checked) { addPrepared(prepared, checked, done); });
}

void Engine::importSweep(const protocol::ImportRequest &request, QObject *client, Launched done)
{
    using Problems = std::vector<sweep::Problem>;
    const std::string name = request.folder.toStdString();
    if (!isImportName(name))
        return done(tl::unexpected(Problems{{"", "'" + name + "' is not a folder that sweepctl import makes"}}));
    const auto prepared = std::make_shared<PreparedSweep>();
    prepared->folder = m_removal.placeFor(name);
    if (Problems problems = launchProblems(); !problems.empty())
        return addPrepared(prepared, tl::unexpected(std::move(problems)), done);
    m_checks.add(
        [prepared]() -> CheckResult {
            if (const Expected<void> ready = prepareImport(*prepared); !ready)
                return tl::unexpected(Problems{{"", ready.error().message}});
            return CheckedDefinition{};
        },
        client, [this, prepared, done](const CheckResult &checked) { addPrepared(prepared, checked, done); });
}

/// Adds the sweep to the workspace, unless there are problems, and removes the folder in which it was prepared.
void Engine::addPrepared(const std::shared_ptr<PreparedSweep> &prepared, const CheckResult &checked,
                         const Launched &done)
{
    using Problems = std::vector<sweep::Problem>;
    if (!checked) {  // perhaps at a limit of time, and `prepared` is still being filled
        m_removal.remove(prepared->folder);
        return done(tl::unexpected(checked.error()));
    }
    const auto end = [this, prepared, done](const tl::expected<std::int64_t, Problems> &added) {
        if (!prepared->database.empty())
            (void)m_database->detach(prepared->schema);  // fails if it was not attached
        m_removal.remove(prepared->folder);
        done(added);
    };
    if (!prepared->database.empty()) {
        if (const Expected<void> ready = m_database->attach(prepared->database, prepared->schema); !ready)
            return end(tl::unexpected(Problems{{"", ready.error().message}}));
    }
    NewSweep made{prepared->record, std::move(prepared->plans), {}};
    made.addFiles = [this, prepared](const sweep::SweepRecord &record) {
        return moveFiles(prepared->files, m_workspace.sweepFolder(record.folder)).and_then([&] {
            sweep::SweepRecord ended = prepared->record;
            ended.id = record.id;
            ended.trialsTotal = record.trialsTotal;
            return m_store.copyResults(ended, prepared->trials, prepared->schema);
        });
    };
    m_inserter.add(std::move(made), [this, end](Expected<NewSweep> stored) {
        const auto known = stored.and_then([this](const NewSweep &) { return m_reader.sweeps(); });
        if (!known)
            return end(tl::unexpected(Problems{{"", known.error().message}}));
        const std::int64_t id = stored->record.id;
        const auto record = std::ranges::find(*known, id, &sweep::SweepRecord::id);  // with its use of devices
        m_sweeps.setRecord(record == known->end() ? stored->record : *record);
        sweepChanged(id);
        trialsChanged(id, 1, stored->record.trialsTotal);
        watchIdleness();
        end(id);
    });
}

Expected<sweep::TrialHistory> Engine::history(std::int64_t sweepId, int trial)
{
    const sweep::SweepRecord *record = sweep(sweepId);
    if (record == nullptr || trial > record->trialsTotal)
        return makeError(ErrorCode::NotFound,
                         "there is no trial " + std::to_string(trial) + " of a sweep " + std::to_string(sweepId));
    return readTrialHistory(m_reader, m_workspace, *record, trial);
}

Reply Engine::control(std::int64_t sweepId, const sweep::Control &control)
{
    using Action = sweep::Control::Action;
    if (control.action == Action::Archive || control.action == Action::Unarchive || control.action == Action::Delete)
        return keep(sweepId, control.action);
    const Expected<SweepRun *> run = m_sweeps.openRun(sweepId);
    if (!run)
        return tl::unexpected<facts::Fact>(refusal(run.error(), sweepId));
    note("sweep " + (*run)->record().folder + ": request from a client: " + sweep::toString(control.action)
         + (control.trials.empty() ? "" : " (" + std::to_string(control.trials.size()) + " of its trials)"));
    Reply answer = (*run)->control(control, wallNow());
    watchIdleness();
    return answer;
}

void Engine::edit(const protocol::EditRequest &request, QObject *client, Edited done)
{
    const auto refuse = [&done](const std::string &why) {
        done(tl::unexpected(std::vector<sweep::Problem>{{"", why}}));
    };
    const sweep::SweepRecord *known = sweep(request.sweepId);
    if (known == nullptr)
        return refuse("there is no sweep " + std::to_string(request.sweepId));
    const sweep::SweepRecord record = *known;
    std::string toml = request.toml.toStdString();
    if (request.undo) {
        Expected<std::string> before = m_reader.definitionBeforeEdit(request.sweepId);
        if (!before || before->empty())
            return refuse(before ? "the sweep has no edit to undo" : before.error().message);
        toml = std::move(*before);
    }
    const Expected<SweepRun *> run = m_sweeps.openRun(request.sweepId);
    if (!run)
        return refuse(run.error().message);
    std::vector<sweep::TrialRecord> trials;
    if (!request.dryRun) {
        for (const TrialRow &row : (*run)->trials())
            trials.push_back(row.record);
    }
    const auto check = [toml, record, capacity = capacity(), worker = m_settings.programs.worker,
                        trials = std::move(trials), workspace = m_workspace, isDryRun = request.dryRun,
                        before = (*run)->spec()] {
        CheckResult checked = checkEdit(toml, before, record.baseFolder, capacity, worker);
        const bool isJudgedAnew =
            checked && (checked->spec.objective != record.objective || checked->spec.goal != record.goal);
        if (isJudgedAnew && !isDryRun)
            checked->reports = readReports(workspace, record.folder, checked->spec, trials);
        if (checked && checked->spec.run.metrics != before.run.metrics && !isDryRun)
            checked->reports.merge(readPrinted(workspace, record.folder, checked->spec, trials, mostReading));
        return checked;
    };
    m_checks.add(check, client, [this, request, done](CheckResult checked) {
        if (!checked)
            return done(tl::unexpected(std::move(checked.error())));
        done(redefine(request, std::move(*checked)));
    });
}

/// The sweep may have changed while the definition was checked: it is decided on what it is now.
tl::expected<facts::Facts, std::vector<sweep::Problem>> Engine::redefine(const protocol::EditRequest &request,
                                                                         CheckedDefinition checked)
{
    using Problems = std::vector<sweep::Problem>;
    const Expected<SweepRun *> run = m_sweeps.openRun(request.sweepId);
    if (!run)
        return tl::unexpected(Problems{{"", run.error().message}});
    if (request.undo && m_reader.definitionBeforeEdit(request.sweepId).value_or(std::string()) != checked.toml)
        return tl::unexpected(Problems{{"", "the sweep was edited in the meantime; try again"}});
    note("sweep " + (*run)->record().folder + ": request from a client: " + (request.undo ? "undo an edit" : "edit"));
    auto answer =
        (*run)->redefine({std::move(checked.toml), std::move(checked.spec), std::move(checked.plans),
                          request.undo ? sweep::EditKind::Undo : sweep::EditKind::Edit, std::move(checked.reports)},
                         request.dryRun, wallNow());
    watchIdleness();
    return answer;
}

Reply Engine::enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point)
{
    const Expected<SweepRun *> run = m_sweeps.openRun(sweepId);
    if (!run)
        return tl::unexpected<facts::Fact>(refusal(run.error(), sweepId));
    note("sweep " + (*run)->record().folder + ": request from a client: one more trial");
    Reply answer = (*run)->enqueue(point, wallNow());
    watchIdleness();
    return answer;
}

Reply Engine::continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                             const std::map<std::string, std::string> &changes)
{
    const Expected<SweepRun *> run = m_sweeps.openRun(sweepId);
    if (!run)
        return tl::unexpected<facts::Fact>(refusal(run.error(), sweepId));
    const std::string folder = (*run)->record().folder;
    note("sweep " + folder + ": request from a client: continue trials");
    const auto bring = [&](int parent, int child) { return linkParentCheckpoint(m_workspace, folder, parent, child); };
    Reply answer = (*run)->continueTrials(trials, changes, bring, wallNow());
    watchIdleness();
    return answer;
}

Reply Engine::keep(std::int64_t sweepId, sweep::Control::Action action)
{
    using Action = sweep::Control::Action;
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    retireEnded();
    const sweep::SweepRecord *known = sweep(sweepId);
    if (known == nullptr)
        return tl::unexpected<Fact>(Fact(Code::NoSuchSweep).with(Field::Number, sweepId));
    note("sweep " + known->folder + ": request from a client: " + sweep::toString(action));
    if (!known->ended)
        return tl::unexpected<Fact>(Fact(Code::SweepIsActive).with(Field::Sweep, known->folder));
    if (action == Action::Delete)
        return remove(*known);
    sweep::SweepRecord record = *known;
    Reply reply = archiveSweep(m_store, record, action == Action::Archive, wallNow());
    if (record.archived != known->archived) {
        m_sweeps.setRecord(std::move(record));
        sweepChanged(sweepId);
    }
    return reply;
}

Reply Engine::remove(const sweep::SweepRecord &record)
{
    const std::int64_t id = record.id;
    auto deleted = deleteSweep(m_store, record, m_workspace.sweepFolder(record.folder), m_removal);
    if (!deleted)
        return tl::unexpected<facts::Fact>(std::move(deleted.error()));
    m_sweeps.remove(id);
    m_alerts.forget(id);
    settle();  // commit to disk before its files are removed, so that the database never lists a sweep without files
    if (deleted->folder)
        m_removal.remove(*deleted->folder);
    m_machines.discard(record.folder);
    m_server.sweepRemoved(id);
    return facts::Facts{std::move(deleted->reply)};
}

void Engine::sweepChanged(std::int64_t sweepId)
{
    m_sweeps.updateRecord(sweepId);
    m_server.sweepChanged(sweepId);
    watchForAlerts(sweepId, 1, 0);
}

void Engine::trialsChanged(std::int64_t sweepId, int first, int last)
{
    m_server.trialsChanged(sweepId, first, last);
    watchForAlerts(sweepId, first, last);
}

void Engine::watchForAlerts(std::int64_t sweepId, int first, int last)
{
    const SweepRun *run = m_sweeps.run(sweepId);
    if (run == nullptr)
        return;
    const std::vector<TrialRow> &rows = run->trials();
    m_alerts.update(run->record(),
                    {rows.size(), [&rows](std::size_t i) -> const sweep::TrialRecord & { return rows[i].record; }},
                    first, last);
    if (m_alerts.isWaiting() && !m_alertTimer.isActive())
        m_alertTimer.start(std::chrono::milliseconds(0));
}

/// Those that are not due yet keep the engine from ending.
void Engine::sendAlerts()
{
    m_alerts.poll();
    if (m_alerts.isWaiting())
        m_alertTimer.start(alertInterval);
    else
        watchIdleness();
}

void Engine::devicesChanged()
{
    m_server.devicesChanged();
}

void Engine::announce(const facts::Fact &news)
{
    const LogLevel level = news.code == facts::Code::WorkspaceRestored ? LogLevel::Info : LogLevel::Warning;
    log(level, "engine", wording::sentence(news));
    m_server.announce(news);
}

void Engine::note(const std::string &line)
{
    log(LogLevel::Info, "engine", line);
}

}  // namespace sweepscope::engine
