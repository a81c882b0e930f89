#include "engine/rescue.h"

#include "base/files.h"
#include "base/folderentries.h"
#include "engine/attemptmonitor.h"
#include "engine/decisions/attemptbegin.h"
#include "engine/decisions/attemptend.h"
#include "engine/decisions/means.h"
#include "engine/enginelock.h"
#include "engine/localagent.h"
#include "engine/store.h"
#include "engine/trialreports.h"
#include "launch/agentlife.h"
#include "launch/launchspec.h"
#include "sweep/deviceplace.h"
#include "sweep/point.h"
#include "sweep/stoprule.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::SweepState;
using sweep::TrialState;

constexpr std::uint64_t mostFileBytes = 16 * 1024 * 1024;
constexpr std::int64_t mostNumber = 1'000'000'000;

/// A numbered folder; sorts by number. `ending` is what follows the number.
struct NumberedFolder {
    std::int64_t number = 0;
    std::string ending;
    std::filesystem::path path;
};
std::vector<NumberedFolder> numberedFolders(const std::filesystem::path &parent)
{
    std::vector<NumberedFolder> found;
    std::error_code error;
    for (const auto &entry : entriesOf(parent)) {
        const std::string name = entry.path().filename().string();
        NumberedFolder folder{0, {}, entry.path()};
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), folder.number);
        if (problem != std::errc() || folder.number < 1 || folder.number > mostNumber
            || !std::filesystem::is_directory(entry.symlink_status(error)))
            continue;
        folder.ending.assign(end, name.data() + name.size());
        found.push_back(std::move(folder));
    }
    std::sort(found.begin(), found.end(),
              [](const NumberedFolder &a, const NumberedFolder &b) { return a.number < b.number; });
    return found;
}

WallNs changedAt(const std::filesystem::path &file)
{
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0)
        return wallNow();
    return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

/// Returns a parameter's value as the user would type it.
std::optional<std::string> textOf(const QJsonValue &json)
{
    if (json.isBool())
        return json.toBool() ? "true" : "false";
    if (json.isString())
        return json.toString().toStdString();
    if (!json.isDouble())
        return std::nullopt;
    const double real = json.toDouble();
    const qint64 integer = json.toInteger();
    return sweep::toText(static_cast<double>(integer) == real ? sweep::ParameterValue(std::int64_t{integer})
                                                              : sweep::ParameterValue(real));
}

/// Returns the parameters of an attempt: launch.json keeps them, params.json only while ranks run. nullopt if neither
/// has them. Each value gets the type that its parameter has in `spec`; JSON has 1 for 1.0.
std::optional<sweep::ParameterSet> parametersOf(const AttemptLayout &files, const sweep::SweepSpec &spec)
{
    std::string text;
    if (const Expected<launch::LaunchSpec> launch = launch::readLaunchSpec(files.launchFile())) {
        if (const auto found = launch->environment.find("SWEEPSCOPE_PARAMS"); found != launch->environment.end())
            text = found->second;
    }
    if (text.empty())
        text = readFile(files.parametersFile(), mostFileBytes).value_or(std::string());
    const QJsonDocument untrusted = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    if (!untrusted.isObject())
        return std::nullopt;
    std::map<std::string, std::string> texts;
    const QJsonObject members = untrusted.object();
    for (auto member = members.begin(); member != members.end(); ++member) {
        if (std::optional<std::string> value = textOf(member.value()))
            texts.emplace(member.key().toStdString(), *std::move(value));
    }
    Expected<sweep::ParameterSet> point = sweep::parsePoint(spec, texts);
    return point ? std::optional(std::move(*point)) : std::nullopt;
}

/// The trial whose checkpoint the attempt's trial began with.
std::optional<int> parentOf(const AttemptLayout &files)
{
    const Expected<launch::LaunchSpec> launch = launch::readLaunchSpec(files.launchFile());
    if (!launch || !launch->environment.contains("SWEEPSCOPE_PARENT"))
        return std::nullopt;
    const std::string &text = launch->environment.at("SWEEPSCOPE_PARENT");
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && number > 0 ? std::optional(number) : std::nullopt;
}

/// What the files of one attempt contain.
struct FoundAttempt {
    AttemptRow row;
    std::vector<std::string> devices;
    int ranks = 1;
    bool ranksStarted = false;
    bool hasEnded = false;
    bool isHere = true;              ///< it runs on this machine
    std::optional<WallNs> lostBy{};  ///< set if there is no end and the agent is gone
};

