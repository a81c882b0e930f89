#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// What happened, as codes with fields. Engine and agent use facts for decisions; database, protocol and JSON transfer
/// them; only core/wording converts them to sentences.
namespace sweepscope::facts {

/// One kind of fact. fact.cpp has the names used in files and messages: they never change, so the order here may.
enum class Code : std::uint16_t {
    None,
    Unknown,  ///< of another version, whose name is in Detail

    // Why a trial waits
    Queued,  ///< waits only for its turn
    SweepPaused,
    DiskFull,
    ConcurrencyLimit,  ///< Limit: devices.concurrent
    BehindOlderSweep,  ///< Sweep has waited for devices longer
    BehindPriority,    ///< Sweep has a higher priority
    WaitingForDevices,  ///< of Kind: Needed of Limit, of which Free are free; Places: on that many GPUs; because: obstacles
    WaitingForCheckpoint,  ///< it continues on Machine, which has its checkpoint; because: what it waits for there
    WaitingForMachines,    ///< because: OnMachine, for each that could run it
    OnMachine,             ///< Machine; because: what is the case there
    MachineConnecting,
    MachineDiskFull,     ///< the disk of Machine, which holds the folder Device
    MachineUnreachable,  ///< Detail
    MachineFull,         ///< Limit: of trials at once
    MachineRefused,      ///< to start a trial; Detail, or because
    WaitingForNodes,  ///< of Limit machines that the trial needs at once, Count have room; because: what the others lack
    NodesUnreachable,  ///< ranks on Machine cannot connect to Peer: Detail
    RetryScheduled,    ///< Retry of Limit starts Seconds after Attempt ended; because: how it ended

    // Pause and resume
    PausedBeforeStart,
    PauseRequested,
    PauseCancelled,
    PausedAgain,   ///< while it saved its checkpoint
    PausedSaving,  ///< saves a checkpoint, then releases its devices
    PausedFrozen,  ///< keeps its devices
    PausedSaved,   ///< its checkpoint is saved and its devices are free
    Resumed,
    ResumeRequested,        ///< while it saves its checkpoint
    ResumesFromCheckpoint,  ///< queued for a further attempt

    // Stop
    StopRequested,  ///< Mode
    Stopping,
    Killing,
    Stopped,  ///< by the user, while it had no attempt
    StoppedOnRequest,
    KilledOnRequest,
    EndedOnRequest,  ///< after its ranks saved a checkpoint
    SweepStoppedBeforeStart,
    SweepStoppedWhilePaused,

    // How an attempt ended
    RankExited,         ///< Rank, ExitCode; Detail: its last words, an error where IsError, raised at Source; Shortage
    RankKilled,         ///< Rank, Signal; Detail, IsError, Source, Shortage
    RankNotStarted,     ///< Rank; Detail
    AttemptNotStarted,  ///< Detail
    AgentNotStarted,    ///< Detail: the last line of its log
    AgentCannotWrite,   ///< to the attempt's folder
    AgentLost,          ///< Pid; because: earlier problems
    AgentSilent,        ///< Seconds without a sign of life, past its limit
    FolderVanished,     ///< the attempt's folder was removed or renamed while it ran
    EventsReplaced,     ///< the attempt's events.jsonl, while it ran
    EventsCut,
    EventsTooLarge,
    EndUnconfirmed,  ///< events.jsonl reported an end, but the agent continued
    EngineEndedBeforeStart,
    MachineRemoved,    ///< Machine is not in machines.toml any more
    MachineAway,       ///< Machine was unreachable for Seconds, which is its limit
    AttemptMissing,    ///< the trial is running, but the database has no attempt of it
    TimedOut,          ///< Seconds
    Hung,              ///< Seconds without a step, Longest between two; because: RanksBehind, LastStep, RanksStopped
    RanksBehind,       ///< Ranks are at Step, the others at Bound
    LastStep,          ///< Step
    RanksStopped,      ///< Ranks, by a signal
    ExitedEarly,       ///< Rank exited with 0, then Ranks did nothing for Seconds; Detail: output; because: RanksBehind
    TelemetryProblem,  ///< Detail
    NotRetried,        ///< failures of this kind (Failure) are not retried; because: the failure
    ObjectiveMissing,  ///< it completed without a value of Metric
    OtherFailure,      ///< Detail: of an attempt without a failure code

