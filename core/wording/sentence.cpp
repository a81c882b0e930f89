#include "wording/sentence.h"

#include "wording/devicesentence.h"
#include "wording/jobsentence.h"
#include "wording/memorysentence.h"
#include "wording/placeholders.h"
#include "wording/replysentence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace sweepscope::wording {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// Whether the fact waits for a connection to the machine of the trial.
bool namesUnreachable(const Fact &fact)
{
    return !fact.because.empty() && fact.because.front().code == Code::TrialUnreachable;
}

bool isSeveral(const std::string &list)
{
    return list.find(',') != std::string::npos;
}

/// Returns how a rank ended, with its last words and what the machine ran out of.
std::string failureOfRank(const Fact &fact)
{
    const std::string shortage = fact.text(Field::Shortage);
    const bool memory = shortage.find("memory") != std::string::npos;
    std::string sentence = fact.integer(Field::Rank) ? fill(text("rank {rank}"), fact) : text("a rank");
    sentence += fill(fact.code == Code::RankKilled ? text(" was killed by signal {signal}")
                                                   : text(" exited with code {exit_code}"),
                     fact);
    if (fact.integer(Field::Signal) == SIGKILL)
        sentence += memory ? text(" because the machine ran out of memory")
                           : text("; sent by another process, or by the kernel because memory ran out");
    if (fact.text(Field::Detail).empty())
        sentence += text("; its log is empty");
    else
        sentence += fill(
            fact.integer(Field::IsError) == 1 ? text(": {detail}") : text("; last line of its log: {detail}"), fact);
    if (!fact.text(Field::Source).empty())
        sentence += fill(text(" ({source})"), fact);
    if (shortage.find("disk") != std::string::npos)
        sentence += text("; the disk that holds its log is full");
    return sentence;
}

/// What is the case on each of the first machines.
std::string onMachines(const Fact &fact)
{
    constexpr std::size_t most = 4;
    std::string all;
    for (std::size_t i = 0; i < std::min(most, fact.because.size()); ++i)
        all += (i == 0 ? "" : "; ") + clause(fact.because[i]);
    const std::size_t more = fact.because.size() - std::min(most, fact.because.size());
    return more == 0 ? all
                     : all + "; "
                           + fill(text("and {count} more"),
                                  Fact(Code::None).with(Field::Count, static_cast<std::int64_t>(more)));
}

/// " (2, 4 to 9)"; empty if the fact does not name its trials.
std::string namedTrials(const Fact &fact)
{
    std::string names;
    for (const char c : fact.text(Field::Trials))
        names += c == ',' ? ", " : c == '-' ? text(" to ") : std::string(1, c);
    return names.empty() ? names : " (" + names + ")";
}

std::string capitalized(std::string sentence)
{
    if (!sentence.empty())
        sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return sentence;
}

/// What an edit would do.
std::string conditional(const Fact &fact)
{
    switch (fact.code) {
    case Code::TrialsAdded:
        return plural(fact, text("would add 1 trial"), text("would add {count} trials")) + namedTrials(fact);
    case Code::TrialsRemoved:
        return plural(fact, text("would remove 1 queued trial"), text("would remove {count} queued trials"))
               + namedTrials(fact);
    case Code::TrialsRestored:
        return plural(fact, text("would restore 1 trial"), text("would restore {count} trials")) + namedTrials(fact);
    case Code::TrialsUnchanged:
        return text("would add and remove no trials");
    case Code::TrialsToChoose:
        if (!fact.integer(Field::Count))
            return text("the search would choose trials until it is stopped");
        if (fact.integer(Field::Count) == 0)
            return text("the search would choose no more trials")
                   + (fact.because.empty() ? std::string() : fill(text(": {because}"), fact));
        return plural(fact, text("the search would choose 1 more trial"),
                      text("the search would choose {count} more trials"));
    case Code::QueuedStopped:
        return plural(fact, text("1 queued trial would be stopped"), text("{count} queued trials would be stopped"))
               + fill(text(": {because}"), fact);
    case Code::KeyChanged:
        return conditionalKeyChange(fact);
    case Code::SweepRunsAgain:
        return text("the sweep, which has ended, would run again");
    case Code::DefinitionApplied:
        return text("running and finished trials would keep their settings; attempts that start later would use the "
                    "new definition");
    case Code::NothingChanged:
        return text("nothing would change");
    default:
        return clause(fact);
    }
}

/// " with epochs = 60, lr = 0.01": of causes that are changed keys.
std::string newValues(const Fact &fact)
{
    std::string values;
    for (const Fact &change : fact.because)
        values += (values.empty() ? "" : ", ") + change.text(Field::Key) + " = " + change.text(Field::After);
    return values.empty() ? values : text(" with ") + values;
}

std::string withCauses(std::string sentence, const Fact &fact)
{
    for (const Fact &cause : fact.because)
        sentence += "; " + clause(cause);
    return sentence;
}

std::string exitedEarly(const Fact &fact)
{
    std::string sentence =
        fill(text("rank {rank} exited with code 0, but {ranks} then reported no step, printed nothing and "
                  "used no CPU, for {seconds}"),
             fact);
    if (!fact.text(Field::Detail).empty())
        sentence += fill(text("; last output of {ranks}: {detail}"), fact);
    return withCauses(std::move(sentence), fact);
}

std::string listed(const Fact &fact)
{
    std::string list;
    for (const Fact &part : fact.because)
        list += (list.empty() ? "" : ", ") + clause(part);
    return list;
}

