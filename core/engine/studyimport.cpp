#include "engine/studyimport.h"

#include "engine/decisions/attemptbegin.h"
#include "engine/folderremoval.h"
#include "engine/objectivetracker.h"
#include "engine/store.h"
#include "engine/storereader.h"
#include "engine/sweepinserter.h"
#include "engine/trialreports.h"
#include "feed/logwriter.h"
#include "sweep/objectiveorder.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Fact;
using facts::Field;
using importing::StudyCurves;
using importing::StudyState;
using importing::StudyTrial;
using sweep::TrialState;

/// What a trial of the study came to.
TrialEvent endOf(const StudyTrial &trial)
{
    if (trial.state == StudyState::Pruned)
        return TrialEvent::Pruned;
    // Optuna has one state for these.
    if (trial.exportedState == sweep::toString(TrialState::Stopped))
        return TrialEvent::Stopped;
    if (trial.exportedState == sweep::toString(TrialState::Lost))
        return TrialEvent::Lost;
    if (trial.state == StudyState::Complete || trial.exportedState == sweep::toString(TrialState::Completed))
        return TrialEvent::Completed;
    return TrialEvent::Failed;
}

AttemptEnd outcomeOf(TrialEvent event)
{
    switch (event) {
    case TrialEvent::Completed:
        return AttemptEnd::Completed;
    case TrialEvent::Failed:
        return AttemptEnd::Failed;
    case TrialEvent::Lost:
        return AttemptEnd::Lost;
    default:
        return AttemptEnd::Stopped;
    }
}

Fact reasonOf(const StudyTrial &trial, TrialEvent event, const std::string &failure)
{
    if (event == TrialEvent::Failed || event == TrialEvent::Lost)
        return Fact(facts::Code::OtherFailure).with(Field::Detail, failure);
    if (event == TrialEvent::Stopped)
        return facts::Code::StoppedOnRequest;
    if (event != TrialEvent::Pruned)
        return facts::Code::None;
    const std::int64_t step = trial.intermediate.empty() ? 0 : trial.intermediate.rbegin()->first;
    return Fact(facts::Code::PrunedByCommand).with(Field::Step, step).with(Field::Detail, std::string("Optuna"));
}

/// Objective, metrics and steps.
void setResults(TrialRow &row, const StudyTrial &trial, const importing::Study &study)
{
    sweep::TrialRecord &record = row.record;
    const sweep::Goal goal = study.objectives.front().goal;
    const auto isBetter = [goal](double value, double than) {
        return goal == sweep::Goal::Minimize ? value < than : value > than;
    };
    for (const auto &[step, value] : trial.intermediate) {
        record.objectiveLast = sweep::ObjectiveValue{value, step};
        if (!std::isnan(value)
            && (!record.objectiveBest || std::isnan(record.objectiveBest->value)
                || isBetter(value, record.objectiveBest->value)))
            record.objectiveBest = record.objectiveLast;
    }
    if (!trial.intermediate.empty()) {
        record.firstAttempt = 1;
        record.step = trial.intermediate.rbegin()->first;
        row.firstStep = trial.intermediate.begin()->first;
        row.objectiveReached = record.step;
    }
    record.metrics = trial.metrics;
    if (trial.values.empty())
        return;
    // The value of a pruned trial is its last one; that of others is what it is ranked by.
    const double value = trial.values.front();
    if (!record.objectiveLast)
        record.objectiveLast = sweep::ObjectiveValue{value, 0};
    if (trial.state != StudyState::Pruned && (!record.objectiveBest || record.objectiveBest->value != value))
        record.objectiveBest = sweep::ObjectiveValue{value, record.objectiveLast->step};
    if (!record.objectiveBest)
        record.objectiveBest = record.objectiveLast;
    for (std::size_t i = 1; i < trial.values.size() && i < study.objectives.size(); ++i) {
        const std::string &name = study.objectives[i].name;
        std::erase_if(record.metrics, [&name](const sweep::MetricValue &metric) { return metric.name == name; });
        record.metrics.push_back(
            {.name = name, .last = trial.values[i], .lowest = trial.values[i], .highest = trial.values[i]});
    }
}

/// Optuna has no times of values: they are spread evenly over the trial.
StudyCurves objectiveCurve(const StudyTrial &trial, const std::string &objective, WallNs started, WallNs ended)
{
    StudyCurves curves;
    const auto count = static_cast<WallNs>(trial.intermediate.size());
    WallNs number = 0;
    for (const auto &[step, value] : trial.intermediate)
        curves[objective].push_back({step, started + (ended - started) / count * ++number, value});
    return curves;
}