    // What the engine decides
    PrunedByMedian,      ///< at Step, Value (if any) is worse than Bound, the median of Count trials
    PrunedByPercentile,  ///< at Step, Value (if any) is not among the best Percent of Count trials, which end at Bound
    PrunedByRank,       ///< at Step, Value (if any) is not among the best 1/Factor of Count trials, which end at Bound;
                        ///< Bracket of Hyperband, from 1
    Promoted,           ///< pruned by its rank at Step; now Value is among the best 1/Factor of Count trials, which end
                        ///< at Bound; Bracket as above
    PrunedByPatience,   ///< at Step, no new best for Count rungs; the best is Value (if any)
    PrunedByThreshold,  ///< at Step, Value is beyond Bound; without them it is not a number
    PrunedByWilcoxon,   ///< at Step, worse than Trial at Count equal steps; Probability of chance
    PrunedByCommand,    ///< at Step, by another program; Value (if any); Detail: its reason, or its name
    TimeBudgetSpent,    ///< Seconds since the launch
    DeviceBudgetSpent,  ///< Seconds of devices
    EnergyBudgetSpent,  ///< KilowattHours of GPUs
    TargetReached,      ///< Trial has reached Value; Bound: the target
    ImprovementSmall,   ///< the next point was expected to improve the objective by Improvement; Bound: at least
    NoImprovement,      ///< Count trials have ended since Trial was the best; without Trial: and none had a result
    SamplerFailed,      ///< the program that chooses points; Detail
    PrunerFailed,       ///< the program that prunes; Detail
    WarmStartUnreadable,  ///< results of other sweeps that a search starts from; Detail
    PointsExhausted,      ///< Count: all points of the space
    RepeatsDone,          ///< no point is left to run again; Count: trials left, too few for a new one
    ResultsAwaited,       ///< no point is due before one that runs has ended
    PopulationDone,       ///< all Count trials of a population have completed, or the last that trained
    SamplerAwaited,       ///< the program that chooses points has not answered yet
    CheckpointAwaited,    ///< another trial is to continue from that of Trial, which has saved none
    CheckpointNotCopied,  ///< of Trial; Detail
    ConstraintsTight,     ///< no further point satisfies the constraints
    RemovedByEdit,
    Measuring,          ///< a probe has measured it; it is ending
    Measured,           ///< for Seconds
    ProbeOutOfMemory,   ///< because: the failure
    BeyondMemory,       ///< not tried: Parameter = Value ran out of memory
    DevicesImpossible,  ///< of Kind: Needed, PerRank each; the machine has Present, the sweep may have Limit. Key: what
                        ///< sets the limit; Bytes: of memory that not all have
    MachinesImpossible,  ///< because: OnMachine, for each
    MachineUnknown,      ///< Machine is not in machines.toml
    TooFewMachines,      ///< Count, of Limit that the trial needs at once
    RanksNotDivisible,   ///< Count ranks cannot be divided into Limit equal shares

    // What keeps a trial from a device: causes of WaitingForDevices. Index and Device name the GPU
    DevicesInUse,    ///< Count, by trials of this workspace
    RanksOnOthers,   ///< Count ranks are on GPUs that take several
    GpuMemoryShort,  ///< Bytes are left, a rank needs NeededBytes
    GpuReserved,     ///< because: BehindOlderSweep or BehindPriority, for that sweep
    GpuDraining,     ///< Bytes of its last trial are in use; Seconds: since then, where that is long
    GpuLeased,       ///< because: its holders; none where they do not say who they are
    GpuUsed,         ///< by Process, Pid of User, with Bytes, and Count others
    GpuLost,         ///< the driver no longer reaches it
    GpuNeedsReset,
    GpuNotPermitted,    ///< this user may not open it
    GpuBlocked,         ///< by the operating system
    GpuTakenAway,       ///< Detail: the driver's error, which means this in a container
    GpuUnusable,        ///< Detail: another error of the driver
    GpuNotAnswering,    ///< Detail: the call that hangs
    GpuAnswersLate,     ///< Detail: the call that took too long
    GpuNotRead,         ///< since the engine started
    GpuExcluded,        ///< by devices.exclude
    GpusNotPinned,      ///< Count, by devices.pin
    DevicesBeingTaken,  ///< by another engine, at this time
    LeasesUnavailable,  ///< Detail: why the folder of leases cannot be used
    CpuSlotsUsed,       ///< Count; because: their holder
    DeviceHolder,       ///< Trial of Sweep, of User in Workspace; Pid