std::string pruned(const Fact &fact)
{
    std::string sentence = fill(text("pruned at step {step}: "), fact);
    const bool hasValue = fact.number(Field::Value).has_value();
    switch (fact.code) {
    case Code::PrunedByPatience:
        sentence += plural(fact, "no new best for a comparison", "no new best for {count} comparisons");
        return sentence + (hasValue ? fill(text(" (best value {value})"), fact) : std::string());
    case Code::PrunedByThreshold:
        if (!hasValue)
            return sentence + text("the value is not a number");
        return sentence
               + fill(*fact.number(Field::Value) > fact.number(Field::Bound).value_or(0)
                          ? text("value {value} is above {bound}")
                          : text("value {value} is below {bound}"),
                      fact);
    case Code::PrunedByWilcoxon:
        return sentence + fill(text("worse than trial {trial} at {count} common steps (p = {probability})"), fact);
    case Code::PrunedByCommand:
        return sentence + fill(text("{detail}"), fact)
               + (hasValue ? fill(text(" (value {value})"), fact) : std::string());
    default:
        break;
    }
    sentence += hasValue ? fill(text("value {value}"), fact) : std::string(text("no value"));
    if (fact.code == Code::PrunedByMedian)
        return sentence + fill(text(", worse than {bound}, the median of {count} trials"), fact);
    if (fact.code == Code::PrunedByPercentile)
        return sentence + fill(text(", not among the best {percent}% of {count} trials (limit {bound})"), fact);
    return sentence
           + fill(fact.integer(Field::Bracket)
                      ? text(", not among the best 1/{factor} of {count} trials of bracket {bracket} (limit {bound})")
                      : text(", not among the best 1/{factor} of {count} trials (limit {bound})"),
                  fact);
}

/// With a space behind each comma of its trials.
Fact spaced(const Fact &fact)
{
    std::string trials;
    for (const char c : fact.text(Field::Trials))
        trials += c == ',' ? std::string(", ") : std::string(1, c);
    return trials.empty() ? fact : Fact(fact).with(Field::Trials, std::move(trials));
}

/// The density is the model's; a ratio says more than its logarithm.
std::string chosenByModel(const Fact &fact)
{
    const double ratio = std::exp(fact.number(Field::Value).value_or(0));
    std::array<char, 32> times{};
    std::snprintf(times.data(), times.size(), ratio < 9.95 ? "%.1f" : "%.0f", ratio);
    const bool isOneGood = fact.integer(Field::Good) == 1;
    std::string sentence;
    if (ratio < 1.05)
        sentence = text("the likeliest candidate, though no likelier among ");
    else if (std::isfinite(ratio) && ratio < 1e4)
        sentence = std::string(times.data()) + text(" times as likely among ");
    else
        sentence = text("over 10,000 times as likely among ");
    sentence += fill(isOneGood ? text("the one good trial") : text("the {good} good trials"), fact);
    sentence += fill(ratio < 1.05 ? text(" than among the {bad} others") : text(" as among the {bad} others"), fact);
    if (fact.integer(Field::Step))
        sentence += fill(text(", by their values at step {step}"), fact);
    const std::string trials = fact.text(Field::Trials);
    if (trials.empty())
        return sentence;
    return sentence
           + fill(isSeveral(trials) ? text("; near trials {trials}") : text("; near trial {trials}"), spaced(fact));
}

std::string chosenByPrediction(const Fact &fact)
{
    const auto percent = std::lround(100 * fact.number(Field::Probability).value_or(0));
    const auto risk = std::lround(100 * fact.number(Field::Risk).value_or(0));
    std::string sentence =
        plural(fact, text("{value} predicted from 1 result, "), text("{value} predicted from {count} results, "));
    if (!fact.number(Field::Probability)) {
        sentence += fill(text("with a {percent}% chance of being the first usable one"),
                         Fact(fact).with(Field::Percent, static_cast<double>(100 - risk)));
    } else {
        if (percent < 1)
            sentence +=
                fill(fact.number(Field::Improvement).value_or(0) > 0
                         ? text("with hardly any chance of beating {bound}, but no point was found with a larger "
                                "expected improvement than {improvement}")
                         : text("with hardly any chance of beating {bound}"),
                     fact);
        else if (percent > 99)
            sentence += fill(text("almost certainly better than {bound}"), fact);
        else
            sentence += fill(text("with a {percent}% chance of beating {bound}"),
                             Fact(fact).with(Field::Percent, static_cast<double>(percent)));
        if (risk >= 1)
            sentence += fill(text(", and a {percent}% risk of failing or violating a constraint"),
                             Fact(fact).with(Field::Percent, static_cast<double>(risk)));
    }
    if (fact.number(Field::Seconds))
        sentence += fill(text(", in about {seconds} of device time"), fact);
    const std::string trials = fact.text(Field::Trials);
    if (trials.empty())
        return sentence;
    return sentence
           + fill(isSeveral(trials) ? text("; most like trials {trials}") : text("; most like trial {trials}"),
                  spaced(fact));
}