FoundAttempt readAttempt(const AttemptLayout &files, int trial, int number)
{
    FoundAttempt found;
    found.row.trial = trial;
    found.row.number = number;
    found.row.created = changedAt(files.launchFile());
    found.row.id = "rescued-" + files.folder.string();  // unique, as the folder is
    if (const Expected<std::vector<launch::LaunchSpec>> agents = launch::readLaunchSpecs(files)) {
        found.row.id = agents->front().attemptId;
        found.ranks = agents->front().worldSize();
        found.isHere = agents->front().machine.empty();
        for (const launch::LaunchSpec &agent : *agents) {
            for (const auto &rank : agent.devices)
                std::ranges::transform(rank, std::back_inserter(found.devices), [&](const std::string &device) {
                    return sweep::deviceOn(agent.machine, device);
                });
        }
        found.row.devices = static_cast<int>(found.devices.size());
    }
    for (const launch::AttemptEvent &event : launch::AttemptEventReader(files.eventsFile()).poll()) {
        if (event.kind == launch::AttemptEventKind::AgentStarted)
            found.row.agent = launch::ProcessIdentity{event.pid, event.startTime};
        found.ranksStarted = found.ranksStarted || event.kind == launch::AttemptEventKind::RankStarted;
        found.hasEnded = found.hasEnded || event.kind == launch::AttemptEventKind::Ended;
    }
    return found;
}

/// Reads one sweep's folder and writes it to the new database.
class SweepRescue {
public:
    SweepRescue(Store &store, const WorkspaceLayout &workspace, const NumberedFolder &folder, RescueReport &report)
        : m_store(store), m_workspace(workspace), m_folder(folder), m_report(report)
    {}

    Expected<void> run()
    {
        const std::filesystem::path file = m_folder.path / "sweep.toml";
        const auto toml = readFile(file, mostFileBytes);
        if (!toml)
            return leaveOut(toml.error().message);
        sweep::ParsedSweep parsed = sweep::parseSweep(*toml);
        if (!parsed.problems.empty())
            return leaveOut(sweep::describe(parsed.problems.front(), "sweep.toml"));
        m_spec = std::move(parsed.spec);
        if (const std::string name = sweepFolderName(m_folder.number, m_spec.name);
            name != m_folder.path.filename().string())
            return leaveOut("the sweep's own folder is " + name + "; if this is not a copy, rename it");
        fillRecord(*toml, file);
        std::vector<sweep::TrialPlan> plans = readPlans();
        if (plans.empty())
            return leaveOut("it has no trials");
        m_record.trialsToCome = sweep::trialsToSearch(m_spec);
        if (m_record.trialsToCome)
            m_record.trialsToCome = std::max(0, *m_record.trialsToCome - static_cast<int>(plans.size()));
        const auto nothing = [](const sweep::SweepRecord &) { return Expected<void>(); };
        Expected<std::vector<TrialRow>> made = m_store.insertSweep(m_record, plans, nothing, m_folder.number - 1);
        if (!made)
            return tl::unexpected<Error>(made.error());
        m_trials = std::move(*made);
        for (TrialRow &row : m_trials) {
            if (Expected<void> done = writeTrial(row); !done)
                return done;
        }
        ++m_report.sweeps;
        return writeState();
    }

private:
    Expected<void> leaveOut(const std::string &why)
    {
        m_report.notRecovered.push_back("sweep " + m_folder.path.filename().string() + ": " + why);
        return {};
    }

    void note(const std::string &what)
    {
        m_report.notRecovered.push_back("sweep " + m_folder.path.filename().string() + ": " + what);
    }

    void fillRecord(const std::string &toml, const std::filesystem::path &file)
    {
        m_record.name = m_spec.name;
        m_record.objective = m_spec.objective;
        m_record.goal = m_spec.goal;
        for (const sweep::Dimension &dimension : m_spec.space)
            m_record.parameterNames.push_back(dimension.name);
        m_record.toml = toml;
        m_record.created = changedAt(file);
    }

    AttemptLayout files(std::int64_t trial, std::int64_t attempt) const
    {
        return m_workspace.attempt(m_folder.path.filename().string(), static_cast<int>(trial),
                                   static_cast<int>(attempt));
    }