/// Writes a feed in the order of time, as a rank would have, and hands each record to `tracker`.
Expected<void> writeCurves(const AttemptLayout &files, const std::string &attempt, const StudyCurves &curves,
                           WallNs started, ObjectiveTracker &tracker)
{
    constexpr std::size_t pointsAtOnce = 10'000;
    if (curves.empty())
        return {};
    std::error_code error;
    std::filesystem::create_directories(files.folder, error);
    if (error)
        return makeErrnoError("cannot create the folder " + files.folder.string(), error.value());
    auto writer = feed::LogWriter::open(files.rankFeed(0), {0, 1, started, attempt});
    if (!writer)
        return tl::unexpected(writer.error());
    std::vector<feed::Point> points;
    for (const auto &[name, curve] : curves) {
        const std::uint16_t series = writer->declare(name);
        if (series == feed::noSeries)
            break;
        tracker.series({series, name, {}});
        for (const importing::StudyPoint &point : curve)
            points.push_back({series, point.step, point.time > 0 ? point.time : started, point.value});
    }
    std::ranges::stable_sort(points, {}, &feed::Point::timeNs);
    for (std::size_t i = 0; i < points.size(); ++i) {
        writer->write(points[i].series, points[i].step, points[i].timeNs, points[i].value);
        tracker.point(points[i]);
        if (i % pointsAtOnce == 0) {
            if (Expected<void> flushed = writer->flush(); !flushed)
                return flushed;
        }
    }
    return writer->flush();
}

class StudyImport {
public:
    StudyImport(Store &store, const WorkspaceLayout &workspace, importing::Study study)
        : m_store(store), m_workspace(workspace), m_study(std::move(study))
    {
        m_report.unfinished = static_cast<int>(std::erase_if(m_study.trials, [](const StudyTrial &trial) {
            return trial.state == StudyState::Running || trial.state == StudyState::Waiting;
        }));
    }

    Expected<StudyReport> run(const std::filesystem::path &baseFolder)
    {
        if (m_study.trials.empty())
            return makeError(ErrorCode::BadInput, "the study " + m_study.name + " has no finished trial");
        if (m_study.trials.size() > sweep::maxTrials)
            return makeError(ErrorCode::BadInput, "the study " + m_study.name + " has too many trials");
        importing::ImportedSweep imported = importing::sweepOf(m_study);
        const std::string toml = importing::sweepFileOf(imported);
        if (!imported.problems.empty())
            return makeError(ErrorCode::BadInput, "the study " + m_study.name + " cannot be a sweep: "
                                                      + sweep::describe(imported.problems.front(), {}));
        fillRecord(imported.spec, toml, baseFolder);
        std::vector<sweep::TrialPlan> plans;
        for (std::size_t i = 0; i < m_study.trials.size(); ++i) {
            plans.push_back(sweep::planPoint(imported.spec, static_cast<int>(i) + 1, m_study.trials[i].parameters));
            plans.back().seed = m_study.trials[i].seed.value_or(plans.back().seed);
        }
        Expected<std::vector<TrialRow>> rows = m_store.insertSweep(
            m_record, plans,
            [this](const sweep::SweepRecord &made) { return createSweepFolder(m_workspace, made, {}); },
            highestSweepNumber(m_workspace));
        if (!rows)
            return tl::unexpected(rows.error());
        for (std::size_t i = 0; i < rows->size(); ++i) {
            if (Expected<void> done = writeTrial((*rows)[i], m_study.trials[i]); !done)
                return tl::unexpected(done.error());
        }
        return finish();
    }

private:
    /// The sweep has ended from the beginning, so that an engine never starts its trials.
    void fillRecord(const sweep::SweepSpec &spec, const std::string &toml, const std::filesystem::path &baseFolder)
    {
        m_record.name = spec.name;
        m_record.objective = spec.objective;
        m_record.goal = spec.goal;
        for (const sweep::Dimension &dimension : spec.space)
            m_record.parameterNames.push_back(dimension.name);
        m_record.toml = toml;
        m_record.baseFolder = baseFolder.string();
        m_record.state = sweep::SweepState::Completed;
        m_record.created = wallNow();
        for (const StudyTrial &trial : m_study.trials) {
            if (trial.started)
                m_record.created = std::min(m_record.created, *trial.started);
        }
        m_ended = m_record.created;
    }