/// In lower case unless it begins with a name. No default: a code without a sentence does not compile.
std::string words(const Fact &fact)
{
    switch (fact.code) {
    case Code::None:
        return {};
    case Code::Unknown:
        return fill(text("unknown reason \"{detail}\", stored by another version of Sweepscope"), fact);

    case Code::Queued:
        return text("queued");
    case Code::SweepPaused:
        return text("the sweep is paused");
    case Code::DiskFull:
        return text("waiting for free disk space");
    case Code::ConcurrencyLimit:
        return fact.integer(Field::Limit) == 1
                   ? text("limited to 1 trial at a time (devices.concurrent)")
                   : fill(text("limited to {limit} trials at a time (devices.concurrent)"), fact);
    case Code::BehindOlderSweep:
        return fill(text("waiting behind the older sweep {sweep}"), fact);
    case Code::BehindPriority:
        return fill(text("waiting behind the sweep {sweep}, which has a higher priority"), fact);
    case Code::WaitingForDevices:
        return waitingForDevices(fact);
    case Code::WaitingForCheckpoint:
        return fill(text("waits for {machine}, which has its checkpoint: {because}"), fact);
    case Code::WaitingForMachines:
        return text("waits for a machine: ") + onMachines(fact);
    case Code::OnMachine:
        return fill(text("{machine}: {because}"), fact);
    case Code::WaitingForNodes:
        return fill(fact.integer(Field::Count) == 0   ? text("needs {limit} machines at once, and none has room: ")
                    : fact.integer(Field::Count) == 1 ? text("needs {limit} machines at once, and 1 has room: ")
                                                      : text("needs {limit} machines at once, and {count} have room: "),
                    fact)
               + onMachines(fact);
    case Code::NodesUnreachable:
        return fill(text("its ranks on {machine} could not reach those on {peer}: {detail}"), fact);
    case Code::MachineConnecting:
        return text("not connected yet");
    case Code::MachineDiskFull:
        return fill(text("the disk of {machine} that holds {device} is full: free some space there"), fact);
    case Code::MachineUnreachable:
        return fill(text("cannot be reached: {detail}"), fact);
    case Code::MachineFull:
        return fill(fact.integer(Field::Limit) == 1 ? text("it is limited to 1 trial at a time")
                                                    : text("it is limited to {limit} trials at a time"),
                    fact);
    case Code::MachineRefused:
        return fill(fact.because.empty() ? text("refused a trial: {detail}") : text("refused a trial: {because}"),
                    fact);
    case Code::RetryScheduled:
        return fill(text("retry {retry} of {limit} in {seconds}; attempt {attempt} failed: {because}"), fact);

    case Code::RerunAlone:
        return fill(
            text("runs again, alone on its GPUs: attempt {attempt} ran out of memory on a shared GPU: {because}"),
            fact);

    case Code::PausedBeforeStart:
        return text("paused before it started");
    case Code::PauseRequested:
        return text("pause requested");
    case Code::PauseCancelled:
        return text("pause canceled");
    case Code::PausedAgain:
        return text("paused again while saving its checkpoint");
    case Code::PausedSaving:
        return text("paused: saving a checkpoint, then releasing its devices");
    case Code::PausedFrozen:
        return text("paused: frozen, keeps its devices");
    case Code::PausedSaved:
        return text("paused: checkpoint saved, devices released");
    case Code::Resumed:
        return text("resumed");
    case Code::ResumeRequested:
        return text("resume requested; saving its checkpoint first");
    case Code::ResumesFromCheckpoint:
        return text("queued; resumes from its checkpoint");

    case Code::StopRequested:
        return fill(text("stop requested ({mode})"), fact);
    case Code::Stopping:
        return namesUnreachable(fact)
                   ? fill(text("stops when the connection to {machine} is back"), fact.because.front())
                   : text("stopping");
    case Code::Killing:
        return namesUnreachable(fact)
                   ? fill(text("will be killed when the connection to {machine} is back"), fact.because.front())
                   : text("being killed");
    case Code::Stopped:
        return text("stopped");
    case Code::StoppedOnRequest:
        return text("stopped on request");
    case Code::KilledOnRequest:
        return text("killed on request");
    case Code::EndedOnRequest:
        return text("ended on request");
    case Code::SweepStoppedBeforeStart:
        return text("the sweep was stopped before this trial started");
    case Code::SweepStoppedWhilePaused:
        return text("the sweep was stopped while this trial was paused");

    case Code::RankExited:
    case Code::RankKilled:
        return failureOfRank(fact);
    case Code::RankNotStarted:
        return fill(text("rank {rank} could not be started: {detail}"), fact);
    case Code::AttemptNotStarted:
        return fill(text("the attempt could not be started: {detail}"), fact);
    case Code::AgentNotStarted:
        return fact.text(Field::Detail).empty() ? text("the agent did not start, and its log is empty")
                                                : fill(text("the agent did not start: {detail}"), fact);
    case Code::AgentCannotWrite:
        return text("the agent could not write to the attempt's folder");
    case Code::AgentLost:
        return fact.because.empty() ? fill(
                   text("the agent (process {pid}) was killed or the machine went down; its ranks ended with it"), fact)
                                    : fill(text("{because} (then the agent, process {pid}, was killed)"), fact);
    case Code::AgentSilent:
        return fill(text("the agent showed no activity for {seconds}"), fact);
    case Code::FolderVanished:
        return text("the attempt's folder was removed or renamed while it ran");
    case Code::EventsReplaced:
        return text("another program replaced the attempt's events.jsonl while it ran");
    case Code::EventsCut:
        return text("another program truncated the attempt's events.jsonl while it ran");
    case Code::EventsTooLarge:
        return text("another program wrote too much to the attempt's events.jsonl");
    case Code::EndUnconfirmed:
        return text("another program wrote the end of the attempt to its events.jsonl, but its agent kept running");
    case Code::EngineEndedBeforeStart:
        return text("the engine ended before it could start the attempt");
    case Code::MachineRemoved:
        return fill(text("its machine {machine} was removed from the workspace"), fact);
    case Code::MachineAway:
        return fill(text("its machine {machine} was unreachable for {seconds}"), fact);
    case Code::AttemptMissing:
        return text("the database has no attempt of this running trial");
    case Code::TimedOut:
        return fill(text("timed out: the attempt ran longer than {seconds} (run.timeout)"), fact);
    case Code::Hung:
        return withCauses(fill(text("hung: no step for {seconds}; the longest gap before was {longest}"), fact), fact);
    case Code::RanksBehind:
        return fill(isSeveral(fact.text(Field::Ranks))
                        ? text("{ranks} were behind at step {step}, the others at {bound}")
                        : text("{ranks} was behind at step {step}, the others at {bound}"),
                    fact);
    case Code::LastStep:
        return fill(text("the last step was {step}"), fact);
    case Code::RanksStopped:
        return fill(isSeveral(fact.text(Field::Ranks)) ? text("{ranks} are stopped by a signal")
                                                       : text("{ranks} is stopped by a signal"),
                    fact);
    case Code::ExitedEarly:
        return exitedEarly(fact);
    case Code::TelemetryProblem:
        return fill(text("telemetry was lost: {detail}"), fact);
    case Code::NotRetried:
        return fill(text("{because} (not retried: {failure})"), fact);
    case Code::ObjectiveMissing:
        return fill(text("completed without reporting the objective \"{metric}\""), fact);
    case Code::OtherFailure:
        return fill(text("{detail}"), fact);

    case Code::PrunedByMedian:
    case Code::PrunedByPercentile:
    case Code::PrunedByRank:
    case Code::PrunedByPatience:
    case Code::PrunedByThreshold:
    case Code::PrunedByWilcoxon:
    case Code::PrunedByCommand:
        return pruned(fact);
    case Code::Promoted:
        return fill(fact.integer(Field::Bracket)
                        ? text("continues: at step {step}, value {value} is now among the best 1/{factor} of {count} "
                               "trials of bracket {bracket} (limit {bound})")
                        : text("continues: at step {step}, value {value} is now among the best 1/{factor} of {count} "
                               "trials (limit {bound})"),
                    fact);
    case Code::TimeBudgetSpent:
        return fill(text("time budget spent: {seconds} since the launch"), fact);
    case Code::DeviceBudgetSpent:
        return fill(text("device budget spent: {seconds} of device time"), fact);
    case Code::EnergyBudgetSpent:
        return fill(text("energy budget spent: {kilowatt_hours} kWh"), fact);
    case Code::SamplerFailed:
        return fill(text("the program that chooses the points failed: {detail}"), fact);
    case Code::PrunerFailed:
        return fill(text("no further trial is pruned, because the program that decides failed: {detail}"), fact);
    case Code::WarmStartUnreadable:
        return fill(text("the results of other sweeps that the search starts from cannot be read: {detail}"), fact);
    case Code::RemovedByEdit:
        return text("removed by an edit of the sweep");
    case Code::Measuring:
        return text("measured; ending");
    case Code::Measured:
        return fill(text("measured for {seconds}"), fact);
    case Code::ProbeOutOfMemory:
        return fill(text("out of memory: {because}"), fact);
    case Code::BeyondMemory:
        return fill(text("not tried: {parameter} = {value} ran out of memory"), fact);
    case Code::DevicesImpossible:
        return devicesImpossible(fact);

    case Code::MachinesImpossible:
        return text("no machine can run it: ") + onMachines(fact);
    case Code::MachineUnknown:
        return fill(text("the workspace has no such machine; add it with `sweepctl machine add {machine} ADDRESS`"),
                    fact);
    case Code::TooFewMachines:
        return fill(text("it needs {limit} machines, and may use {count} (devices.machines)"), fact);
    case Code::RanksNotDivisible:
        return fill(text("{count} ranks cannot be divided equally among {limit} machines (devices.nodes)"), fact);
    case Code::DevicesInUse:
        return plural(fact, text("1 is in use"), text("{count} are in use"));
    case Code::RanksOnOthers:
        return plural(fact, text("1 rank is on the others"), text("{count} ranks are on the others"));
    case Code::GpuMemoryShort:
    case Code::GpuReserved:
    case Code::GpuDraining:
    case Code::GpuLeased:
    case Code::GpuUsed:
    case Code::GpuLost:
    case Code::GpuNeedsReset:
    case Code::GpuNotPermitted:
    case Code::GpuBlocked:
    case Code::GpuTakenAway:
    case Code::GpuUnusable:
    case Code::GpuNotAnswering:
    case Code::GpuAnswersLate:
    case Code::GpuNotRead:
    case Code::GpuExcluded:
    case Code::GpuReportedXid:
    case Code::GpuSplit:
    case Code::GpuWithoutUuid:
    case Code::GpuUuidRepeated:
        return conditionOfGpu(fact);
    case Code::GpusConnected:
        return connectionOfGpus(fact);
    case Code::MemoryFits:
    case Code::MemoryShort:
    case Code::ModelUnsplit:
        return parallelLayout(fact) + ": " + memoryVerdict(fact);
    case Code::AloneToMeasure:
        return text("runs alone on its GPUs until the memory of a trial is measured");
    case Code::SharingMeasured: {
        std::string sentence = fill(text("each rank used up to {bytes} of GPU memory"), fact);
        for (const Fact &pace : fact.because)
            sentence += "; " + clause(pace);
        return sentence;
    }
    case Code::PaceAlone:
        return fill(text("{value} steps/s alone on its GPUs"), fact);
    case Code::PaceShared:
        return fill(text("{value} steps/s with {factor} trials on its GPU"), fact);
    case Code::SharingDoesNotPay:
        return fill(text("sharing does not pay: {factor} trials on one GPU made {percent}% of the steps per second of "
                         "one alone"),
                    fact);
    case Code::GpusNotPinned:
        return plural(fact, text("1 is not pinned"), text("{count} are not pinned"));
    case Code::DevicesBeingTaken:
        return text("another engine on this machine is allocating devices");
    case Code::LeasesUnavailable:
        return fill(text("the leases of this machine cannot be used: {detail}"), fact);
    case Code::CpuSlotsUsed:
        return plural(fact, text("1 CPU slot is used by {because}"), text("{count} CPU slots are used by {because}"));
    case Code::DeviceHolder:
        return fill(text("{sweep}, trial {trial} of {user} (process {pid}, workspace {workspace})"), fact);

    case Code::TargetReached:
        return fill(text("trial {trial} reached {value}: the target was {bound}"), fact);
    case Code::ImprovementSmall:
        return fill(text("the expected improvement of the next point is {improvement}, below {bound}"), fact);
    case Code::NoImprovement:
        return fact.integer(Field::Trial)
                   ? fill(text("{count} trials ended without a better result than trial {trial}"), fact)
                   : fill(text("{count} trials ended without a usable result"), fact);
    case Code::PointsExhausted:
        if (!fact.integer(Field::Count))
            return text(
                "no untried point was found: values are rounded to 12 digits, and this space has few such values");
        return plural(fact, text("the only point of the space has been tried"),
                      text("all {count} points of the space have been tried"));
    case Code::RepeatsDone:
        if (!fact.integer(Field::Count))
            return text("no point is left to repeat");
        return plural(fact, text("no point is left to repeat, and 1 trial is too few for a new one"),
                      text("no point is left to repeat, and {count} trials are too few for a new one"));
    case Code::ResultsAwaited:
        return text("waiting for results");
    case Code::PopulationDone:
        return text("every trial of the population has ended; none is left to continue from");
    case Code::SamplerAwaited:
        return text("the next trial is waiting for the program that chooses the points");
    case Code::CheckpointAwaited:
        return fill(text("the next trial is waiting for trial {trial} to save a checkpoint"), fact);
    case Code::CheckpointNotCopied:
        return fill(text("the checkpoint of trial {trial} could not be copied: {detail}"), fact);
    case Code::ConstraintsTight:
        return text("no untried point was found that satisfies the constraints");
    case Code::ChosenAtRandom:
        return fact.because.empty() ? text("drawn at random") : fill(text("drawn at random: {because}"), fact);
    case Code::GpUnsuited:
        return text("instead of GP, which needs a single objective with finite results");
    case Code::CmaesUnsuited:
        return text("instead of CMA-ES, which needs a single objective, and no categories or conditions");
    case Code::AnswersRejected:
        return fill(text("{count} answers of the program were points that are forbidden or already tried"), fact);
    case Code::ChosenInSequence:
        return fill(text("point {number} of the Sobol sequence"), fact);
    case Code::ChosenToStart:
        return withCauses(fill(text("even coverage until there are {needed} results ({count} so far)"), fact), fact);
    case Code::ChosenToExplore:
        return text("even coverage: one in four of the first points ignores the results of other sweeps, in case they "
                    "mislead");
    case Code::ChosenByModel:
        return withCauses(chosenByModel(fact), fact);
    case Code::ChosenByPrediction:
        return chosenByPrediction(fact);
    case Code::ChosenByCrossover:
        return fill(isSeveral(fact.text(Field::Trials))
                        ? text("crossed from trials {trials}, two of the best {count}, and changed slightly")
                        : text("changed slightly from trial {trials}, one of the best {count}"),
                    spaced(fact));
    case Code::ChosenToContinue:
        if (!fact.integer(Field::Good))
            return fill(text("continues from the checkpoint of trial {trial}"), fact) + newValues(fact);
        return fill(
            fact.integer(Field::Good) == 1
                ? text("continues from trial {trial}, the best of {count} at step {step} ({value}), with changed "
                       "settings")
                : text("continues from trial {trial}, one of the best {good} of {count} at step {step} ({value}), "
                       "with changed settings"),
            fact);
    case Code::ChosenByCommand:
        return fill(text("chosen by {detail}"), fact);
    case Code::ChosenByEvolution:
        if (fact.integer(Field::Number) == 1)
            return fact.integer(Field::Good)
                       ? text("drawn in the first generation, around the best results of other sweeps")
                       : text("drawn in the first generation, around the middle of the space");
        return fill(text("drawn in generation {number}, based on {count} results"), fact);
    case Code::ChosenFromRest:
        return plural(fact, text("the last untried point"), text("one of the last {count} untried points"));
    case Code::ChosenByRunnerUp:
        return fill(text("auto's second method: {because}"), fact);
    case Code::ChosenFromGrid:
        return fill(text("point {number} of the grid"), fact);
    case Code::ChosenToRepeat:
        return fill(text("run {number} of {count} of the point of trial {trial}"), fact);
    case Code::AutoCovers:
        return plural(fact, text("auto tries the only point"),
                      text("auto tries all {count} points, evenly spread, because there are enough trials"));
    case Code::AutoPredicts:
        return fact.integer(Field::Limit)
                   ? fill(text("auto uses GP, which needs the fewest trials, for {limit} results, then TPE"), fact)
                   : text("auto uses GP, which needs the fewest trials, and TPE for every fifth point");
    case Code::AutoLearns:
        return fact.integer(Field::Number)
                   ? fill(text("auto uses TPE, because there are {number} objectives"), fact)
                   : fill(text("auto uses TPE, because {count} parameters are too many for GP"), fact);
    case Code::SearchLaunched:
        return fact.integer(Field::Limit) ? fill(text("launched as a search of {limit} trials"), fact)
                                          : text("launched as a search without a number of trials");
    case Code::Launched:
        return plural(fact, text("launched with 1 trial"), text("launched with {count} trials"));
    case Code::LastTrialEnded:
        return text("the last trial ended");
    case Code::Paused:
        return text("paused");
    case Code::RetryRequested:
        return text("retry requested");
    case Code::PriorityChanged:
        return fill(text("priority set to {priority}"), fact);
    case Code::Edited:
        return text("edited: ") + listed(fact);
    case Code::EditUndone:
        return text("edit undone: ") + listed(fact);
    case Code::TrialAdded:
        return fill(text("trial {trial} added"), fact);
    case Code::Marked:
        return listed(fact);
    case Code::Starred:
        return text("starred");
    case Code::Unstarred:
        return text("star removed");
    case Code::TagsAdded:
        return fill(text("tagged {detail}"), fact);
    case Code::TagsRemoved:
        return fill(text("tags removed: {detail}"), fact);
    case Code::NoteChanged:
        return text("note changed");
    case Code::TraceRequested:
        return plural(fact, text("trace of 1 step requested"), text("trace of {count} steps requested"));
    case Code::TraceNotRequested:
        return fill(text("no trace was requested: {detail}"), fact);
    case Code::Archived:
        return fact.text(Field::Sweep).empty() ? text("archived") : fill(text("archived {sweep}"), fact);
    case Code::Unarchived:
        return fact.text(Field::Sweep).empty() ? text("restored from the archive")
                                               : fill(text("restored {sweep} from the archive"), fact);

    case Code::TrialsAdded:
        return plural(fact, text("1 trial added"), text("{count} trials added"));
    case Code::TrialsRemoved:
        return plural(fact, text("1 queued trial removed"), text("{count} queued trials removed"));
    case Code::TrialsRestored:
        return plural(fact, text("1 trial restored"), text("{count} trials restored"));
    case Code::TrialsUnchanged:
        return text("no trials added or removed");
    case Code::TrialsToChoose:
        if (!fact.integer(Field::Count))
            return text("the search chooses trials until it is stopped");
        if (fact.integer(Field::Count) == 0)
            return text("the search chooses no more trials")
                   + (fact.because.empty() ? std::string() : fill(text(": {because}"), fact));
        if (fact.integer(Field::Limit))  // of runs of each point
            return fill(text("the search chooses up to {count} more trials"), fact);
        return plural(fact, text("the search chooses 1 more trial"), text("the search chooses {count} more trials"));
    case Code::KeyChanged:
        return keyChange(fact);
    case Code::DefinitionApplied:
        return text("running and finished trials keep their settings; attempts that start from now on use the new "
                    "definition");
    case Code::SweepRunsAgain:
        return text("the sweep, which had ended, runs again");
    case Code::NoFurtherTrials:
        return text("no further trials start");
    case Code::NoFurtherTrialsUntilResumed:
        return text("no further trials start until the sweep is resumed");
    case Code::QueuedStopped:
        if (!fact.integer(Field::Count))
            return fill(text("queued trials are stopped: {because}"), fact);
        return plural(fact, text("1 queued trial is stopped"), text("{count} queued trials are stopped"))
               + (fact.because.empty() ? std::string() : fill(text(": {because}"), fact));
    case Code::QueuedKept:
        return plural(fact, text("1 queued trial keeps its place"), text("{count} queued trials keep their places"));
    case Code::QueuedPaused:
        return plural(fact, text("1 queued trial does not start"), text("{count} queued trials do not start"));
    case Code::QueuedResume:
        return plural(fact, text("1 trial is queued again"), text("{count} trials are queued again"));
    case Code::QueuedStart:
        return text("queued trials start again when devices are free");
    case Code::RunningFinish:
        return plural(fact, text("1 running trial may finish"), text("{count} running trials may finish"));
    case Code::RunningCheckpoint:
        return plural(fact,
                      text("1 running trial is asked to save a checkpoint and end; ranks that do not check for the "
                           "request run to completion"),
                      text("{count} running trials are asked to save a checkpoint and end; ranks that do not check for "
                           "the request run to completion"));
    case Code::RunningTerminated:
        return plural(fact, text("1 running trial is being stopped (killed after {seconds})"),
                      text("{count} running trials are being stopped (killed after {seconds})"));
    case Code::RunningKilled:
        return plural(fact, text("1 running trial is killed"), text("{count} running trials are killed"));
    case Code::RunningSaved:
        return plural(fact, text("1 running trial saves a checkpoint and releases its devices"),
                      text("{count} running trials save a checkpoint and release their devices"));
    case Code::RunningFrozen:
        return plural(fact, text("1 running trial is frozen and keeps its devices and their memory"),
                      text("{count} running trials are frozen and keep their devices and their memory"));
    case Code::RanksUnreachable:
        return plural(fact, text("1 of them is on an unreachable machine, and follows when the connection is back"),
                      text("{count} of them are on unreachable machines, and follow when the connections are back"));
    case Code::SavingStayPaused:
        return plural(fact, text("1 trial stays paused after its checkpoint is saved"),
                      text("{count} trials stay paused after their checkpoints are saved"));
    case Code::PausesCancelled:
        return plural(fact, text("the pause of 1 starting trial is canceled"),
                      text("the pauses of {count} starting trials are canceled"));
    case Code::FrozenResumed:
        return plural(fact, text("1 frozen trial continues"), text("{count} frozen trials continue"));
    case Code::CheckpointsResume:
        return plural(fact, text("1 paused trial is queued and resumes from its checkpoint"),
                      text("{count} paused trials are queued and resume from their checkpoints"));
    case Code::TrialsEnded:
        return fill(isSeveral(fact.text(Field::Trials)) ? text("trials {trials} have already ended")
                                                        : text("trial {trials} has already ended"),
                    fact);
    case Code::TrialsRetried:
        return plural(fact, text("1 trial is queued for another attempt"),
                      text("{count} trials are queued for another attempt"));
    case Code::TrialsNotRetried:
        return fill(text("not retried, because they neither failed nor were pruned or stopped: {trials}"), fact);
    case Code::TrialEnqueued:
        return fill(text("trial {trial} is added and starts before the queued trials"), fact);
    case Code::TrialsPrioritized:
        return plural(fact, text("1 trial has priority {priority}"), text("{count} trials have priority {priority}"));
    case Code::TrialsMarked:
        return markReply(fact, fact.integer(Field::Trial) ? fill(text("trial {trial}"), fact)
                                                          : fill(text("{count} trials"), fact));
    case Code::SweepMarked:
        return markReply(fact, fact.text(Field::Sweep));
    case Code::RunningTraced:
        return plural(
            fact, text("1 running trial was asked; PyTorch's profiler writes a file per rank to its folder"),
            text("{count} running trials were asked; PyTorch's profiler writes a file per rank to their folders"));
    case Code::TrialsNotTraced:
        return fill(text("not traced, because they are not running: {trials}"), fact);
    case Code::NothingChanged:
        return text("nothing changed");
    case Code::AlreadyStopping:
        return fill(text("the sweep is already being stopped ({mode})"), fact);
    case Code::AlreadyArchived:
        return text("the sweep is already archived");
    case Code::NotArchived:
        return text("the sweep is not archived");
    case Code::SweepDeleted:
        return plural(fact, text("deleted {sweep} with 1 trial; the files are being removed"),
                      text("deleted {sweep} with {count} trials; the files are being removed"));

    case Code::NoSuchSweep:
        return fill(text("there is no sweep {number}"), fact);
    case Code::NoSuchTrial:
        return fill(text("the sweep {sweep} has no trial {trial}; it has {count}"), fact);
    case Code::SweepHasEnded:
        return fill(text("the sweep {sweep} has already ended"), fact);
    case Code::SweepIsActive:
        return fill(text("the sweep {sweep} has not ended; stop it first"), fact);
    case Code::SweepIsStopping:
        return text("the sweep is being stopped; try again when it has ended");
    case Code::SweepAlreadyPaused:
        return text("the sweep is already paused");
    case Code::NothingIsPaused:
        return text("nothing is paused");
    case Code::NothingToPause:
        return text("none of these trials is queued or running");
    case Code::ResumeSweepFirst:
        return text("the whole sweep is paused; resume the sweep");
    case Code::TrialsCannotFinish:
        return text("only a sweep can be stopped with \"finish\"; a trial finishes by itself");
    case Code::NothingFailed:
        return fill(text("the sweep {sweep} has no failed or lost trials; name the trials to run again"), fact);
    case Code::TrialStillEnding:
        return fill(text("trial {trial} was pruned and its ranks are still ending; retry it when they have ended"),
                    fact);
    case Code::BudgetMustGrow:
        return fill(text("{because}; raise the limit first (edit the sweep)"), fact);
    case Code::TrialsHaveEnded:
        return text("these trials have already ended");
    case Code::MarkIsEmpty:
        return text("name a star, tags or a note");
    case Code::NothingToTrace:
        return text("none of these trials is running");
    case Code::TooManyTrials:
        return fill(text("the sweep has reached the limit of {limit} trials"), fact);
    case Code::ParameterSwitchedOff:
        return fill(text("the condition of {parameter} ({detail}) does not hold; leave out {parameter}"), fact);
    case Code::PointTaken:
        return fill(text("trial {trial} has the same parameters; change one of them"), fact);
    case Code::NothingToUndo:
        return text("the sweep has no edit to undo");
    case Code::InvalidInput:
        return fill(text("{detail}"), fact);
    case Code::DatabaseNotWritten:
        return text("nothing was changed: the database cannot be written; see engine.log");
    case Code::WorkspaceDeleted:
        return text("the workspace was deleted, and its engine is exiting; try again");
    case Code::FolderNotMoved:
        return fill(text("nothing was deleted: {detail}"), fact);

    case Code::WindowIsReadOnly:
        return text("this window is read-only");
    case Code::NotConnected:
        return fact.text(Field::Detail).empty() ? text("not connected to the engine")
                                                : fill(text("not connected to the engine: {detail}"), fact);
    case Code::NotAnswered:
        return text(
            "the engine ended before it answered: check whether the request was carried out before you repeat it");
    case Code::HistoryTooLarge:
        return fill(text("the history of trial {trial} is too large to show here; see \"sweepctl history\""), fact);
    case Code::NoEngine:
        return text("no engine is running: this is the last known state, and nothing will change");
    case Code::DefinitionInvalid:
        return fill(text("{detail}"), fact);
    case Code::InternalError:
        return text("nothing was changed because of an internal error; see engine.log");

    case Code::JobWaitsForPriority:
    case Code::JobWaitsForResources:
    case Code::JobWaitsForScheduler:
    case Code::JobWaitsForLicenses:
    case Code::JobWaitsForJob:
    case Code::JobWaitsForReservation:
    case Code::JobWaitsForMaintenance:
    case Code::JobWaitsForUserLimit:
    case Code::JobWaitsForGroupLimit:
    case Code::JobWaitsForBudget:
    case Code::JobWaitsOtherwise:
    case Code::JobBeginsLater:
    case Code::JobBeyondLimit:
    case Code::JobBeyondPartition:
    case Code::JobImpossible:
    case Code::JobNotAllowed:
    case Code::JobNodesUnavailable:
    case Code::JobPartitionClosed:
    case Code::JobReservationGone:
    case Code::JobDependencyFailed:
    case Code::JobHeldByUser:
    case Code::JobHeldByAdministrator:
    case Code::JobHeldAfterFailure:
    case Code::JobStartEstimated:
    case Code::JobsWaiting:
    case Code::JobRuns:
    case Code::JobContinued:
    case Code::JobTimeLimit:
    case Code::JobPreempted:
    case Code::JobNodeFailed:
    case Code::JobOutOfMemory:
    case Code::JobCancelled:
    case Code::JobDeadlineMissed:
    case Code::JobNotLaunched:
    case Code::JobFailed:
    case Code::JobNotContinued:
    case Code::JobVanished:
    case Code::JobRefused:
    case Code::JobSubmitLimit:
    case Code::ClusterUnreachable:
    case Code::ClusterUnsuitable:
    case Code::ClusterAsked:
    case Code::ClusterRemoved:
    case Code::SubmissionUncertain:
        return jobClause(fact);
    case Code::EnergyUnknown:
        return plural(fact,
                      text("the energy of {count} attempt is unknown and does not count toward the energy budget"),
                      text("the energy of {count} attempts is unknown and does not count toward the energy budget"));
    case Code::DiskNearlyFull:
        return fill(text("the disk of {device} is nearly full"), fact);
    case Code::DiskExhausted:
        return fill(text("the disk of {device} is full: free some space; until then, no trials start and "
                         "running trials keep their reports in memory"),
                    fact);
    case Code::DatabaseProblem:
        return fill(text("{detail}"), fact);
    case Code::TrialUnreachable:
        return fill(text("no connection to {machine}, where the trial keeps running"), fact);
    case Code::TrialsUnreachable:
        if (!fact.text(Field::Mode).empty())
            return fill(fact.integer(Field::Count) == 1
                            ? text("no connection to {machine}; trial {trials} stops when it is back")
                            : text("no connection to {machine}; {count} trials stop when it is back"),
                        fact)
                   + (fact.integer(Field::Count) == 1 ? "" : namedTrials(fact));
        return fill(fact.integer(Field::Count) == 1
                        ? text("no connection to {machine}; trial {trials} keeps running there")
                        : text("no connection to {machine}; {count} trials keep running there"),
                    fact)
               + (fact.integer(Field::Count) == 1 ? "" : namedTrials(fact));
    case Code::AgentNotResponding:
        return fill(fact.integer(Field::Signal)
                        ? text("the agent of trial {trial} shows no activity: it was stopped by signal {signal}")
                        : text("the agent of trial {trial} shows no activity"),
                    fact);
    case Code::DatabaseRemoved:
        return fill(text("the database {device} was removed or replaced, so no trials start; end the engine (kill "
                         "{pid}), which saves its database there unless another file is in its place"),
                    fact);
    case Code::FilesNotCopied:
        return fill(text("files of the other machine cannot be copied here: {detail}"), fact);
    case Code::WorkspaceMoved:
        return fill(fact.text(Field::After).empty()
                        ? text("the workspace {before} is not accessible: until it is, no trials start and running "
                               "trials are not monitored")
                        : text("the workspace {before} was moved to {after}: until it is moved back, no trials start "
                               "and running trials are not monitored"),
                    fact);
    case Code::WorkspaceShared:
        return fill(
            text("the workspace {device} is on a network or FUSE file system ({detail}): use it from one machine "
                 "only, because engines on two machines may not notice each other"),
            fact);
    case Code::WorkspaceRestored:
        return text("the workspace is accessible again; the engine continues");
    case Code::FolderNotRemoved:
        return fill(text("the files of a deleted sweep could not be removed: {detail}"), fact);
    case Code::Rescued:
        return text("the database was rebuilt from the sweep's files");
    }
    return {};
}

}  // namespace

