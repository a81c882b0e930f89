#include "engine/engine.h"

#include "base/files.h"
#include "engine/devicelist.h"
#include "engine/sweepadmission.h"
#include "engine/trialhistory.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>
#include <sys/stat.h>
#include <utility>

/// What clients ask of the engine: to see, to launch, to control and to edit sweeps.
namespace sweepscope::engine {

namespace {

constexpr std::chrono::milliseconds untilTold(500);  ///< an answer is with who asked

facts::Fact refusal(const Error &error, std::int64_t sweepId)
{
    if (error.code == ErrorCode::NotFound)
        return facts::Fact(facts::Code::NoSuchSweep).with(facts::Field::Number, sweepId);
    return facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, error.message);
}

/// Of the sweeps whose folders are there, those that are being removed included; a database that was put back, or begun
/// anew, may not know them.
std::int64_t highestNumberIn(const std::filesystem::path &sweepsFolder)
{
    std::int64_t highest = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(sweepsFolder, error)) {
        const std::string name = entry.path().filename().string();
        const std::size_t begin = std::min(name.find_first_of("0123456789"), name.size());
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
        constexpr std::int64_t most = 1'000'000'000;  // what is larger is nobody's sweep
        if (problem == std::errc() && end != name.data() + name.size() && *end == '-' && number < most)
            highest = std::max(highest, number);
    }
    return highest;
}

}  // namespace

std::vector<std::int64_t> Engine::sweepIds() const
{
    std::vector<std::int64_t> ids;
    for (const auto &[id, record] : m_sweeps)
        ids.push_back(id);
    return ids;
}

const sweep::SweepRecord *Engine::sweep(std::int64_t id) const
{
    const auto found = m_sweeps.find(id);
    return found != m_sweeps.end() ? &found->second : nullptr;
}

Expected<std::vector<sweep::TrialRecord>> Engine::trials(std::int64_t sweepId, int first, int last)
{
    std::vector<sweep::TrialRecord> records;
    if (const auto run = m_runs.find(sweepId); run != m_runs.end()) {
        const std::vector<TrialRow> &rows = run->second->trials();
        for (int number = std::max(1, first); number <= std::min(last, static_cast<int>(rows.size())); ++number)
            records.push_back(rows[static_cast<std::size_t>(number - 1)].record);
        return records;
    }
    Expected<std::vector<TrialRow>> rows = m_reader.trials(sweepId, first, last);
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    for (TrialRow &row : *rows)
        records.push_back(std::move(row.record));
    return records;
}

tl::expected<std::int64_t, std::vector<sweep::Problem>> Engine::launch(const std::string &toml,
                                                                       const std::string &baseFolder)
{
    using Problems = std::vector<sweep::Problem>;
    if (!lookAtWorkspace() && !isWorkspaceDeleted())
        return tl::unexpected<Problems>(Problems{{"", wording::clause(m_workspaceWarning)}});
    if (isWorkspaceDeleted()) {
        QTimer::singleShot(untilTold, this, &Engine::watchWorkspace);
        return tl::unexpected<Problems>(
            Problems{{"", "the workspace was deleted, and its engine is ending: try again"}});
    }
    auto admitted =
        admitSweep(toml, baseFolder, capacityOf(m_scheduler.allocator().devices()), m_settings.programs, wallNow());
    if (!admitted)
        return tl::unexpected<Problems>(std::move(admitted.error()));
    sweep::SweepRecord &record = admitted->record;
    const auto saveFile = [this](const sweep::SweepRecord &made) -> Expected<void> {
        const std::filesystem::path folder = m_workspace.sweepFolder(made.folder);
        std::error_code error;
        std::filesystem::create_directory(folder.parent_path(), error);
        // One that is there holds another sweep's results.
        if (::mkdir(folder.c_str(), 0777) != 0)
            return makeErrnoError("cannot make the folder " + folder.string(), errno);
        return writeFileAtomically(folder / "sweep.toml", made.toml);
    };
    Expected<std::vector<TrialRow>> trials =
        m_store.insertSweep(record, admitted->plans, saveFile, highestNumberIn(m_workspace.root / "sweeps"));
    if (!trials)
        return tl::unexpected<Problems>(Problems{{"", trials.error().message}});
    m_sweeps.emplace(record.id, record);
    addRun(record, std::move(admitted->spec), std::move(*trials), {});
    sweepChanged(record.id);
    trialsChanged(record.id, 1, record.trialsTotal);
    watchIdleness();
    return record.id;
}

Expected<SweepRun *> Engine::runOf(std::int64_t sweepId)
{
    const sweep::SweepRecord *known = sweep(sweepId);
    if (known == nullptr)
        return makeError(ErrorCode::NotFound, "there is no sweep " + std::to_string(sweepId));
    if (const auto found = m_runs.find(sweepId); found != m_runs.end())
        return found->second.get();
    return loadRun(*known);
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
    const Expected<SweepRun *> run = runOf(sweepId);
    if (!run)
        return tl::unexpected<facts::Fact>(refusal(run.error(), sweepId));
    note("sweep " + (*run)->record().folder + ": a client asks: " + sweep::toString(control.action)
         + (control.trials.empty() ? "" : " (" + std::to_string(control.trials.size()) + " of its trials)"));
    Reply answer = (*run)->control(control, wallNow());
    watchIdleness();
    return answer;
}

tl::expected<facts::Facts, std::vector<sweep::Problem>> Engine::edit(const protocol::EditRequest &request)
{
    using Problems = std::vector<sweep::Problem>;
    const auto refuse = [](Problems problems) { return tl::unexpected<Problems>(std::move(problems)); };
    const Expected<SweepRun *> run = runOf(request.sweepId);
    if (!run)
        return refuse({{"", run.error().message}});
    std::string toml = request.toml.toStdString();
    if (request.undo) {
        Expected<std::string> before = m_reader.definitionBeforeEdit(request.sweepId);
        if (!before || before->empty())
            return refuse({{"", before ? "the sweep has no edit that could be undone" : before.error().message}});
        toml = std::move(*before);
    }
    sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    if (parsed.problems.empty())
        parsed.problems = machineProblems(parsed.spec, capacityOf(m_scheduler.allocator().devices()),
                                          m_settings.programs.worker, (*run)->record().baseFolder);
    if (!parsed.problems.empty())
        return refuse(std::move(parsed.problems));
    note("sweep " + (*run)->record().folder + ": a client asks: " + (request.undo ? "undo an edit" : "edit"));
    auto answer = (*run)->redefine({std::move(toml), std::move(parsed.spec),
                                    request.undo ? sweep::EditKind::Undo : sweep::EditKind::Edit, request.dryRun},
                                   wallNow());
    watchIdleness();
    return answer;
}

Reply Engine::enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point)
{
    const Expected<SweepRun *> run = runOf(sweepId);
    if (!run)
        return tl::unexpected<facts::Fact>(refusal(run.error(), sweepId));
    note("sweep " + (*run)->record().folder + ": a client asks: one more trial");
    Reply answer = (*run)->enqueue(point, wallNow());
    watchIdleness();
    return answer;
}

}  // namespace sweepscope::engine
