#include "exporting/tensorboard.h"

#include "exporting/eventfile.h"
#include "exporting/feedcurves.h"
#include "exporting/outputfile.h"
#include "exporting/pointthinner.h"
#include "exporting/trialfeeds.h"
#include "sweep/sweepfile.h"
#include "sweep/trialchain.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <system_error>

namespace sweepscope::exporting {

namespace {

/// "trial-0007"
std::string runName(const sweep::TrialRecord &trial)
{
    char text[32];
    std::snprintf(text, sizeof text, "trial-%04d", trial.number);
    return text;
}

WallNs startOf(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    return trial.started.value_or(sweep.created);
}

/// TensorBoard finds files by "tfevents" and reads those of a folder in the order of their names.
std::string fileName(WallNs start, const std::string &suffix)
{
    return "events.out.tfevents." + std::to_string(start / 1'000'000'000) + ".sweepscope." + suffix;
}

std::filesystem::path runFolder(const std::filesystem::path &folder, const RankFeed &feed)
{
    std::filesystem::path run = folder / runName(*feed.record);
    if (!sweep::chainOf(*feed.record).contains(feed.place.attempt))
        run /= "attempt-" + std::to_string(feed.place.attempt);
    if (feed.place.rank > 0)
        run /= "rank-" + std::to_string(feed.place.rank);
    return run;
}

Expected<OutputFile> createEventFile(const std::filesystem::path &folder, const std::string &name, WallNs start)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return makeError(ErrorCode::BadInput, "cannot create the folder " + folder.string() + ": " + error.message());
    auto file = OutputFile::create(folder / name);
    if (file)
        file->stream() << recordOf(versionEvent(start));
    return file;
}

/// Runs of another sweep, or of an earlier export, would have the same names.
Expected<void> checkEmpty(const std::filesystem::path &folder)
{
    std::error_code error;
    const auto status = std::filesystem::status(folder, error);
    if (std::filesystem::is_directory(status) && !std::filesystem::is_empty(folder, error) && !error)
        return makeError(ErrorCode::BadInput,
                         "cannot export to " + folder.string() + ": the folder is not empty; name a new folder");
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
        return makeError(ErrorCode::BadInput,
                         "cannot export to " + folder.string() + ": it is not a folder; name a new folder");
    return {};
}

std::vector<HyperParameter> hyperParametersOf(const sweep::SweepRecord &sweep,
                                              const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<HyperParameter> parameters;
    for (const std::string &name : sweep.parameterNames) {
        std::optional<HyperParameter> parameter;
        bool isMissing = false;
        for (const sweep::TrialRecord &trial : trials) {
            const sweep::ParameterValue *value = sweep::find(trial.parameters, name);
            isMissing = isMissing || value == nullptr;
            if (value != nullptr && !parameter)
                parameter = {name, *value, false};
            else if (value != nullptr && *value != parameter->example)
                parameter->differs = true;
        }
        if (!parameter)
            continue;
        parameter->differs = parameter->differs || isMissing;
        parameters.push_back(*parameter);
    }
    return parameters;
}

Expected<void> writeExperiment(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                               const std::filesystem::path &folder)
{
    auto file = createEventFile(folder, fileName(sweep.created, "experiment"), sweep.created);
    if (!file)
        return tl::unexpected(file.error());
    std::vector<std::string> metrics{sweep.objective};
    for (const sweep::Objective &objective : sweep::parseSweep(sweep.toml).spec.objectives)
        metrics.push_back(objective.name);
    file->stream() << recordOf(experimentEvent(hyperParametersOf(sweep, trials), metrics, sweep.created));
    return file->commit(Survives::Kill);
}

SessionStatus statusOf(sweep::TrialState state)
{
    if (!sweep::isFinal(state))
        return SessionStatus::Running;
    const bool hasResult = state == sweep::TrialState::Completed || state == sweep::TrialState::Pruned;
    return hasResult ? SessionStatus::Success : SessionStatus::Failure;
}

Expected<void> writeSession(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                            const std::filesystem::path &folder)
{
    const WallNs start = startOf(sweep, trial);
    auto file = createEventFile(folder / runName(trial), fileName(start, "session"), start);
    if (!file)
        return tl::unexpected(file.error());
    file->stream() << recordOf(sessionStartEvent(trial.parameters, runName(trial), start));
    file->stream() << recordOf(sessionEndEvent(statusOf(trial.state), trial.ended));
    return file->commit(Survives::Kill);
}

/// Reduces each of the curves that a feed hands out one after another.
class CurvesWriter {
public:
    CurvesWriter(std::ostream &out, std::uint64_t mostPoints) : m_out(out), m_mostPoints(mostPoints) {}

    void add(const FeedCurves::Curve &curve, const feed::Point &point)
    {
        if (curve.name != m_name || !m_thinner) {
            end();
            m_name = curve.name;
            m_thinner.emplace(curve.points, m_mostPoints, [this](const feed::Point &kept) {
                m_out << recordOf(scalarEvent(m_name, kept.step, kept.timeNs, kept.value));
            });
        }
        m_thinner->add(point);
    }

    void end()
    {
        if (m_thinner)
            m_thinner->end();
    }

private:
    std::ostream &m_out;
    std::uint64_t m_mostPoints;
    std::string m_name;
    std::optional<PointThinner> m_thinner;
};

}  // namespace

Expected<void> exportTensorBoard(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &folder,
                                 const Progress &progress, const TensorBoardChoice &choice)
{
    const std::vector<RankFeed> feeds =
        rankFeeds(workspace, sweep, trials, choice.allRanks ? std::set<int>{} : std::set<int>{0});
    if (choice.mostPoints == 0) {
        if (auto whole = checkCopies(feeds); !whole)
            return whole;
    }
    if (auto empty = checkEmpty(folder); !empty)
        return empty;
    if (auto written = writeExperiment(sweep, trials, folder); !written)
        return written;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.attempts == 0)
            continue;
        if (auto written = writeSession(sweep, trial, folder); !written)
            return written;
    }
    std::string damage;
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        const RankFeed &feed = feeds[i];
        const auto report = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(feeds.size()));
        };
        const auto canceled = makeError(ErrorCode::Unavailable,
                                        "the export was canceled; " + folder.string() + " has only some of the curves");
        FeedCurves curves(feed.layout.rankFeed(feed.place.rank), feed.layout.rankRing(feed.place.rank));
        if (!report(0) || !curves.scan([&](double share) { return report(share / 4); }))
            return canceled;
        addDamage(damage, damageOf(curves, feed));
        if (std::ranges::all_of(curves.curves(), [](const auto &curve) { return curve.points == 0; }))
            continue;
        const WallNs start = startOf(sweep, *feed.record);
        auto file = createEventFile(runFolder(folder, feed),
                                    fileName(start, "attempt-" + std::to_string(feed.place.attempt)), start);
        if (!file)
            return tl::unexpected(file.error());
        CurvesWriter writer(file->stream(), choice.mostPoints);
        const auto add = [&writer](const FeedCurves::Curve &curve, const feed::Point &point) {
            writer.add(curve, point);
        };
        if (!curves.read(add, [&](double share) { return report(0.25 + share * 3 / 4); }))
            return canceled;
        writer.end();
        if (auto committed = file->commit(Survives::Kill); !committed)
            return committed;
    }
    if (auto synced = syncFiles(folder); !synced)
        return synced;
    return completed(folder, damage, progress);
}

}  // namespace sweepscope::exporting