std::string clause(const Fact &fact)
{
    return words(fact);
}

std::string preview(const facts::Facts &facts)
{
    std::string all;
    for (const Fact &fact : facts)
        all += (all.empty() ? "" : " ") + capitalized(conditional(fact)) + ".";
    return all;
}

std::string sentence(const Fact &fact)
{
    std::string sentence = words(fact);
    // Keep the case of other programs' messages and of names.
    const auto startsWith = [&](Field field) {
        const std::string text = fact.text(field);
        return !text.empty() && sentence.starts_with(text);
    };
    if ((fact.code == Code::KeyChanged && startsWith(Field::Key)) || startsWith(Field::Detail)
        || startsWith(Field::Machine))
        return sentence;
    return capitalized(std::move(sentence));
}

std::string sentences(const facts::Facts &facts)
{
    std::string all;
    for (const Fact &fact : facts)
        all += (all.empty() ? "" : " ") + sentence(fact) + ".";
    return all;
}

std::string failure(std::string kind)
{
    std::ranges::replace(kind, '_', ' ');  // the names are chosen so that this gives words
    return kind;
}

std::string duration(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (seconds < 1)
        return number(std::round(seconds * 1000)) + " ms";
    if (seconds < 10)
        return number(std::round(seconds * 10) / 10) + " s";
    if (whole < 120 && whole % 60 != 0)
        return std::to_string(whole) + " s";
    if (whole < 7200 && whole % 3600 != 0)
        return std::to_string(whole / 60) + " min" + (whole % 60 != 0 ? " " + std::to_string(whole % 60) + " s" : "");
    const std::int64_t minutes = (whole + 30) / 60;
    return std::to_string(minutes / 60) + " h" + (minutes % 60 != 0 ? " " + std::to_string(minutes % 60) + " min" : "");
}