    // What else there is to say of a GPU. Index and Device name it
    GpuReportedXid,   ///< Number
    GpuSplit,         ///< into Count MIG instances
    GpuWithoutUuid,   ///< it cannot be given to a trial
    GpuUuidRepeated,  ///< GPU Number has the same
    GpusConnected,    ///< Count GPUs of a trial, by Path or better; Links: of NVLink, between any two

    // Memory of a trial, by how its ranks share the work: Parallel with Count ranks of PerRank devices of Kind. A device
    // needs NeededBytes, and Device offers Bytes. Limit: the largest batch size that fits
    MemoryFits,
    MemoryShort,   ///< without Limit: no batch fits
    ModelUnsplit,  ///< it has fewer layers than stages (Limit: its layers), or cannot be split

    // How the point of a trial was chosen. Method in its Version, from the first Revision changes of trials, by the
    // sweep's Definition: the number of edits before it
    ChosenAtRandom,  ///< because: AnswersRejected, if another program should have chosen
    GpUnsuited,      ///< the method should have chosen, but needs a single objective with finite results
    CmaesUnsuited,  ///< the method should have chosen, but needs a single objective and ordered parameters without conditions
    AnswersRejected,   ///< Count points of the other program
    ChosenInSequence,  ///< Number: place in a Sobol sequence, from 0
    ChosenToStart,     ///< Count of Needed results were there: too few for a model
    ChosenToExplore,   ///< spread evenly, because results of other sweeps may mislead
    ChosenByModel,  ///< Value: log of the ratio of its densities among Good and Bad trials; Trials: good ones nearby;
                    ///< Step: of the values that the model uses, if not the last
    ChosenByPrediction,  ///< from Count results Value is predicted, with this Probability to be better than Bound, the
                         ///< best so far, and this expected Improvement; Trials: like which ones it is; Seconds: of
                         ///< device time, where they count
    ChosenByCrossover,   ///< of Trials, two of the Count best
    ChosenToContinue,  ///< from the checkpoint of Trial, which had Value at Step and was one of the Good best of Count
    ChosenByCommand,   ///< by another program; Detail: its reason, or its name
    ChosenByEvolution,  ///< drawn in generation Number, after Count results; Good: of other sweeps that the first began with
    ChosenFromRest,    ///< Count points were left untried
    ChosenByRunnerUp,  ///< of `auto`; because: how
    ChosenFromGrid,    ///< its point Number, from 1
    ChosenToRepeat,    ///< run Number of Count of the point of Trial

    // What `auto` does with a search
    AutoCovers,    ///< all Count points in even order
    AutoPredicts,  ///< with gp, and tpe as the runner-up, for Count parameters; after Limit results the other way round
    AutoLearns,    ///< with tpe, for Count parameters or Number objectives

    // What happened to a sweep
    Launched,        ///< with Count trials
    SearchLaunched,  ///< of Limit trials, or without a limit
    LastTrialEnded,
    Paused,
    RetryRequested,
    PriorityChanged,  ///< to Priority
    Edited,           ///< because: TrialsAdded ... KeyChanged
    EditUndone,       ///< because: the same
    TrialAdded,       ///< Trial
    Marked,           ///< because: Starred ... NoteChanged
    Starred,
    Unstarred,
    TagsAdded,    ///< Detail
    TagsRemoved,  ///< Detail
    NoteChanged,
    TraceRequested,     ///< of Count steps
    TraceNotRequested,  ///< Detail
    Archived,
    Unarchived,