    Expected<void> writeTrial(const TrialRow &row, const StudyTrial &trial)
    {
        const WallNs started = trial.started.value_or(m_record.created);
        const WallNs ended = std::max(started, trial.completed.value_or(started));
        const int number = row.record.number;
        const AttemptLayout files = m_workspace.attempt(m_record.folder, number, 1);
        AttemptRow attempt;
        attempt.sweepId = m_record.id;
        attempt.trial = number;
        attempt.id = "imported-" + files.folder.string();
        attempt.created = started;
        attempt.devices = 0;  // unknown
        ObjectiveTracker tracker(m_record.objective, m_record.goal);
        const StudyCurves curves = m_study.curvesOf ? m_study.curvesOf(static_cast<std::size_t>(number - 1))
                                                    : objectiveCurve(trial, m_record.objective, started, ended);
        if (Expected<void> written = writeCurves(files, attempt.id, curves, started, tracker); !written)
            return written;
        const TrialChange begun = beginAttempt(row, {1, {}, false, started});
        if (Expected<void> done = m_store.beginAttempt(begun, attempt); !done)
            return done;
        const TrialEvent event = endOf(trial);
        const Fact reason = reasonOf(trial, event, m_study.failure);
        TrialChange change{begun.row, {}, {}};
        change.apply(TrialEvent::RanksStarted, facts::Code::None);
        if (m_study.curvesOf)
            applyReports(change.row, tracker, true);
        else
            setResults(change.row, trial, m_study);
        change.row.record.mark = trial.mark;
        change.row.record.attemptEnded = ended;
        change.row.record.ended = ended;
        change.apply(event, reason);
        ++m_report.trials[change.row.record.state];
        m_ended = std::max(m_ended, ended);
        return m_store.endAttempt(change, attempt, {toString(outcomeOf(event)), {}, reason, ended});
    }

    Expected<StudyReport> finish()
    {
        sweep::SweepRecord changed = m_record;
        changed.state = sweep::endOf(m_report.trials);
        changed.ended = m_ended;
        Decision decision;
        decision.sweep = SweepChange{changed, facts::Code::None};
        if (Expected<void> done = m_store.commit(m_record, decision, m_ended); !done)
            return tl::unexpected(done.error());
        return m_report;
    }

    Store &m_store;
    const WorkspaceLayout &m_workspace;
    importing::Study m_study;
    sweep::SweepRecord m_record;
    StudyReport m_report;
    WallNs m_ended = 0;
};

}  // namespace

namespace {

constexpr std::string_view importPrefix = "import-";

}  // namespace

std::string newImportName()
{
    return std::string(importPrefix) + std::to_string(std::random_device()());
}

bool isImportName(const std::string &untrusted)
{
    return untrusted.starts_with(importPrefix) && untrusted.size() > importPrefix.size()
           && untrusted.find_first_not_of("0123456789", importPrefix.size()) == std::string::npos;
}

std::filesystem::path importFolder(const WorkspaceLayout &workspace, const std::string &name)
{
    return removedFolder(workspace.root / "sweeps", name);
}

Expected<StudyReport> importStudy(const WorkspaceLayout &workspace, importing::Study study,
                                  const std::filesystem::path &baseFolder)
{
    std::error_code error;
    std::filesystem::create_directories(workspace.root, error);
    if (error)
        return makeErrnoError("cannot create the folder " + workspace.root.string(), error.value());
    Expected<std::unique_ptr<Database>> database = Database::openForWriting(workspace.database());
    if (!database)
        return tl::unexpected(database.error());
    Store store(**database);
    return StudyImport(store, workspace, std::move(study)).run(baseFolder);
}

Expected<void> prepareImport(PreparedSweep &prepared)
{
    const WorkspaceLayout workspace{prepared.folder};
    const Expected<std::unique_ptr<Database>> database = Database::openForReading(workspace.database());
    if (!database)
        return tl::unexpected(database.error());
    StoreReader reader(**database);
    const Expected<std::vector<sweep::SweepRecord>> sweeps = reader.sweeps();
    if (!sweeps)
        return tl::unexpected(sweeps.error());
    if (sweeps->size() != 1 || !sweeps->front().ended)
        return makeError(ErrorCode::BadInput, "the import was interrupted; repeat it");
    const sweep::SweepRecord &sweep = sweeps->front();
    Expected<std::vector<TrialRow>> rows = reader.trials(sweep.id, 1, std::numeric_limits<int>::max());
    if (!rows)
        return tl::unexpected(rows.error());
    for (TrialRow &row : *rows) {
        const sweep::TrialRecord &trial = row.record;
        const int number = trial.number;
        prepared.plans.push_back({number, trial.parameters, trial.seed, trial.ranks});
        prepared.trials.push_back({std::move(row), sweep.id, number});
    }
    prepared.record = sweep;
    prepared.record.id = 0;
    prepared.record.folder.clear();
    prepared.files = workspace.sweepFolder(sweep.folder);
    prepared.database = workspace.database();
    prepared.schema = prepared.folder.filename().string();
    std::erase_if(prepared.schema, [](char c) { return c == '.' || c == '-'; });
    return {};
}

}  // namespace sweepscope::engine