    /// Returns the numbers of the trial's attempts, ascending. Other folders, such as copies, are left out and
    /// reported.
    std::vector<int> attemptsOf(const NumberedFolder &trial)
    {
        std::vector<int> numbers;
        for (const NumberedFolder &attempt : numberedFolders(trial.path)) {
            const AttemptLayout layout = files(trial.number, attempt.number);
            const Expected<launch::LaunchSpec> spec = launch::readLaunchSpec(layout.launchFile());
            const bool isOfAnother = spec && (spec->trial != trial.number || spec->attempt != attempt.number);
            if (layout.folder != attempt.path || isOfAnother)
                note("the folder " + attempt.path.lexically_relative(m_folder.path).string()
                     + " is a copy and was skipped");
            else
                numbers.push_back(static_cast<int>(attempt.number));
        }
        return numbers;
    }

    /// Returns the trials of the definition, and those that an edit or the user added.
    std::vector<sweep::TrialPlan> readPlans()
    {
        std::vector<sweep::TrialPlan> plans = sweep::planTrials(m_spec).value_or(std::vector<sweep::TrialPlan>());
        const auto planned = static_cast<std::int64_t>(plans.size());
        std::vector<int> continued;
        for (const NumberedFolder &trial : numberedFolders(m_folder.path / "trials")) {
            if (trial.number > static_cast<std::int64_t>(sweep::maxTrials))
                continue;
            const std::vector<int> attempts = attemptsOf(trial);
            if (attempts.empty())
                continue;
            const int number = static_cast<int>(trial.number);
            m_attempts[number] = attempts;
            while (static_cast<std::int64_t>(plans.size()) < trial.number) {
                plans.push_back(sweep::planPoint(m_spec, static_cast<int>(plans.size()) + 1, {}));
                m_unknown.insert(static_cast<int>(plans.size()));
            }
            for (const int attempt : attempts) {
                // An edit may have changed the space since then.
                if (std::optional<sweep::ParameterSet> parameters = parametersOf(files(number, attempt), m_spec)) {
                    plans[static_cast<std::size_t>(number - 1)] =
                        sweep::planPoint(m_spec, number, *std::move(parameters));
                    m_unknown.erase(number);
                }
                restoreBaseFolder(files(number, attempt));
            }
            if (const std::optional<int> parent = parentOf(files(number, attempts.front()));
                parent && *parent < number) {
                plans[static_cast<std::size_t>(number - 1)].seed = plans[static_cast<std::size_t>(*parent - 1)].seed;
                continued.push_back(number);
            }
        }
        if (static_cast<std::int64_t>(plans.size()) > planned && !sweep::isOpenEnded(m_spec))
            note("trials added by an edit are restored only if they had started");
        if (!continued.empty())
            note("these trials continue others, and how the search chose them is unknown: " + listOf(continued));
        if (!m_unknown.empty())
            note("trials whose parameters are unknown are stopped: " + listOf({m_unknown.begin(), m_unknown.end()}));
        if (m_record.baseFolder.empty()) {
            m_record.baseFolder = m_folder.path.string();
            note("the base folder of relative paths is unknown, because no trial had started");
        }
        return plans;
    }

    /// Sets the working directory without the part that the definition adds.
    void restoreBaseFolder(const AttemptLayout &attempt)
    {
        if (!m_record.baseFolder.empty())
            return;
        const Expected<launch::LaunchSpec> spec = launch::readLaunchSpec(attempt.launchFile());
        if (!spec)
            return;
        const std::filesystem::path added = std::filesystem::path(m_spec.run.workingFolder).lexically_normal();
        std::string base = spec->workingFolder;
        const std::string ending = added.empty() || added == "." ? std::string() : "/" + added.string();
        if (added.is_absolute() || !base.ends_with(ending))
            note("the base folder of relative paths is assumed to be the working folder " + base);
        else
            base.resize(base.size() - ending.size());
        while (base.size() > 1 && base.back() == '/')
            base.pop_back();
        m_record.baseFolder = base;
    }