    // What a command did or would do
    TrialsAdded,        ///< Count; Trials, if these are few ranges
    TrialsRemoved,      ///< Count, that were queued; Trials likewise
    TrialsRestored,     ///< Count; Trials likewise
    TrialsUnchanged,    ///< no trial was added or removed
    TrialsToChoose,     ///< Count are still to be chosen by a search, or any number; Limit: at most, with so
                        ///< many runs of each point; because: a spent budget
    KeyChanged,         ///< Key from Before to After; either may be missing
    DefinitionApplied,  ///< attempts that start from now on use it
    SweepRunsAgain,
    NoFurtherTrials,
    NoFurtherTrialsUntilResumed,
    QueuedStopped,      ///< Count; because: a budget
    QueuedKept,         ///< Count
    QueuedPaused,       ///< Count
    QueuedResume,       ///< Count
    QueuedStart,        ///< they start again when devices are free
    RunningFinish,      ///< Count
    RunningCheckpoint,  ///< Count
    RunningTerminated,  ///< Count; forced after Seconds
    RunningKilled,      ///< Count
    RunningSaved,       ///< Count save a checkpoint and release their devices
    RunningFrozen,      ///< Count
    RanksUnreachable,   ///< Count of them are on machines that cannot be reached now
    SavingStayPaused,   ///< Count
    PausesCancelled,    ///< Count
    FrozenResumed,      ///< Count
    CheckpointsResume,  ///< Count are queued and resume from their checkpoints
    TrialsEnded,        ///< Trials had ended before
    TrialsRetried,      ///< Count
    TrialsNotRetried,   ///< Trials neither failed nor were stopped
    TrialEnqueued,      ///< Trial starts before queued ones
    TrialsPrioritized,  ///< Count, to Priority
    TrialsMarked,       ///< Count
    SweepMarked,
    RunningTraced,    ///< Count write their traces
    TrialsNotTraced,  ///< Trials are not running
    NothingChanged,
    AlreadyStopping,  ///< Mode
    AlreadyArchived,
    NotArchived,
    SweepDeleted,  ///< Sweep with Count trials

    // Why a command was refused
    NoSuchSweep,    ///< Number
    NoSuchTrial,    ///< Trial of Sweep, which has Count
    SweepHasEnded,  ///< Sweep
    SweepIsActive,  ///< Sweep
    SweepIsStopping,
    SweepAlreadyPaused,
    NothingIsPaused,
    NothingToPause,
    ResumeSweepFirst,
    TrialsCannotFinish,  ///< only a sweep is stopped with `finish`
    NothingFailed,       ///< Sweep
    TrialStillEnding,    ///< Trial was pruned and its ranks are still ending
    BudgetMustGrow,      ///< because: the exhausted budget
    TrialsHaveEnded,
    MarkIsEmpty,
    NothingToTrace,
    TooManyTrials,         ///< Limit
    ParameterSwitchedOff,  ///< Parameter of the point; Detail: its condition, which does not hold
    PointTaken,            ///< by Trial
    NothingToUndo,
    InvalidInput,  ///< Detail: a validated value and its error
    DatabaseNotWritten,
    WorkspaceDeleted,
    FolderNotMoved,  ///< Detail
    WindowIsReadOnly,
    NotConnected,       ///< Detail: why
    NotAnswered,        ///< the engine ended before it answered
    HistoryTooLarge,    ///< of Trial, for one message
    NoEngine,           ///< connected to a read-only server
    DefinitionInvalid,  ///< Detail: the first problem
    InternalError,      ///< a bug of ours; the log has more