std::string number(double value)
{
    if (value == 0)
        return "0";
    const double size = std::abs(value);
    if (size >= 10'000 && size < 1e15) {
        const double shown = size < 1e6 ? std::round(value * 10) / 10 : std::round(value);
        const auto whole = static_cast<std::int64_t>(shown);
        const auto tenth = static_cast<std::int64_t>(std::llround((shown - static_cast<double>(whole)) * 10));
        return grouped(whole) + (tenth != 0 && size < 1e5 ? "." + std::to_string(std::abs(tenth)) : "");
    }
    std::array<char, 32> shown{};
    std::snprintf(shown.data(), shown.size(), "%.6g", value);
    return shown.data();
}

std::string ranks(const std::string &list)
{
    constexpr std::ptrdiff_t mostRanksNamed = 8;
    const std::ptrdiff_t several = std::ranges::count(list, ',');
    if (several >= mostRanksNamed)
        return std::to_string(several + 1) + text(" ranks");
    if (several == 0)
        return text("rank ") + list;
    std::string named = text("ranks ");
    for (std::size_t begin = 0, place = 0; begin < list.size(); ++place) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        named += (place == 0 ? "" : end == list.size() ? text(" and ") : ", ") + list.substr(begin, end - begin);
        begin = end + 1;
    }
    return named;
}

std::string ranks(const std::vector<int> &numbers)
{
    std::string list;
    for (const int number : numbers)
        list += (list.empty() ? "" : ",") + std::to_string(number);
    return ranks(list);
}

}  // namespace sweepscope::wording