    Expected<void> writeTrial(TrialRow &row)
    {
        const int number = row.record.number;
        const std::vector<int> &attempts = m_attempts[number];
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            FoundAttempt found = readAttempt(files(number, attempts[i]), number, attempts[i]);
            found.row.sweepId = m_record.id;
            if (!found.hasEnded && i + 1 < attempts.size()) {
                found.lostBy = changedAt(files(number, attempts[i + 1]).launchFile());
            } else if (!found.hasEnded && found.row.agent && found.isHere && !launch::readAgentLife(*found.row.agent)) {
                found.lostBy = changedAt(files(number, attempts[i]).eventsFile());
            }
            if (Expected<void> done = writeAttempt(row, found); !done)
                return done;
        }
        if (m_unknown.contains(number) && row.record.state == TrialState::Queued) {
            Decision decision;
            decision.trials.push_back({row, {}, {}});
            decision.trials.front().apply(TrialEvent::Stopped, facts::Code::Rescued);
            decision.trials.front().row.record.ended = m_record.created;
            if (Expected<void> done = m_store.commit(m_record, decision, m_record.created); !done)
                return done;
            row = decision.trials.front().row;
        }
        ++m_counts[row.record.state];
        m_ended = std::max(m_ended, row.record.ended.value_or(0));
        ++m_report.trials;
        return {};
    }

    Expected<void> writeAttempt(TrialRow &row, const FoundAttempt &found)
    {
        if (row.record.state != TrialState::Queued) {
            Decision again;
            again.trials.push_back({row, {}, {}});
            again.trials.front().apply(TrialEvent::Retried, facts::Code::Queued);
            again.trials.front().row.record.ended.reset();
            if (Expected<void> done = m_store.commit(m_record, again, found.row.created); !done)
                return done;
            row = again.trials.front().row;
        }
        TrialChange begun = beginAttempt(row, {found.row.number, found.devices, false, found.row.created});
        Expected<void> done = m_store.beginAttempt(begun, found.row);
        row = std::move(begun.row);
        if (done && found.row.agent)
            done = m_store.noteAgent(found.row);
        ++m_report.attempts;
        if (!done || !(found.hasEnded || found.lostBy))
            return done;  // it is running: an engine will take it over
        return endAttempt(row, found);
    }

    Expected<void> endAttempt(TrialRow &row, const FoundAttempt &found)
    {
        AttemptMonitor::Attempt attempt{files(found.row.trial, found.row.number),
                                        found.row.id,
                                        found.ranks,
                                        m_spec.objective,
                                        m_spec.goal,
                                        std::nullopt,
                                        found.row.agent,
                                        found.row.created};
        attempt.past = pastOf(row, found.row.number);
        // An attempt that ended on another machine has no process here either.
        AttemptMonitor monitor(attempt, std::make_unique<LocalAgent>(attempt.files, attempt.id, attempt.ranks));
        // Each poll reads a part of the feed and advances the time by a second: an unknown agent gets a few seconds to
        // appear.
        constexpr int polls = 1000;
        constexpr WallNs second = 1'000'000'000;
        const WallNs start = found.lostBy.value_or(wallNow());
        for (int i = 0; i < polls && !monitor.verdict(); ++i)
            monitor.poll(start + i * second);
        if (!monitor.verdict())
            return makeError(ErrorCode::Unavailable, "attempt " + std::to_string(found.row.number) + " of trial "
                                                         + std::to_string(found.row.trial) + " of sweep "
                                                         + m_record.folder + " is still ending; try again");
        const AttemptVerdict &verdict = *monitor.verdict();
        applyReports(row, monitor.objective(), !m_spec.probe);
        TrialChange started{row, {}, {}};
        if (found.ranksStarted)
            started.apply(TrialEvent::RanksStarted, {});
        row = std::move(started.row);
        const std::set<int> attempts{found.row.trial};
        // The next attempt's folder tells whether it was retried.
        TrialChange ended = engine::endAttempt({m_record, m_spec, m_trials, attempts}, RetryPolicy(),
                                               {found.row.trial, found.row.number, verdict}, verdict.time)
                                .change;
        ended.transitions.insert(ended.transitions.begin(), started.transitions.begin(), started.transitions.end());
        if (verdict.end == AttemptEnd::Stopped && m_spec.prune)
            m_maybePruned = true;
        Expected<void> done = m_store.endAttempt(ended, found.row, endingOf(verdict));
        row = std::move(ended.row);
        return done;
    }

    Expected<void> writeState()
    {
        const auto count = [this](TrialState state) {
            const auto found = m_counts.find(state);
            return found != m_counts.end() ? found->second : 0;
        };
        if (m_maybePruned)
            note("pruned trials are restored as stopped");
        if (count(TrialState::Starting) > 0)
            return {};  // it is running
        Decision decision = meanChanges({m_record, m_spec, m_trials, {}});
        for (const TrialChange &change : decision.trials)
            m_trials[static_cast<std::size_t>(change.row.record.number - 1)] = change.row;
        sweep::SweepRecord changed = m_record;
        if (count(TrialState::Queued) > 0) {
            changed.state = SweepState::Paused;
            const int waiting = count(TrialState::Queued);
            note(std::to_string(waiting)
                 + (waiting == 1 ? " trial without an attempt is" : " trials without an attempt are")
                 + " queued, and the sweep is paused; resume or stop it");
        } else if (m_record.trialsToCome != 0 && !isStoppedByItsRule()) {
            changed.state = SweepState::Paused;
            note("the search had not ended, so the sweep is paused; resume or stop it");
        } else {
            changed.state = sweep::endOf(m_counts);
            changed.ended = m_ended;
        }
        decision.sweep = SweepChange{changed, facts::Code::Rescued};
        return m_store.commit(m_record, decision, wallNow());
    }

    bool isStoppedByItsRule() const
    {
        std::vector<const sweep::TrialRecord *> records;
        for (const TrialRow &row : m_trials)
            records.push_back(&row.record);
        return sweep::appliedStopRule(m_spec, records).has_value();
    }

    Store &m_store;
    const WorkspaceLayout &m_workspace;
    const NumberedFolder &m_folder;
    RescueReport &m_report;
    sweep::SweepSpec m_spec;
    sweep::SweepRecord m_record;
    std::vector<TrialRow> m_trials;
    std::map<TrialState, int> m_counts;
    std::map<int, std::vector<int>> m_attempts;  ///< their numbers, by trial
    std::set<int> m_unknown;                     ///< trials whose parameters are in no file
    WallNs m_ended = 0;
    bool m_maybePruned = false;
};