    // Why a job waits in Slurm's queue. Detail: Slurm's word for it; because: JobStartEstimated
    JobWaitsForPriority,
    JobWaitsForResources,
    JobWaitsForScheduler,  ///< the scheduler has not come to it, or prepares its start
    JobWaitsForLicenses,
    JobWaitsForJob,  ///< it was submitted to start after another one
    JobWaitsForReservation,
    JobWaitsForMaintenance,
    JobWaitsForUserLimit,   ///< of jobs, nodes or GPUs that a user may have at a time
    JobWaitsForGroupLimit,  ///< of an account or QOS, over all of its users
    JobWaitsForBudget,      ///< the time of an account or QOS is used up
    JobWaitsOtherwise,      ///< a reason that this version does not know
    JobBeginsLater,
    JobBeyondLimit,      ///< it asks for more, or less, than its QOS or account allows for a job
    JobBeyondPartition,  ///< it asks for more than its partition has
    JobImpossible,       ///< no node is like that
    JobNotAllowed,       ///< the account or QOS
    JobNodesUnavailable,
    JobPartitionClosed,
    JobReservationGone,
    JobDependencyFailed,
    JobHeldByUser,
    JobHeldByAdministrator,
    JobHeldAfterFailure,
    JobStartEstimated,  ///< Seconds from now, by Slurm

    JobsWaiting,  ///< Limit jobs of ours wait in Slurm's queue, and no further one is submitted

    // How a job of Slurm ended, or was submitted
    JobRuns,       ///< Number: its id; Detail: its nodes, if known; Count: attempts that it has run, if others before
    JobContinued,  ///< its trial gets another job, which is no retry; because: how the last one ended
    JobTimeLimit,  ///< its wall time was over
    JobPreempted,
    JobNodeFailed,  ///< its nodes
    JobOutOfMemory,
    JobCancelled,
    JobDeadlineMissed,
    JobNotLaunched,       ///< Slurm's word
    JobFailed,            ///< its script ended with ExitCode or by Signal
    JobNotContinued,      ///< it was to run a further attempt, and had ended
    JobVanished,          ///< Slurm knows no job of the attempt, and its agent reported no end
    JobRefused,           ///< by sbatch, whose message it is
    JobSubmitLimit,       ///< sbatch's message: no further job may be submitted at present
    ClusterUnreachable,   ///< the message of a command
    ClusterUnsuitable,    ///< Detail
    ClusterAsked,         ///< its controller has not answered yet
    ClusterRemoved,       ///< machines.toml has no [localhost.slurm] any more, and jobs are left
    SubmissionUncertain,  ///< whether sbatch's job was accepted; its message

    // What is wrong with a sweep or an engine at present
    DiskNearlyFull,      ///< Device: a folder on it
    EnergyUnknown,       ///< Count: attempts that an energy budget does not count
    DiskExhausted,       ///< Device: likewise
    DatabaseProblem,     ///< Detail
    TrialUnreachable,    ///< it runs on Machine, to which there is no connection
    TrialsUnreachable,   ///< likewise, Count of them: Trials
    AgentNotResponding,  ///< of Trial, for half a minute; stopped by Signal
    DatabaseRemoved,     ///< Device: its file, while the engine runs with Pid
    FilesNotCopied,      ///< Detail: from another machine to this one
    WorkspaceMoved,      ///< Before: its place; After: where it is, unless its disk is not accessible
    WorkspaceShared,     ///< Device: its place; Detail: the kind of its file system
    WorkspaceRestored,   ///< it is in its place again, with its database
    FolderNotRemoved,    ///< Detail: of a deleted sweep
    Rescued,             ///< the database was rebuilt from the sweep's files

