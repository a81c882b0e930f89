#include "engine/sweepjoin.h"

#include "base/files.h"
#include "base/printable.h"
#include "engine/objectivechange.h"
#include "engine/sourcelog.h"
#include "engine/storereader.h"
#include "launch/energyfile.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace sweepscope::engine {

namespace {

namespace fs = std::filesystem;
using sweep::SweepRecord;
using sweep::TrialRecord;

/// A sweep that is joined, as it is stored.
struct StoredPart {
    const SweepRecord &sweep;
    std::vector<TrialRow> rows;
    std::vector<TrialRecord> records;
};

/// Links files and copies those that cannot be linked. What is no file or folder is left out, as are checkpoints.
Expected<void> linkFiles(const fs::path &from, const fs::path &to)
{
    std::error_code error;
    fs::directory_iterator entry(from, error);
    if (error == std::errc::no_such_file_or_directory)
        return {};  // an attempt that has written nothing
    if (error)
        return makeErrnoError("cannot read " + from.string(), error.value());
    fs::create_directories(to, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path target = to / entry->path().filename();
        const fs::file_status status = entry->symlink_status(error);
        if (!error && status.type() == fs::file_type::directory
            && entry->path().filename() != AttemptLayout{}.checkpointFolder().filename()) {
            if (Expected<void> linked = linkFiles(entry->path(), target); !linked)
                return linked;
        } else if (!error && status.type() == fs::file_type::regular) {
            fs::create_hard_link(entry->path(), target, error);
            if (error && error != std::errc::file_exists && error != std::errc::no_such_file_or_directory)
                fs::copy_file(entry->path(), target, error);
        }
        if (error == std::errc::file_exists || error == std::errc::no_such_file_or_directory)
            error.clear();  // the same environment, or a file that is gone
    }
    if (error)
        return makeErrnoError("cannot link the files of " + from.string(), error.value());
    return {};
}

/// The new places are those of a sweep in `folder`.
Expected<void> linkTrials(const WorkspaceLayout &workspace, const std::vector<StoredPart> &parts,
                          const std::vector<importing::JoinedTrial> &trials, const fs::path &folder)
{
    std::vector<launch::SweepEnergy> energies;
    std::vector<fs::path> sources;
    for (const StoredPart &part : parts) {
        const fs::path source = workspace.sweepFolder(part.sweep.folder);
        sources.push_back(workspace.sourceLog(part.sweep.folder));
        energies.push_back(launch::readEnergy(launch::energyFile(source)));
        if (Expected<void> linked = linkFiles(source / "environments", folder / "environments"); !linked)
            return linked;
    }
    std::string energy;
    for (const importing::JoinedTrial &trial : trials) {
        const std::string &source = parts[trial.part].sweep.folder;
        const int number = trial.record.number;
        for (int attempt = 1; attempt <= trial.record.attempts; ++attempt) {
            const fs::path from = workspace.attempt(source, trial.numberBefore, attempt).folder;
            // Within the folder of any sweep.
            const fs::path place =
                workspace.attempt(source, number, attempt).folder.lexically_relative(workspace.sweepFolder(source));
            if (Expected<void> linked = linkFiles(from, folder / place); !linked)
                return linked;
            if (const auto used = energies[trial.part].ofAttempt(trial.numberBefore, attempt))
                energy += launch::toJson({number, attempt, *used});
        }
    }
    const std::string code = mergedSources(sources);
    return (code.empty() ? Expected<void>() : writeFileAtomically(folder / sources.front().filename(), code))
        .and_then([&] {
            return energy.empty() ? Expected<void>() : writeFileAtomically(launch::energyFile(folder), energy);
        });
}

Expected<std::vector<StoredPart>> readParts(const WorkspaceLayout &workspace, const std::vector<SweepRecord> &sweeps)
{
    const Expected<std::unique_ptr<Database>> database = Database::openForReading(workspace.database());
    if (!database)
        return tl::unexpected(database.error());
    StoreReader reader(**database);
    std::vector<StoredPart> parts;
    for (const SweepRecord &sweep : sweeps) {
        Expected<std::vector<TrialRow>> rows = reader.trials(sweep.id, 1, std::numeric_limits<int>::max());
        if (!rows)
            return tl::unexpected(rows.error());
        std::vector<TrialRecord> records;
        for (const TrialRow &row : *rows)
            records.push_back(row.record);
        parts.push_back({sweep, *std::move(rows), std::move(records)});
    }
    return parts;
}

/// The rows of a sweep whose trials are judged by another objective from now on.
void judgeAnew(const WorkspaceLayout &workspace, StoredPart &part, const sweep::SweepSpec &joined)
{
    const sweep::SweepSpec before = sweep::parseSweep(part.sweep.toml).spec;
    if (before.objective == joined.objective && before.goal == joined.goal)
        return;
    sweep::SweepSpec after = before;
    after.objective = joined.objective;
    after.goal = joined.goal;
    const std::map<int, TrialReports> reports = readReports(workspace, part.sweep.folder, after, part.records);
    for (TrialRow &row : part.rows) {
        const auto found = reports.find(row.record.number);
        changeObjective(row, before, after, found == reports.end() ? nullptr : &found->second);
    }
}

/// Without the times in which none of the sweeps was active.
void setTimes(SweepRecord &record, const std::vector<StoredPart> &parts)
{
    std::vector<std::pair<WallNs, WallNs>> spans;
    for (const StoredPart &part : parts) {
        WallNs last = part.sweep.created;
        for (const TrialRecord &trial : part.records)
            last = std::max(last, trial.ended.value_or(0));
        spans.emplace_back(part.sweep.created, part.sweep.ended.value_or(last));
        record.rested += part.sweep.rested;
    }
    std::ranges::sort(spans);
    record.created = spans.front().first;
    WallNs end = spans.front().second;
    for (const auto &[begun, ended] : spans) {
        record.rested += std::max<WallNs>(0, begun - end);
        end = std::max(end, ended);
    }
    record.ended = end;
    record.rested = std::min(record.rested, end - record.created);
}

Expected<void> fillJoin(const WorkspaceLayout &workspace, const std::vector<SweepRecord> &sweeps,
                        const importing::JoinChoice &choice, PreparedSweep &join)
{
    Expected<std::vector<StoredPart>> parts = readParts(workspace, sweeps);
    if (!parts)
        return tl::unexpected(parts.error());
    std::vector<importing::JoinedPart> views;
    for (const StoredPart &part : *parts)
        views.push_back({part.sweep, part.records});
    Expected<importing::JoinedSweep> joined = importing::joinSweeps(views, choice);
    if (!joined)
        return tl::unexpected(joined.error());
    join.record.toml = importing::sweepFileOf(joined->imported);
    const sweep::SweepSpec &spec = joined->imported.spec;
    if (!joined->imported.problems.empty())
        return makeError(ErrorCode::BadInput,
                         "these sweeps cannot be joined: " + sweep::describe(joined->imported.problems.front(), {}));
    join.record.name = spec.name;
    join.record.objective = spec.objective;
    join.record.goal = spec.goal;
    for (const sweep::Dimension &dimension : spec.space)
        join.record.parameterNames.push_back(dimension.name);
    join.record.baseFolder = sweeps.front().baseFolder;
    join.record.mark.note = cutBetweenCharacters(joined->note, sweep::maxNoteBytes);
    setTimes(join.record, *parts);

    for (StoredPart &part : *parts)
        judgeAnew(workspace, part, spec);
    std::map<sweep::TrialState, int> states;
    for (importing::JoinedTrial &trial : joined->trials) {
        const std::vector<TrialRow> &rows = (*parts)[trial.part].rows;
        TrialRow row = *std::ranges::lower_bound(rows, trial.numberBefore, {},
                                                 [](const TrialRow &each) { return each.record.number; });
        TrialRecord &record = row.record;
        trial.record.objectiveLast = record.objectiveLast;
        trial.record.objectiveBest = record.objectiveBest;
        trial.record.metrics = record.metrics;
        trial.record.reason = record.reason;
        record = trial.record;
        sweep::TrialPlan plan = sweep::planPoint(spec, record.number, record.parameters);
        plan.seed = record.seed;
        plan.ranks = record.ranks;
        join.plans.push_back(std::move(plan));
        ++states[record.state];
        join.trials.push_back({std::move(row), (*parts)[trial.part].sweep.id, trial.numberBefore});
    }
    join.record.state = sweep::endOf(states);
    std::error_code error;
    fs::create_directory(join.folder, error);
    if (error)
        return makeErrnoError("cannot create the folder " + join.folder.string(), error.value());
    join.files = join.folder;
    return linkTrials(workspace, *parts, joined->trials, join.files);
}

}  // namespace

Expected<void> prepareJoin(const WorkspaceLayout &workspace, const std::vector<SweepRecord> &sweeps,
                           const importing::JoinChoice &choice, PreparedSweep &join)
{
    Expected<void> done = fillJoin(workspace, sweeps, choice, join);
    std::error_code error;
    if (!done)
        fs::remove_all(join.folder, error);
    return done;
}

}  // namespace sweepscope::engine
