#include "engine/objectivechange.h"

#include "base/log.h"
#include "engine/objectivetracker.h"
#include "feed/feedreader.h"
#include "launch/printedoutput.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::engine {

namespace {

/// Returns false if the feed is missing, cannot be read, or was damaged.
bool readFeed(const AttemptLayout &files, ObjectiveTracker &tracker)
{
    std::error_code error;
    if (!std::filesystem::exists(files.rankFeed(0), error))
        return false;
    feed::FeedReader reader(files.rankFeed(0), files.rankRing(0));
    while (true) {
        const Expected<std::uint64_t> records = reader.poll(tracker);
        if (!records || reader.damage())
            return false;
        if (*records == 0)
            return true;
    }
}

std::optional<TrialReports> readChain(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                      const sweep::SweepSpec &spec, const sweep::TrialRecord &trial)
{
    ReportedPast past;
    past.isOfAnother = sweep::parentOf(trial.chosen).has_value();
    TrialReports reports{trial.attempts};
    for (int number = std::max(trial.firstAttempt, 1); number <= trial.attempts; ++number) {
        ObjectiveTracker tracker(spec.objective, spec.goal, std::nullopt, past);
        if (!readFeed(workspace.attempt(sweepFolder, trial.number, number), tracker))
            return std::nullopt;
        reports = {
            trial.attempts,      tracker.last(), tracker.best(),    tracker.metrics(), tracker.objectiveReached(),
            tracker.firstStep(), tracker.step(), tracker.progress()};
        past = {tracker.firstStep(), tracker.objectiveReached(), tracker.last(), tracker.best(), tracker.metrics(),
                tracker.step(),      tracker.progress()};
    }
    return reports;
}

/// The objective until now as one metric of several. Of its extremes only the best was kept.
sweep::MetricValue metricOf(const std::string &objective, sweep::Goal goal, const sweep::TrialRecord &record)
{
    sweep::MetricValue metric{
        .name = objective, .last = record.objectiveLast->value, .step = record.objectiveLast->step};
    if (record.objectiveBest)
        (goal == sweep::Goal::Minimize ? metric.lowest : metric.highest) = record.objectiveBest->value;
    return metric;
}

}  // namespace

std::map<int, TrialReports> readReports(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                        const sweep::SweepSpec &spec, std::span<const sweep::TrialRecord> trials)
{
    std::map<int, TrialReports> all;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.firstAttempt == 0 || sweep::isUnderWay(trial.state))
            continue;  // it has reported nothing, or its attempt is read again
        if (auto reports = readChain(workspace, sweepFolder, spec, trial))
            all.emplace(trial.number, std::move(*reports));
    }
    return all;
}

std::map<int, TrialReports> readPrinted(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                        const sweep::SweepSpec &spec, std::span<const sweep::TrialRecord> trials,
                                        std::chrono::milliseconds limit)
{
    std::map<int, TrialReports> all;
    const auto end = std::chrono::steady_clock::now() + limit;
    for (const sweep::TrialRecord &trial : trials) {
        if (!spec.run.metrics || !spec.run.metrics->tensorboard.empty() || trial.firstAttempt != 0
            || trial.attempts == 0 || !sweep::isFinal(trial.state))
            continue;
        if (std::chrono::steady_clock::now() > end)
            break;
        const AttemptLayout files = workspace.attempt(sweepFolder, trial.number, trial.attempts);
        for (int rank = 0; rank < (spec.run.metrics->everyRank ? trial.ranks : 1); ++rank) {
            const auto written =
                launch::writeFeedOfLog(*spec.run.metrics,
                                       {.rank = rank,
                                        .worldSize = trial.ranks,
                                        .attemptId = "read-" + std::to_string(trial.attempts),
                                        .log = files.rankLog(rank),
                                        .times = files.rankTimes(rank),
                                        .started = trial.attemptStarted.value_or(trial.started.value_or(0))},
                                       files.rankFeed(rank));
            if (!written && written.error().code != ErrorCode::NotFound
                && written.error().code != ErrorCode::AlreadyExists)
                log(LogLevel::Warning, "engine",
                    "trial " + std::to_string(trial.number) + ": " + written.error().message);
        }
        sweep::TrialRecord read = trial;
        read.firstAttempt = trial.attempts;
        auto reports = readChain(workspace, sweepFolder, spec, read);
        if (reports && reports->firstStep)
            all.emplace(trial.number, std::move(*reports));
    }
    return all;
}

namespace {

void setValues(TrialRow &row, const sweep::SweepSpec &before, const sweep::SweepSpec &after,
               const TrialReports *reports)
{
    sweep::TrialRecord &record = row.record;
    if (reports != nullptr && reports->attempts == record.attempts) {
        if (record.firstAttempt == 0) {
            record.firstAttempt = reports->attempts;
            record.step = reports->step;
            record.progress = std::max(record.progress, reports->progress);
            row.firstStep = reports->firstStep;
        }
        record.objectiveLast = reports->last;
        record.objectiveBest = reports->best;
        record.metrics = reports->metrics;
        row.objectiveReached = reports->objectiveReached;
        return;
    }
    if (before.objective == after.objective) {  // another goal: the other extreme was not kept
        record.objectiveBest = record.objectiveLast;
        return;
    }
    std::optional<sweep::MetricValue> former;
    if (record.objectiveLast)
        former = metricOf(before.objective, before.goal, record);
    record.objectiveLast.reset();
    record.objectiveBest.reset();
    row.objectiveReached.reset();
    const auto found = std::ranges::find(record.metrics, after.objective, &sweep::MetricValue::name);
    if (found != record.metrics.end()) {
        const double best = after.goal == sweep::Goal::Minimize ? found->lowest : found->highest;
        record.objectiveLast = sweep::ObjectiveValue{found->last, found->step};
        if (best == best)  // not NaN
            record.objectiveBest = sweep::ObjectiveValue{best, found->step};
        row.objectiveReached = found->step;
        record.metrics.erase(found);
    }
    if (former)
        record.metrics.push_back(std::move(*former));
}

}  // namespace

void changeObjective(TrialRow &row, const sweep::SweepSpec &before, const sweep::SweepSpec &after,
                     const TrialReports *reports)
{
    setValues(row, before, after, reports);
    sweep::TrialRecord &record = row.record;
    if (record.objectiveLast && record.reason.code == facts::Code::ObjectiveMissing)
        record.reason = {};
    else if (!record.objectiveLast && record.state == sweep::TrialState::Completed && !record.reason)
        record.reason = facts::Fact(facts::Code::ObjectiveMissing).with(facts::Field::Metric, after.objective);
}

}  // namespace sweepscope::engine