/// Moves the database and its log out of the way. Refused if it is healthy.
Expected<void> moveDamaged(const std::filesystem::path &database)
{
    std::error_code error;
    if (std::filesystem::exists(database, error)) {
        const Expected<void> healthy = Database::openForReading(database).and_then(
            [](std::unique_ptr<Database> opened) { return opened->check(); });
        if (healthy)
            return makeError(ErrorCode::AlreadyExists,
                             "the database " + database.string() + " is intact; there is nothing to rescue");
        if (healthy.error().code != ErrorCode::Corrupt)
            return healthy;
    }
    // A log left behind would be taken for the new database's.
    for (const char *part : {"", "-wal", "-shm"}) {
        const std::string name = database.string() + part;
        if (std::filesystem::exists(name, error))
            std::filesystem::rename(name, database.string() + ".damaged" + part, error);
        if (error)
            return makeErrnoError("cannot rename " + name, error.value());
    }
    return {};
}

}  // namespace

Expected<RescueReport> rescueDatabase(const WorkspaceLayout &workspace)
{
    std::error_code error;
    if (!std::filesystem::is_directory(workspace.root / "sweeps", error))
        return makeError(ErrorCode::NotFound, "there are no sweeps in " + workspace.root.string());
    const Expected<EngineLock> lock = EngineLock::acquire(workspace.lockFile());
    if (!lock)
        return tl::unexpected<Error>(lock.error());
    if (Expected<void> moved = moveDamaged(workspace.database()); !moved)
        return tl::unexpected<Error>(moved.error());

    RescueReport report;
    const std::filesystem::path made = workspace.database().string() + ".rescue";
    std::filesystem::remove(made, error);
    Expected<void> done;
    {
        Expected<std::unique_ptr<Database>> database = Database::openForWriting(made);
        if (!database)
            return tl::unexpected<Error>(database.error());
        Store store(**database);
        for (const NumberedFolder &folder : numberedFolders(workspace.root / "sweeps")) {
            if (folder.ending.starts_with('-'))
                done = SweepRescue(store, workspace, folder, report).run();
            if (!done)
                break;
        }
        if (done)
            done = (*database)->copyTo(workspace.database());
    }
    for (const char *part : {"", "-wal", "-shm"})
        std::filesystem::remove(made.string() + part, error);
    if (!done)
        return tl::unexpected<Error>(done.error());
    if (report.sweeps > 0)
        report.notRecovered.push_back(
            "stars, tags, notes, priorities, archived states, earlier definitions, the reasons "
            "for choices of a search, pauses and the history of requests are lost, because no "
            "file contains them; durations include pauses");
    return report;
}

}  // namespace sweepscope::engine