    // How trials share GPUs if devices.per_gpu is "auto"
    AloneToMeasure,     ///< it has its GPUs alone, because the memory of no trial is known yet
    SharingMeasured,    ///< of an attempt: peak of Bytes in a GPU for each rank; because: PaceAlone, PaceShared
    PaceAlone,          ///< Value steps per second while it had its GPUs alone
    PaceShared,         ///< Value steps per second while Factor trials were on its GPU, on average
    SharingDoesNotPay,  ///< Factor trials on one GPU made Percent of the steps per second of one alone
    RerunAlone,  ///< Attempt ran out of memory on a shared GPU; the next has its GPUs alone; because: how it ended
};

/// A field of a fact; each has one type, independent of the code.
enum class Field : std::uint8_t {
    // integers
    Rank,
    Signal,
    ExitCode,
    Pid,
    Trial,
    Attempt,
    Retry,
    Limit,
    Count,
    Number,
    Step,
    Priority,
    IsError,  ///< 1: Detail is an error message; otherwise just the last line of a log
    Bytes,
    NeededBytes,
    Needed,
    Free,
    Places,
    Present,
    PerRank,
    Index,  ///< of a GPU; MIG instances have none
    Links,
    Version,
    Revision,
    Definition,
    Good,
    Bad,
    Bracket,
    Reports,  ///< entries of the pruning log
    // numbers
    Seconds,
    Longest,  ///< seconds
    Value,
    Bound,
    Factor,
    Percent,
    Probability,
    KilowattHours,
    Improvement,  ///< expected of a point, in units of the objective
    Risk,         ///< probability that a trial fails or violates a constraint
    // strings
    Ranks,     ///< "0,2,5"
    Trials,    ///< likewise, or with ranges: "2,4-9"
    Failure,   ///< launch::FailureKind
    Shortage,  ///< what the machine ran out of: "memory", "disk" or "memory,disk"
    Sweep,
    Workspace,
    Machine,  ///< of machines.toml
    Peer,     ///< likewise
    User,
    Process,  ///< its name
    Kind,     ///< "gpu" or "cpu"
    Parameter,
    Metric,
    Mode,      ///< sweep::StopMode
    Parallel,  ///< "ddp", "data_parallel", "model" or "hybrid"
    Path,      ///< "nvlink", "board", "switch", "switches", "host_bridge", "node", "system" or "unknown"
    Method,    ///< search::Method
    Key,
    Before,
    After,
    Device,
    Source,  ///< "train.py:6"
    Detail,  ///< message of another program or of the system, never one of ours
};

using Value = std::variant<std::int64_t, double, std::string>;

/// A code with its fields. Cheap to copy without fields, which is the usual case.
struct Fact {
    Code code = Code::None;
    std::vector<std::pair<Field, Value>> fields;  ///< in the order of Field
    std::vector<Fact> because;                    ///< the causes, or the parts

    Fact() = default;
    Fact(Code what) : code(what) {}  // NOLINT(google-explicit-constructor): a code alone is a fact

    /// Sets a field. Numbers are stored as the field's type.
    Fact with(Field field, std::int64_t value) &&;
    Fact with(Field field, int value) && { return std::move(*this).with(field, std::int64_t{value}); }
    Fact with(Field field, double value) &&;
    Fact with(Field field, std::string value) &&;
    Fact dueTo(Fact cause) &&;

    /// Return nullopt, or an empty string, if the fact has no such field.
    std::optional<std::int64_t> integer(Field field) const;
    std::optional<double> number(Field field) const;
    std::string text(Field field) const;

    bool operator==(const Fact &) const = default;
    explicit operator bool() const { return code != Code::None; }
};

using Facts = std::vector<Fact>;

/// Returns the rank in the fact, or else in its causes.
std::optional<int> rankIn(const Fact &fact);

/// Returns "rank_exited"; empty for None.
std::string_view nameOf(Code code);
std::optional<Code> codeOf(std::string_view name);
std::string_view nameOf(Field field);
std::optional<Field> fieldOf(std::string_view name);
/// Returns every code except None, in the order of the enumeration.
std::vector<Code> allCodes();
/// Returns the fields that facts of this code may have.
std::span<const Field> fieldsOf(Code code);

enum class FieldType { Integer, Number, Text };
FieldType typeOf(Field field);

/// Returns {"code": "rank_exited", "rank": 1, "exit_code": 3, "because": [...]}; empty for None. Numbers that are not
/// finite are strings.
std::string toJson(const Fact &fact);
/// A code of another version becomes Unknown; unknown fields are ignored. Corrupt: not such an object, or nested too
/// deeply.
Expected<Fact> fromJson(std::string_view untrusted);

}  // namespace sweepscope::facts
