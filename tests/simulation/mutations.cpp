#include "simulation/mutations.h"

#include <algorithm>
#include <array>

namespace sweepscope::simulation {

namespace {

constexpr std::array<MutationInfo, 27> table{{
    {Mutation::DropAddedTrial, "drop-added-trial", Invariant::NoTrialIsLost},
    {Mutation::LaunchWithoutSweep, "launch-without-sweep", Invariant::MemoryIsTheDatabase},
    {Mutation::ForgetRequest, "forget-request", Invariant::MemoryIsTheDatabase},
    {Mutation::DropTransition, "drop-transition", Invariant::HistoryGivesThePresent},
    {Mutation::CutHistory, "cut-history", Invariant::HistoryOnlyGrows},
    {Mutation::MisreportEnd, "misreport-end", Invariant::AttemptsEndAsTheirAgents},
    {Mutation::MissCompletion, "miss-completion", Invariant::TrialsCompleteOnce},
    {Mutation::IgnoreStop, "ignore-stop", Invariant::StoppedStaysStopped},
    {Mutation::IgnorePause, "ignore-pause", Invariant::PausedStaysPaused},
    {Mutation::IgnoreFreeze, "ignore-freeze", Invariant::PausedStandsStill},
    {Mutation::ShareDevice, "share-device", Invariant::OneTrialPerDevice},
    {Mutation::StartTwice, "start-twice", Invariant::OneAgentPerTrial},
    {Mutation::ExceedConcurrent, "exceed-concurrent", Invariant::ConcurrentTrials},
    {Mutation::RetryForever, "retry-forever", Invariant::Retries},
    {Mutation::IgnoreBudget, "ignore-budget", Invariant::Budget},
    {Mutation::SkipReports, "skip-reports", Invariant::ResultsAreTheReports},
    {Mutation::ReverseGoal, "reverse-goal", Invariant::BestOfTheSweep},
    {Mutation::IgnoreRungs, "ignore-rungs", Invariant::PrunedAreBehind},
    {Mutation::MoveRungs, "move-rungs", Invariant::PrunedAreBehind},
    {Mutation::DropEndTime, "drop-end-time", Invariant::FinalTrialsHaveEnded},
    {Mutation::RefuseEnded, "refuse-ended", Invariant::TransitionsAreAllowed},
    {Mutation::OrphanRow, "orphan-row", Invariant::DatabaseIsWhole},
    {Mutation::LoseDevices, "lose-devices", Invariant::DeviceTime},
    {Mutation::HideEnds, "hide-ends", Invariant::SweepEnds},
    {Mutation::UnseededDice, "unseeded-dice", Invariant::SeedsReplay},
    {Mutation::MisstateInputs, "misstate-inputs", Invariant::SearchReplays},
    {Mutation::KeepMeans, "keep-means", Invariant::MeansOfPoints},
}};

}  // namespace

std::span<const MutationInfo> mutations()
{
    return table;
}

std::optional<MutationInfo> mutationFromString(const std::string &name)
{
    const auto found = std::ranges::find_if(table, [&](const MutationInfo &info) { return info.name == name; });
    return found == table.end() ? std::nullopt : std::optional(*found);
}

Expected<void> MutatedStore::commit(const sweep::SweepRecord &sweep, const engine::Decision &decision, WallNs time)
{
    engine::Decision changed = decision;
    if (m_mutation == Mutation::DropAddedTrial && !changed.added.empty())
        changed.added.pop_back();
    for (engine::TrialChange &change : changed.trials) {
        if (m_mutation == Mutation::ForgetRequest)
            change.row.pending = engine::PendingRequest::Nothing;
        if (m_mutation == Mutation::DropTransition)
            change.transitions.clear();
        if (m_mutation == Mutation::KeepMeans)
            change.row.record.pointMean.reset();
    }
    if (m_mutation == Mutation::CutHistory)
        (void)m_store.database().execute(
            "DELETE FROM history WHERE id = (SELECT MIN(earlier.id) FROM history AS earlier JOIN history AS later ON "
            "later.sweep = earlier.sweep AND later.trial = earlier.trial AND later.id > earlier.id)");
    if (m_mutation == Mutation::OrphanRow) {
        for (const char *sql :
             {"PRAGMA foreign_keys = OFF", "INSERT INTO definition (sweep, time, toml) VALUES (99, 0, '')"})
            (void)m_store.database().execute(sql);
    }
    return m_store.commit(sweep, changed, time);
}

Expected<void> MutatedStore::beginAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt)
{
    engine::AttemptRow changed = attempt;
    if (m_mutation == Mutation::LoseDevices)
        changed.devices = 0;
    return m_store.beginAttempt(change, changed);
}

Expected<void> MutatedStore::endAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt,
                                        const engine::AttemptEnding &ending)
{
    engine::TrialChange changed = change;
    engine::AttemptEnding end = ending;
    if (m_mutation == Mutation::DropEndTime)
        changed.row.record.ended.reset();
    if (m_mutation == Mutation::MissCompletion && end.outcome == toString(engine::AttemptEnd::Lost) && !end.reason)
        end.outcome = toString(engine::AttemptEnd::Completed);  // the state of its trial alone does not reveal it
    if (m_mutation == Mutation::MisreportEnd)
        end.outcome = toString(engine::AttemptEnd::Stopped);
    return m_store.endAttempt(changed, attempt, end);
}

}  // namespace sweepscope::simulation
