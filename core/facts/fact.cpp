#include "facts/fact.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::facts {

namespace {

using nlohmann::json;

struct CodeRow {
    Code code;
    std::string_view name;
    std::vector<Field> fields;
};

/// In the order of the enumeration.
const std::vector<CodeRow> &codeRows()
{
    static const std::vector<CodeRow> rows{
        {Code::Unknown, "unknown", {Field::Detail}},
        {Code::Queued, "queued", {}},
        {Code::SweepPaused, "sweep_paused", {}},
        {Code::DiskFull, "disk_full", {}},
        {Code::ConcurrencyLimit, "concurrency_limit", {Field::Limit}},
        {Code::BehindOlderSweep, "behind_older_sweep", {Field::Sweep}},
        {Code::BehindPriority, "behind_priority", {Field::Sweep}},
        {Code::WaitingForDevices,
         "waiting_for_devices",
         {Field::Limit, Field::Needed, Field::Free, Field::Places, Field::Kind}},
        {Code::WaitingForCheckpoint, "waiting_for_checkpoint", {Field::Machine}},
        {Code::WaitingForMachines, "waiting_for_machines", {}},
        {Code::OnMachine, "on_machine", {Field::Machine}},
        {Code::MachineConnecting, "machine_connecting", {}},
        {Code::MachineDiskFull, "machine_disk_full", {Field::Machine, Field::Device}},
        {Code::MachineUnreachable, "machine_unreachable", {Field::Detail}},
        {Code::MachineFull, "machine_full", {Field::Limit}},
        {Code::MachineRefused, "machine_refused", {Field::Detail}},
        {Code::WaitingForNodes, "waiting_for_nodes", {Field::Count, Field::Limit}},
        {Code::NodesUnreachable, "nodes_unreachable", {Field::Machine, Field::Peer, Field::Detail}},
        {Code::RetryScheduled, "retry_scheduled", {Field::Attempt, Field::Retry, Field::Limit, Field::Seconds}},
        {Code::PausedBeforeStart, "paused_before_start", {}},
        {Code::PauseRequested, "pause_requested", {}},
        {Code::PauseCancelled, "pause_cancelled", {}},
        {Code::PausedAgain, "paused_again", {}},
        {Code::PausedSaving, "paused_saving", {}},
        {Code::PausedFrozen, "paused_frozen", {}},
        {Code::PausedSaved, "paused_saved", {}},
        {Code::Resumed, "resumed", {}},
        {Code::ResumeRequested, "resume_requested", {}},
        {Code::ResumesFromCheckpoint, "resumes_from_checkpoint", {}},
        {Code::StopRequested, "stop_requested", {Field::Mode}},
        {Code::Stopping, "stopping", {}},
        {Code::Killing, "killing", {}},
        {Code::Stopped, "stopped", {}},
        {Code::StoppedOnRequest, "stopped_on_request", {}},
        {Code::KilledOnRequest, "killed_on_request", {}},
        {Code::EndedOnRequest, "ended_on_request", {}},
        {Code::SweepStoppedBeforeStart, "sweep_stopped_before_start", {}},
        {Code::SweepStoppedWhilePaused, "sweep_stopped_while_paused", {}},
        {Code::RankExited,
         "rank_exited",
         {Field::Rank, Field::ExitCode, Field::IsError, Field::Shortage, Field::Source, Field::Detail}},
        {Code::RankKilled,
         "rank_killed",
         {Field::Rank, Field::Signal, Field::IsError, Field::Shortage, Field::Source, Field::Detail}},
        {Code::RankNotStarted, "rank_not_started", {Field::Rank, Field::Detail}},
        {Code::AttemptNotStarted, "attempt_not_started", {Field::Detail}},
        {Code::AgentNotStarted, "agent_not_started", {Field::Detail}},
        {Code::AgentCannotWrite, "agent_cannot_write", {}},
        {Code::AgentLost, "agent_lost", {Field::Pid}},
        {Code::AgentSilent, "agent_silent", {Field::Seconds}},
        {Code::FolderVanished, "folder_vanished", {}},
        {Code::EventsReplaced, "events_replaced", {}},
        {Code::EventsCut, "events_cut", {}},
        {Code::EventsTooLarge, "events_too_large", {}},
        {Code::EndUnconfirmed, "end_unconfirmed", {}},
        {Code::EngineEndedBeforeStart, "engine_ended_before_start", {}},
        {Code::MachineRemoved, "machine_removed", {Field::Machine}},
        {Code::MachineAway, "machine_away", {Field::Machine, Field::Seconds}},
        {Code::AttemptMissing, "attempt_missing", {}},
        {Code::TimedOut, "timed_out", {Field::Seconds}},
        {Code::Hung, "hung", {Field::Seconds, Field::Longest}},
        {Code::RanksBehind, "ranks_behind", {Field::Step, Field::Bound, Field::Ranks}},
        {Code::LastStep, "last_step", {Field::Step}},
        {Code::RanksStopped, "ranks_stopped", {Field::Ranks}},
        {Code::ExitedEarly, "exited_early", {Field::Rank, Field::Seconds, Field::Ranks, Field::Detail}},
        {Code::TelemetryProblem, "telemetry_problem", {Field::Detail}},
        {Code::NotRetried, "not_retried", {Field::Failure}},
        {Code::ObjectiveMissing, "objective_missing", {Field::Metric}},
        {Code::OtherFailure, "other_failure", {Field::Detail}},
        {Code::PrunedByMedian, "pruned_by_median", {Field::Count, Field::Step, Field::Value, Field::Bound}},
        {Code::PrunedByPercentile,
         "pruned_by_percentile",
         {Field::Count, Field::Step, Field::Value, Field::Bound, Field::Percent}},
        {Code::PrunedByRank,
         "pruned_by_rank",
         {Field::Count, Field::Step, Field::Value, Field::Bound, Field::Factor, Field::Bracket}},
        {Code::Promoted,
         "promoted",
         {Field::Count, Field::Step, Field::Value, Field::Bound, Field::Factor, Field::Bracket}},
        {Code::PrunedByPatience, "pruned_by_patience", {Field::Count, Field::Step, Field::Value}},
        {Code::PrunedByThreshold, "pruned_by_threshold", {Field::Step, Field::Value, Field::Bound}},
        {Code::PrunedByWilcoxon, "pruned_by_wilcoxon", {Field::Trial, Field::Count, Field::Step, Field::Probability}},
        {Code::PrunedByCommand, "pruned_by_command", {Field::Step, Field::Value, Field::Detail}},
        {Code::TimeBudgetSpent, "time_budget_spent", {Field::Seconds}},
        {Code::DeviceBudgetSpent, "device_budget_spent", {Field::Seconds}},
        {Code::EnergyBudgetSpent, "energy_budget_spent", {Field::KilowattHours}},
        {Code::TargetReached, "target_reached", {Field::Trial, Field::Value, Field::Bound}},
        {Code::ImprovementSmall, "improvement_small", {Field::Bound, Field::Improvement}},
        {Code::NoImprovement, "no_improvement", {Field::Trial, Field::Count}},
        {Code::SamplerFailed, "sampler_failed", {Field::Detail}},
        {Code::PrunerFailed, "pruner_failed", {Field::Detail}},
        {Code::WarmStartUnreadable, "warm_start_unreadable", {Field::Detail}},
        {Code::PointsExhausted, "points_exhausted", {Field::Count}},
        {Code::RepeatsDone, "repeats_done", {Field::Count}},
        {Code::ResultsAwaited, "results_awaited", {}},
        {Code::PopulationDone, "population_done", {Field::Count}},
        {Code::SamplerAwaited, "sampler_awaited", {}},
        {Code::CheckpointAwaited, "checkpoint_awaited", {Field::Trial}},
        {Code::CheckpointNotCopied, "checkpoint_not_copied", {Field::Trial, Field::Detail}},
        {Code::ConstraintsTight, "constraints_tight", {}},
        {Code::RemovedByEdit, "removed_by_edit", {}},
        {Code::Measuring, "measuring", {}},
        {Code::Measured, "measured", {Field::Seconds}},
        {Code::ProbeOutOfMemory, "probe_out_of_memory", {}},
        {Code::BeyondMemory, "beyond_memory", {Field::Value, Field::Parameter}},
        {Code::DevicesImpossible,
         "devices_impossible",
         {Field::Limit, Field::Bytes, Field::Needed, Field::Present, Field::PerRank, Field::Kind, Field::Key}},
        {Code::MachinesImpossible, "machines_impossible", {}},
        {Code::MachineUnknown, "machine_unknown", {Field::Machine}},
        {Code::TooFewMachines, "too_few_machines", {Field::Count, Field::Limit}},
        {Code::RanksNotDivisible, "ranks_not_divisible", {Field::Count, Field::Limit}},
        {Code::DevicesInUse, "devices_in_use", {Field::Count}},
        {Code::RanksOnOthers, "ranks_on_others", {Field::Count}},
        {Code::GpuMemoryShort, "gpu_memory_short", {Field::Bytes, Field::NeededBytes, Field::Index, Field::Device}},
        {Code::GpuReserved, "gpu_reserved", {Field::Index, Field::Device}},
        {Code::GpuDraining, "gpu_draining", {Field::Bytes, Field::Index, Field::Seconds, Field::Device}},
        {Code::GpuLeased, "gpu_leased", {Field::Index, Field::Device}},
        {Code::GpuUsed,
         "gpu_used",
         {Field::Pid, Field::Count, Field::Bytes, Field::Index, Field::User, Field::Process, Field::Device}},
        {Code::GpuLost, "gpu_lost", {Field::Index, Field::Device}},
        {Code::GpuNeedsReset, "gpu_needs_reset", {Field::Index, Field::Device}},
        {Code::GpuNotPermitted, "gpu_not_permitted", {Field::Index, Field::Device}},
        {Code::GpuBlocked, "gpu_blocked", {Field::Index, Field::Device}},
        {Code::GpuTakenAway, "gpu_taken_away", {Field::Index, Field::Device, Field::Detail}},
        {Code::GpuUnusable, "gpu_unusable", {Field::Index, Field::Device, Field::Detail}},
        {Code::GpuNotAnswering, "gpu_not_answering", {Field::Index, Field::Device, Field::Detail}},
        {Code::GpuAnswersLate, "gpu_answers_late", {Field::Index, Field::Device, Field::Detail}},
        {Code::GpuNotRead, "gpu_not_read", {Field::Index, Field::Device}},
        {Code::GpuExcluded, "gpu_excluded", {Field::Index, Field::Device}},
        {Code::GpusNotPinned, "gpus_not_pinned", {Field::Count}},
        {Code::DevicesBeingTaken, "devices_being_taken", {}},
        {Code::LeasesUnavailable, "leases_unavailable", {Field::Detail}},
        {Code::CpuSlotsUsed, "cpu_slots_used", {Field::Count}},
        {Code::DeviceHolder, "device_holder", {Field::Pid, Field::Trial, Field::Sweep, Field::Workspace, Field::User}},
        {Code::GpuReportedXid, "gpu_reported_xid", {Field::Number, Field::Index, Field::Device}},
        {Code::GpuSplit, "gpu_split", {Field::Count, Field::Index, Field::Device}},
        {Code::GpuWithoutUuid, "gpu_without_uuid", {Field::Index, Field::Device}},
        {Code::GpuUuidRepeated, "gpu_uuid_repeated", {Field::Number, Field::Index, Field::Device}},
        {Code::GpusConnected, "gpus_connected", {Field::Count, Field::Links, Field::Path}},
        {Code::MemoryFits,
         "memory_fits",
         {Field::Limit, Field::Count, Field::Bytes, Field::NeededBytes, Field::PerRank, Field::Kind, Field::Parallel,
          Field::Device}},
        {Code::MemoryShort,
         "memory_short",
         {Field::Limit, Field::Count, Field::Bytes, Field::NeededBytes, Field::PerRank, Field::Kind, Field::Parallel,
          Field::Device}},
        {Code::ModelUnsplit,
         "model_unsplit",
         {Field::Limit, Field::Count, Field::PerRank, Field::Kind, Field::Parallel}},
        {Code::ChosenAtRandom,
         "chosen_at_random",
         {Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::GpUnsuited, "gp_unsuited", {}},
        {Code::CmaesUnsuited, "cmaes_unsuited", {}},
        {Code::AnswersRejected, "answers_rejected", {Field::Count}},
        {Code::ChosenInSequence,
         "chosen_in_sequence",
         {Field::Number, Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::ChosenToStart,
         "chosen_to_start",
         {Field::Count, Field::Needed, Field::Version, Field::Revision, Field::Definition, Field::Reports,
          Field::Method}},
        {Code::ChosenToExplore,
         "chosen_to_explore",
         {Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::ChosenByModel,
         "chosen_by_model",
         {Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Step, Field::Good, Field::Bad,
          Field::Value, Field::Trials, Field::Method}},
        {Code::ChosenByPrediction,
         "chosen_by_prediction",
         {Field::Count, Field::Version, Field::Revision, Field::Definition, Field::Seconds, Field::Value, Field::Bound,
          Field::Probability, Field::Improvement, Field::Risk, Field::Trials, Field::Method}},
        {Code::ChosenByCrossover, "chosen_by_crossover", {Field::Trials, Field::Count}},
        {Code::ChosenToContinue,
         "chosen_to_continue",
         {Field::Trial, Field::Count, Field::Step, Field::Version, Field::Revision, Field::Definition, Field::Good,
          Field::Reports, Field::Value, Field::Method}},
        {Code::ChosenByCommand, "chosen_by_command", {Field::Detail}},
        {Code::ChosenByEvolution,
         "chosen_by_evolution",
         {Field::Number, Field::Count, Field::Good, Field::Version, Field::Revision, Field::Definition, Field::Reports,
          Field::Method}},
        {Code::ChosenFromRest,
         "chosen_from_rest",
         {Field::Count, Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::ChosenByRunnerUp,
         "chosen_by_runner_up",
         {Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::ChosenFromGrid,
         "chosen_from_grid",
         {Field::Number, Field::Version, Field::Revision, Field::Definition, Field::Reports, Field::Method}},
        {Code::ChosenToRepeat,
         "chosen_to_repeat",
         {Field::Trial, Field::Number, Field::Count, Field::Version, Field::Revision, Field::Definition, Field::Reports,
          Field::Method}},
        {Code::AutoCovers, "auto_covers", {Field::Count}},
        {Code::AutoPredicts, "auto_predicts", {Field::Count, Field::Limit}},
        {Code::AutoLearns, "auto_learns", {Field::Number, Field::Count}},
        {Code::Launched, "launched", {Field::Count}},
        {Code::SearchLaunched, "search_launched", {Field::Limit}},
        {Code::LastTrialEnded, "last_trial_ended", {}},
        {Code::Paused, "paused", {}},
        {Code::RetryRequested, "retry_requested", {}},
        {Code::PriorityChanged, "priority_changed", {Field::Priority}},
        {Code::Edited, "edited", {}},
        {Code::EditUndone, "edit_undone", {}},
        {Code::TrialAdded, "trial_added", {Field::Trial}},
        {Code::Marked, "marked", {}},
        {Code::Starred, "starred", {}},
        {Code::Unstarred, "unstarred", {}},
        {Code::TagsAdded, "tags_added", {Field::Detail}},
        {Code::TagsRemoved, "tags_removed", {Field::Detail}},
        {Code::NoteChanged, "note_changed", {}},
        {Code::TraceRequested, "trace_requested", {Field::Count}},
        {Code::TraceNotRequested, "trace_not_requested", {Field::Detail}},
        {Code::Archived, "archived", {Field::Sweep}},
        {Code::Unarchived, "unarchived", {Field::Sweep}},
        {Code::TrialsAdded, "trials_added", {Field::Count, Field::Trials}},
        {Code::TrialsRemoved, "trials_removed", {Field::Count, Field::Trials}},
        {Code::TrialsRestored, "trials_restored", {Field::Count, Field::Trials}},
        {Code::TrialsUnchanged, "trials_unchanged", {}},
        {Code::TrialsToChoose, "trials_to_choose", {Field::Count, Field::Limit}},
        {Code::KeyChanged, "key_changed", {Field::Key, Field::Before, Field::After}},
        {Code::DefinitionApplied, "definition_applied", {}},
        {Code::SweepRunsAgain, "sweep_runs_again", {}},
        {Code::NoFurtherTrials, "no_further_trials", {}},
        {Code::NoFurtherTrialsUntilResumed, "no_further_trials_until_resumed", {}},
        {Code::QueuedStopped, "queued_stopped", {Field::Count}},
        {Code::QueuedKept, "queued_kept", {Field::Count}},
        {Code::QueuedPaused, "queued_paused", {Field::Count}},
        {Code::QueuedResume, "queued_resume", {Field::Count}},
        {Code::QueuedStart, "queued_start", {}},
        {Code::RunningFinish, "running_finish", {Field::Count}},
        {Code::RunningCheckpoint, "running_checkpoint", {Field::Count}},
        {Code::RunningTerminated, "running_terminated", {Field::Count, Field::Seconds}},
        {Code::RunningKilled, "running_killed", {Field::Count}},
        {Code::RunningSaved, "running_saved", {Field::Count}},
        {Code::RunningFrozen, "running_frozen", {Field::Count}},
        {Code::RanksUnreachable, "ranks_unreachable", {Field::Count}},
        {Code::SavingStayPaused, "saving_stay_paused", {Field::Count}},
        {Code::PausesCancelled, "pauses_cancelled", {Field::Count}},
        {Code::FrozenResumed, "frozen_resumed", {Field::Count}},
        {Code::CheckpointsResume, "checkpoints_resume", {Field::Count}},
        {Code::TrialsEnded, "trials_ended", {Field::Trials}},
        {Code::TrialsRetried, "trials_retried", {Field::Count}},
        {Code::TrialsNotRetried, "trials_not_retried", {Field::Trials}},
        {Code::TrialEnqueued, "trial_enqueued", {Field::Trial}},
        {Code::TrialsPrioritized, "trials_prioritized", {Field::Count, Field::Priority}},
        {Code::TrialsMarked, "trials_marked", {Field::Trial, Field::Count}},
        {Code::SweepMarked, "sweep_marked", {Field::Sweep}},
        {Code::RunningTraced, "running_traced", {Field::Count}},
        {Code::TrialsNotTraced, "trials_not_traced", {Field::Trials}},
        {Code::NothingChanged, "nothing_changed", {}},
        {Code::AlreadyStopping, "already_stopping", {Field::Mode}},
        {Code::AlreadyArchived, "already_archived", {}},
        {Code::NotArchived, "not_archived", {}},
        {Code::SweepDeleted, "sweep_deleted", {Field::Count, Field::Sweep}},
        {Code::NoSuchSweep, "no_such_sweep", {Field::Number}},
        {Code::NoSuchTrial, "no_such_trial", {Field::Trial, Field::Count, Field::Sweep}},
        {Code::SweepHasEnded, "sweep_has_ended", {Field::Sweep}},
        {Code::SweepIsActive, "sweep_is_active", {Field::Sweep}},
        {Code::SweepIsStopping, "sweep_is_stopping", {}},
        {Code::SweepAlreadyPaused, "sweep_already_paused", {}},
        {Code::NothingIsPaused, "nothing_is_paused", {}},
        {Code::NothingToPause, "nothing_to_pause", {}},
        {Code::ResumeSweepFirst, "resume_sweep_first", {}},
        {Code::TrialsCannotFinish, "trials_cannot_finish", {}},
        {Code::NothingFailed, "nothing_failed", {Field::Sweep}},
        {Code::TrialStillEnding, "trial_still_ending", {Field::Trial}},
        {Code::BudgetMustGrow, "budget_must_grow", {}},
        {Code::TrialsHaveEnded, "trials_have_ended", {}},
        {Code::MarkIsEmpty, "mark_is_empty", {}},
        {Code::NothingToTrace, "nothing_to_trace", {}},
        {Code::TooManyTrials, "too_many_trials", {Field::Limit}},
        {Code::ParameterSwitchedOff, "parameter_switched_off", {Field::Parameter, Field::Detail}},
        {Code::PointTaken, "point_taken", {Field::Trial}},
        {Code::NothingToUndo, "nothing_to_undo", {}},
        {Code::InvalidInput, "invalid_input", {Field::Detail}},
        {Code::DatabaseNotWritten, "database_not_written", {}},
        {Code::WorkspaceDeleted, "workspace_deleted", {}},
        {Code::FolderNotMoved, "folder_not_moved", {Field::Detail}},
        {Code::WindowIsReadOnly, "window_is_read_only", {}},
        {Code::NotConnected, "not_connected", {Field::Detail}},
        {Code::NotAnswered, "not_answered", {}},
        {Code::HistoryTooLarge, "history_too_large", {Field::Trial}},
        {Code::NoEngine, "no_engine", {}},
        {Code::DefinitionInvalid, "definition_invalid", {Field::Detail}},
        {Code::InternalError, "internal_error", {}},
        {Code::JobWaitsForPriority, "job_waits_for_priority", {Field::Detail}},
        {Code::JobWaitsForResources, "job_waits_for_resources", {Field::Detail}},
        {Code::JobWaitsForScheduler, "job_waits_for_scheduler", {Field::Detail}},
        {Code::JobWaitsForLicenses, "job_waits_for_licenses", {Field::Detail}},
        {Code::JobWaitsForJob, "job_waits_for_job", {Field::Detail}},
        {Code::JobWaitsForReservation, "job_waits_for_reservation", {Field::Detail}},
        {Code::JobWaitsForMaintenance, "job_waits_for_maintenance", {Field::Detail}},
        {Code::JobWaitsForUserLimit, "job_waits_for_user_limit", {Field::Detail}},
        {Code::JobWaitsForGroupLimit, "job_waits_for_group_limit", {Field::Detail}},
        {Code::JobWaitsForBudget, "job_waits_for_budget", {Field::Detail}},
        {Code::JobWaitsOtherwise, "job_waits_otherwise", {Field::Detail}},
        {Code::JobBeginsLater, "job_begins_later", {Field::Detail}},
        {Code::JobBeyondLimit, "job_beyond_limit", {Field::Detail}},
        {Code::JobBeyondPartition, "job_beyond_partition", {Field::Detail}},
        {Code::JobImpossible, "job_impossible", {Field::Detail}},
        {Code::JobNotAllowed, "job_not_allowed", {Field::Detail}},
        {Code::JobNodesUnavailable, "job_nodes_unavailable", {Field::Detail}},
        {Code::JobPartitionClosed, "job_partition_closed", {Field::Detail}},
        {Code::JobReservationGone, "job_reservation_gone", {Field::Detail}},
        {Code::JobDependencyFailed, "job_dependency_failed", {Field::Detail}},
        {Code::JobHeldByUser, "job_held_by_user", {Field::Detail}},
        {Code::JobHeldByAdministrator, "job_held_by_administrator", {Field::Detail}},
        {Code::JobHeldAfterFailure, "job_held_after_failure", {Field::Detail}},
        {Code::JobStartEstimated, "job_start_estimated", {Field::Seconds}},
        {Code::JobsWaiting, "jobs_waiting", {Field::Limit}},
        {Code::JobRuns, "job_runs", {Field::Number, Field::Detail, Field::Count}},
        {Code::JobContinued, "job_continued", {}},
        {Code::JobTimeLimit, "job_time_limit", {}},
        {Code::JobPreempted, "job_preempted", {}},
        {Code::JobNodeFailed, "job_node_failed", {Field::Detail}},
        {Code::JobOutOfMemory, "job_out_of_memory", {}},
        {Code::JobCancelled, "job_cancelled", {}},
        {Code::JobDeadlineMissed, "job_deadline_missed", {}},
        {Code::JobNotLaunched, "job_not_launched", {Field::Detail}},
        {Code::JobFailed, "job_failed", {Field::Signal, Field::ExitCode}},
        {Code::JobNotContinued, "job_not_continued", {}},
        {Code::JobVanished, "job_vanished", {}},
        {Code::JobRefused, "job_refused", {Field::Detail}},
        {Code::JobSubmitLimit, "job_submit_limit", {Field::Detail}},
        {Code::ClusterUnreachable, "cluster_unreachable", {Field::Detail}},
        {Code::ClusterUnsuitable, "cluster_unsuitable", {Field::Detail}},
        {Code::ClusterAsked, "cluster_asked", {}},
        {Code::ClusterRemoved, "cluster_removed", {}},
        {Code::SubmissionUncertain, "submission_uncertain", {Field::Detail}},
        {Code::DiskNearlyFull, "disk_nearly_full", {Field::Device}},
        {Code::EnergyUnknown, "energy_unknown", {Field::Count}},
        {Code::DiskExhausted, "disk_exhausted", {Field::Device}},
        {Code::DatabaseProblem, "database_problem", {Field::Detail}},
        {Code::TrialUnreachable, "trial_unreachable", {Field::Machine}},
        {Code::TrialsUnreachable, "trials_unreachable", {Field::Count, Field::Trials, Field::Machine, Field::Mode}},
        {Code::AgentNotResponding, "agent_not_responding", {Field::Signal, Field::Trial}},
        {Code::DatabaseRemoved, "database_removed", {Field::Device, Field::Pid}},
        {Code::FilesNotCopied, "files_not_copied", {Field::Detail}},
        {Code::WorkspaceMoved, "workspace_moved", {Field::Before, Field::After}},
        {Code::WorkspaceShared, "workspace_shared", {Field::Device, Field::Detail}},
        {Code::WorkspaceRestored, "workspace_restored", {}},
        {Code::FolderNotRemoved, "folder_not_removed", {Field::Detail}},
        {Code::Rescued, "rescued", {}},
        {Code::AloneToMeasure, "alone_to_measure", {}},
        {Code::SharingMeasured, "sharing_measured", {Field::Bytes}},
        {Code::PaceAlone, "pace_alone", {Field::Value}},
        {Code::PaceShared, "pace_shared", {Field::Value, Field::Factor}},
        {Code::SharingDoesNotPay, "sharing_does_not_pay", {Field::Factor, Field::Percent}},
        {Code::RerunAlone, "rerun_alone", {Field::Attempt}},
    };
    return rows;
}

struct FieldRow {
    Field field;
    std::string_view name;
    FieldType type;
};

constexpr FieldRow fieldRows[] = {
    {Field::Rank, "rank", FieldType::Integer},
    {Field::Signal, "signal", FieldType::Integer},
    {Field::ExitCode, "exit_code", FieldType::Integer},
    {Field::Pid, "pid", FieldType::Integer},
    {Field::Trial, "trial", FieldType::Integer},
    {Field::Attempt, "attempt", FieldType::Integer},
    {Field::Retry, "retry", FieldType::Integer},
    {Field::Limit, "limit", FieldType::Integer},
    {Field::Count, "count", FieldType::Integer},
    {Field::Number, "number", FieldType::Integer},
    {Field::Step, "step", FieldType::Integer},
    {Field::Priority, "priority", FieldType::Integer},
    {Field::IsError, "is_error", FieldType::Integer},
    {Field::Bytes, "bytes", FieldType::Integer},
    {Field::NeededBytes, "needed_bytes", FieldType::Integer},
    {Field::Needed, "needed", FieldType::Integer},
    {Field::Free, "free", FieldType::Integer},
    {Field::Places, "places", FieldType::Integer},
    {Field::Present, "present", FieldType::Integer},
    {Field::PerRank, "per_rank", FieldType::Integer},
    {Field::Index, "index", FieldType::Integer},
    {Field::Links, "links", FieldType::Integer},
    {Field::Version, "version", FieldType::Integer},
    {Field::Revision, "revision", FieldType::Integer},
    {Field::Definition, "definition", FieldType::Integer},
    {Field::Good, "good", FieldType::Integer},
    {Field::Bad, "bad", FieldType::Integer},
    {Field::Bracket, "bracket", FieldType::Integer},
    {Field::Reports, "reports", FieldType::Integer},
    {Field::Seconds, "seconds", FieldType::Number},
    {Field::Longest, "longest", FieldType::Number},
    {Field::Value, "value", FieldType::Number},
    {Field::Bound, "bound", FieldType::Number},
    {Field::Factor, "factor", FieldType::Number},
    {Field::Percent, "percent", FieldType::Number},
    {Field::Probability, "probability", FieldType::Number},
    {Field::KilowattHours, "kilowatt_hours", FieldType::Number},
    {Field::Improvement, "improvement", FieldType::Number},
    {Field::Risk, "risk", FieldType::Number},
    {Field::Ranks, "ranks", FieldType::Text},
    {Field::Trials, "trials", FieldType::Text},
    {Field::Failure, "failure", FieldType::Text},
    {Field::Shortage, "shortage", FieldType::Text},
    {Field::Sweep, "sweep", FieldType::Text},
    {Field::Workspace, "workspace", FieldType::Text},
    {Field::Machine, "machine", FieldType::Text},
    {Field::Peer, "peer", FieldType::Text},
    {Field::User, "user", FieldType::Text},
    {Field::Process, "process", FieldType::Text},
    {Field::Kind, "kind", FieldType::Text},
    {Field::Parameter, "parameter", FieldType::Text},
    {Field::Metric, "metric", FieldType::Text},
    {Field::Mode, "mode", FieldType::Text},
    {Field::Parallel, "parallel", FieldType::Text},
    {Field::Path, "path", FieldType::Text},
    {Field::Method, "method", FieldType::Text},
    {Field::Key, "key", FieldType::Text},
    {Field::Before, "before", FieldType::Text},
    {Field::After, "after", FieldType::Text},
    {Field::Device, "device", FieldType::Text},
    {Field::Source, "source", FieldType::Text},
    {Field::Detail, "detail", FieldType::Text},
};

const Value *find(const Fact &fact, Field field)
{
    const auto found = std::ranges::find(fact.fields, field, &std::pair<Field, Value>::first);
    return found != fact.fields.end() ? &found->second : nullptr;
}

void set(Fact &fact, Field field, Value value)
{
    const auto place = std::ranges::lower_bound(fact.fields, field, {}, &std::pair<Field, Value>::first);
    if (place != fact.fields.end() && place->first == field)
        place->second = std::move(value);
    else
        fact.fields.emplace(place, field, std::move(value));
}

/// JSON has no such numbers.
json toJsonValue(const Value &value)
{
    if (const auto *number = std::get_if<double>(&value); number != nullptr && !std::isfinite(*number))
        return std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf";
    return std::visit([](const auto &plain) { return json(plain); }, value);
}

std::optional<Value> fromJsonValue(const json &untrusted, FieldType type)
{
    switch (type) {
    case FieldType::Integer:
        if (untrusted.is_number_unsigned()
            && untrusted.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            return std::nullopt;
        return untrusted.is_number_integer() ? std::optional<Value>(untrusted.get<std::int64_t>()) : std::nullopt;
    case FieldType::Number:
        if (untrusted == "nan")
            return std::numeric_limits<double>::quiet_NaN();
        if (untrusted == "inf" || untrusted == "-inf")
            return untrusted == "inf" ? HUGE_VAL : -HUGE_VAL;
        return untrusted.is_number() ? std::optional<Value>(untrusted.get<double>()) : std::nullopt;
    case FieldType::Text:
        break;
    }
    return untrusted.is_string() ? std::optional<Value>(untrusted.get<std::string>()) : std::nullopt;
}

json toObject(const Fact &fact)
{
    json object = {{"code", nameOf(fact.code)}};
    for (const auto &[field, value] : fact.fields)
        object[std::string(nameOf(field))] = toJsonValue(value);
    for (const Fact &cause : fact.because)
        object["because"].push_back(toObject(cause));
    return object;
}

constexpr int deepest = 8;         ///< facts within facts; ours are three deep at most
constexpr std::size_t most = 256;  ///< causes of one fact

std::optional<Fact> fromObject(const json &untrusted, int depth)
{
    const auto name = untrusted.is_object() ? untrusted.find("code") : untrusted.end();
    if (depth > deepest || !untrusted.is_object() || name == untrusted.end() || !name->is_string())
        return std::nullopt;
    const std::optional<Code> code = codeOf(name->get<std::string>());
    if (!code)
        return Fact(Code::Unknown).with(Field::Detail, name->get<std::string>());
    Fact fact(*code);
    for (const auto &[key, value] : untrusted.items()) {
        const std::optional<Field> field = fieldOf(key);
        std::optional<Value> read = field ? fromJsonValue(value, typeOf(*field)) : std::nullopt;
        if (read)
            set(fact, *field, std::move(*read));
    }
    if (const auto because = untrusted.find("because"); because != untrusted.end() && because->is_array()) {
        for (const json &cause : *because) {
            std::optional<Fact> read = fact.because.size() < most ? fromObject(cause, depth + 1) : std::nullopt;
            if (!read)
                return std::nullopt;
            fact.because.push_back(std::move(*read));
        }
    }
    return fact;
}

bool nestsTooDeep(std::string_view text)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            depth += 1;
        else if (!quoted && (c == '}' || c == ']'))
            depth -= 1;
        if (depth > 2 * deepest + 2)
            return true;
    }
    return false;
}

}  // namespace

Fact Fact::with(Field field, std::int64_t value) &&
{
    set(*this, field, typeOf(field) == FieldType::Number ? Value(static_cast<double>(value)) : Value(value));
    return std::move(*this);
}

Fact Fact::with(Field field, double value) &&
{
    set(*this, field, value);
    return std::move(*this);
}

Fact Fact::with(Field field, std::string value) &&
{
    set(*this, field, std::move(value));
    return std::move(*this);
}

Fact Fact::dueTo(Fact cause) &&
{
    because.push_back(std::move(cause));
    return std::move(*this);
}

std::optional<std::int64_t> Fact::integer(Field field) const
{
    const Value *value = find(*this, field);
    const auto *number = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::optional<double> Fact::number(Field field) const
{
    const Value *value = find(*this, field);
    const auto *number = value != nullptr ? std::get_if<double>(value) : nullptr;
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string Fact::text(Field field) const
{
    const Value *value = find(*this, field);
    const auto *words = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    return words != nullptr ? *words : std::string();
}

std::optional<int> rankIn(const Fact &fact)
{
    if (const std::optional<std::int64_t> rank = fact.integer(Field::Rank))
        return static_cast<int>(*rank);
    for (const Fact &cause : fact.because) {
        if (const std::optional<int> rank = rankIn(cause))
            return rank;
    }
    return std::nullopt;
}

std::string_view nameOf(Code code)
{
    if (code == Code::None)
        return {};
    return codeRows()[static_cast<std::size_t>(code) - 1].name;
}

std::optional<Code> codeOf(std::string_view name)
{
    const auto found = std::ranges::find(codeRows(), name, &CodeRow::name);
    return found != codeRows().end() ? std::optional(found->code) : std::nullopt;
}

std::string_view nameOf(Field field)
{
    return fieldRows[static_cast<std::size_t>(field)].name;
}

std::optional<Field> fieldOf(std::string_view name)
{
    const auto *const found = std::ranges::find(fieldRows, name, &FieldRow::name);
    return found != std::end(fieldRows) ? std::optional(found->field) : std::nullopt;
}

FieldType typeOf(Field field)
{
    return fieldRows[static_cast<std::size_t>(field)].type;
}

std::vector<Code> allCodes()
{
    std::vector<Code> codes;
    for (const CodeRow &row : codeRows())
        codes.push_back(row.code);
    return codes;
}

std::span<const Field> fieldsOf(Code code)
{
    if (code == Code::None)
        return {};
    return codeRows()[static_cast<std::size_t>(code) - 1].fields;
}

std::string toJson(const Fact &fact)
{
    // Strings from other programs may contain any bytes.
    return fact ? toObject(fact).dump(-1, ' ', false, json::error_handler_t::replace) : std::string();
}

Expected<Fact> fromJson(std::string_view untrusted)
{
    if (untrusted.empty())
        return Fact();
    const json object = nestsTooDeep(untrusted) ? json() : json::parse(untrusted, nullptr, false);
    std::optional<Fact> fact = fromObject(object, 0);
    if (!fact)
        return makeError(ErrorCode::Corrupt, "invalid fact: " + std::string(untrusted.substr(0, 80)));
    return std::move(*fact);
}

}  // namespace sweepscope::facts
