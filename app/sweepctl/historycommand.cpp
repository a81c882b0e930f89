#include "argumentchecks.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "launchwords.h"
#include "machinetext.h"
#include "rankreports.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "engine/prunereplay.h"
#include "engine/searchreplay.h"
#include "engine/trialhistory.h"
#include "wording/sentence.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

struct HistoryOptions {
    std::string workspace;
    std::string sweep;
    int trial = 0;
    bool json = false;
    bool replay = false;
};

struct History {
    const sweep::SweepRecord *sweep = nullptr;
    sweep::TrialHistory past;
};

Expected<History> readHistory(const StoredSweeps &stored, const HistoryOptions &options)
{
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored.sweeps(), options.sweep, Wanted::Any);
    if (!sweep)
        return tl::unexpected<Error>(sweep.error());
    if (options.trial > (*sweep)->trialsTotal)
        return makeError(ErrorCode::BadInput, "the sweep " + (*sweep)->folder + " has no trial "
                                                  + std::to_string(options.trial) + "; it has "
                                                  + std::to_string((*sweep)->trialsTotal));
    engine::StoreReader reader = stored.reader();
    return engine::readTrialHistory(reader, stored.workspace(), **sweep, options.trial)
        .map([&](sweep::TrialHistory &&past) {
            return History{*sweep, std::move(past)};
        });
}

void printEntry(const sweep::HistoryEntry &entry)
{
    std::cout << localTimeInWords(entry.time) << "  "
              << (entry.trial == 0 ? std::string("sweep") : "trial " + std::to_string(entry.trial)) << "  ";
    if (entry.before.empty() || entry.before == entry.after)
        std::cout << entry.after;
    else
        std::cout << entry.before << " -> " << entry.after;
    if (entry.reason)
        std::cout << "  " << wording::sentence(entry.reason);
    std::cout << '\n';
}

/// Returns the CPUs and the number of threads that the engine assigned; the user's environment may override the
/// threads.
std::string coresInWords(const sweep::AttemptLaunch &launch, std::size_t rank)
{
    const bool isBound = rank < launch.cpus.size() && !launch.cpus[rank].empty();
    return (isBound ? "; bound to CPU " + launch.cpus[rank] : "; any CPU") + ", " + std::to_string(launch.threads)
           + (launch.threads == 1 ? " thread" : " threads");
}

RankReports reportsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                      const sweep::AttemptRecord &attempt)
{
    const std::size_t ranks = attempt.launch ? attempt.launch->devices.size() : 0;
    return readRankReports(workspace.attempt(sweep.folder, attempt.trial, attempt.number), static_cast<int>(ranks));
}

void printAttempt(const sweep::AttemptRecord &attempt, const RankReports &reports)
{
    std::cout << "\nattempt " << attempt.number << "  " << (attempt.outcome.empty() ? "running" : attempt.outcome);
    if (attempt.ended)
        std::cout << " after " << durationInWords(toSeconds(*attempt.ended - attempt.created));
    std::cout << '\n';
    if (!attempt.failure.empty())
        std::cout << "  failure      " << wording::failure(attempt.failure) << '\n';
    if (attempt.reason)
        std::cout << "  reason       " << wording::sentence(attempt.reason) << '\n';
    if (!attempt.launch)
        return;
    const sweep::AttemptLaunch &launch = *attempt.launch;
    std::cout << "  command      " << commandInWords(launch.command) << '\n'
              << "  folder       " << launch.folder << '\n';
    if (launch.source)
        std::cout << "  revision     " << revisionInWords(*launch.source) << '\n';
    if (launch.source && (!launch.source->tree.empty() || !launch.source->problem.empty()))
        std::cout << "  snapshot     " << snapshotInWords(*launch.source) << '\n';
    for (std::size_t rank = 0; rank < launch.devices.size(); ++rank)
        std::cout << "  rank " << rank << " on    "
                  << (launch.devices[rank].empty() ? "devices that Slurm chose"
                                                   : deviceListInWords(launch.devices[rank]))
                  << coresInWords(launch, rank) << '\n';
    if (launch.deviceGroup)
        std::cout << "  group        " << wording::clause(launch.deviceGroup) << '\n';
    for (const auto &[name, value] : launch.environment)
        std::cout << "  environment  " << name << '=' << value << '\n';
    for (const std::string &trace : reports.traces)
        std::cout << "  trace        " << trace << '\n';
    for (const auto &[rank, event] : reports.events)
        std::cout << "  event        " << localTimeInWords(event.timeNs) << "  rank " << rank << ", step " << event.step
                  << ": " << printable(event.text) << '\n';
}

Json toJson(const std::optional<sweep::SourceState> &source)
{
    const auto orNull = [](const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); };
    if (!source || (source->revision.empty() && source->tree.empty() && source->problem.empty()))
        return nullptr;
    return {{"revision", orNull(source->revision)},
            {"branch", orNull(source->branch)},
            {"changed", source->isChanged},
            {"snapshot", orNull(source->tree)},
            {"snapshot_problem", orNull(source->problem)}};
}

std::string kindOf(const feed::Event &event)
{
    return event.kind == feed::EventKind::Message   ? "message"
           : event.kind == feed::EventKind::Warning ? "warning"
                                                    : "error";
}

/// Null for a rank that is not bound.
Json cpuLists(const sweep::AttemptLaunch &launch)
{
    Json lists = Json::array();
    for (const std::string &cpus : launch.cpus)
        lists.push_back(cpus.empty() ? Json(nullptr) : Json(cpus));
    return lists;
}

Json toJson(const std::vector<RankEvent> &events)
{
    Json list = Json::array();
    for (const auto &[rank, event] : events)
        list.push_back({{"time", toIso8601(event.timeNs)},
                        {"rank", rank},
                        {"step", event.step},
                        {"kind", kindOf(event)},
                        {"text", event.text}});
    return list;
}

Json toJson(const sweep::AttemptRecord &attempt, const RankReports &reports)
{
    Json json{{"number", attempt.number},
              {"created", toIso8601(attempt.created)},
              {"ended", attempt.ended ? Json(toIso8601(*attempt.ended)) : Json(nullptr)},
              {"outcome", attempt.outcome.empty() ? Json(nullptr) : Json(attempt.outcome)},
              {"failure", attempt.failure.empty() ? Json(nullptr) : Json(attempt.failure)},
              {"reason", reasonJson(attempt.reason)},
              {"cause", wording::sentence(attempt.reason)},
              {"traces", reports.traces},
              {"events", toJson(reports.events)}};
    if (attempt.launch) {
        json["command"] = attempt.launch->command;
        json["folder"] = attempt.launch->folder;
        json["source"] = toJson(attempt.launch->source);
        json["devices"] = attempt.launch->devices;
        json["device_group"] = reasonJson(attempt.launch->deviceGroup);
        json["cpus"] = cpuLists(*attempt.launch);
        json["omp_threads"] = attempt.launch->threads;
        json["environment"] = attempt.launch->environment;
    }
    return json;
}

Json toJson(const History &history, const WorkspaceLayout &workspace)
{
    Json entries = Json::array();
    for (const sweep::HistoryEntry &entry : history.past.entries)
        entries.push_back({{"time", toIso8601(entry.time)},
                           {"trial", entry.trial == 0 ? Json(nullptr) : Json(entry.trial)},
                           {"before", entry.before.empty() ? Json(nullptr) : Json(entry.before)},
                           {"after", entry.after},
                           {"reason", reasonJson(entry.reason)},
                           {"cause", wording::sentence(entry.reason)}});
    Json attempts = Json::array();
    for (const sweep::AttemptRecord &attempt : history.past.attempts)
        attempts.push_back(toJson(attempt, reportsOf(workspace, *history.sweep, attempt)));
    return {{"sweep", history.sweep->folder}, {"history", std::move(entries)}, {"attempts", std::move(attempts)}};
}

void print(const engine::SearchReplay &replay)
{
    if (replay.byCommand != 0)
        std::cout << replay.byCommand << (replay.byCommand == 1 ? " choice was" : " choices were")
                  << " made by another program and cannot be replayed\n";
    const std::string choices = std::to_string(replay.choices) + (replay.choices == 1 ? " choice" : " choices");
    if (!replay.first) {
        if (replay.choices != 0)
            std::cout << choices << " replayed, all identical\n";
        return;
    }
    const engine::ReplayDifference &first = *replay.first;
    std::cout << choices << " replayed; trial " << first.trial << " is the first that differs"
              << (first.isRounding ? " (by rounding only)" : "") << '\n'
              << "  stored    " << parametersInWords(first.stored) << '\n'
              << "  replayed  " << (first.replayed.empty() ? "no point" : parametersInWords(first.replayed)) << '\n';
    if (first.version != first.storedVersion)
        std::cout << "  the method has changed since: version " << first.storedVersion << " then, " << first.version
                  << " now\n";
}

std::string verdictInWords(bool isPruned, int peers, const std::optional<double> &bound)
{
    return std::string(isPruned ? "pruned" : "continued") + ", compared with " + std::to_string(peers)
           + (bound ? ", limit " + sweep::toText(sweep::ParameterValue(*bound)) : std::string());
}

void print(const engine::PruneReplay &replay)
{
    if (replay.byCommand != 0)
        std::cout << replay.byCommand << (replay.byCommand == 1 ? " pruning decision was" : " pruning decisions were")
                  << " made by another program and cannot be replayed\n";
    const std::string decisions =
        std::to_string(replay.decisions) + (replay.decisions == 1 ? " pruning decision" : " pruning decisions");
    if (!replay.first) {
        if (replay.decisions != 0)
            std::cout << decisions << " replayed, all identical\n";
        return;
    }
    const pruning::LogEntry &stored = replay.first->stored;
    const pruning::Verdict &replayed = replay.first->replayed;
    std::cout << decisions << " replayed; the one about trial " << stored.trial << " at step " << stored.value.rung
              << " is the first that differs\n"
              << "  stored    " << verdictInWords(stored.isPruned, stored.peers, stored.bound) << '\n'
              << "  replayed  " << verdictInWords(replayed.reason.has_value(), replayed.peers, replayed.bound) << '\n';
}

/// Exit code badInput if a choice or a pruning decision differs.
int replay(const StoredSweeps &stored, const HistoryOptions &options)
{
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored.sweeps(), options.sweep, Wanted::Any);
    if (!sweep) {
        std::cerr << sweep.error().message << '\n';
        return badInput;
    }
    engine::StoreReader reader = stored.reader();
    const Expected<engine::SearchReplay> search = engine::replaySearch(reader, stored.workspace(), **sweep);
    const Expected<engine::PruneReplay> pruning = engine::replayPruning(reader, **sweep);
    if (!search || !pruning) {
        std::cerr << (search ? pruning.error() : search.error()).message << '\n';
        return badInput;
    }
    if (search->choices == 0 && search->byCommand == 0 && pruning->decisions == 0 && pruning->byCommand == 0)
        std::cout << "the database has no choices of a search and no comparisons by pruning for this sweep\n";
    print(*search);
    print(*pruning);
    const bool differs = (search->first && !search->first->isRounding) || pruning->first;
    return differs ? badInput : good;
}

int showHistory(const HistoryOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    if (options.replay)
        return replay(*stored, options);
    const Expected<History> history = readHistory(*stored, options);
    if (!history) {
        std::cerr << history.error().message << '\n';
        return badInput;
    }
    if (options.json) {
        std::cout << toJson(*history, stored->workspace()).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
        return good;
    }
    for (const sweep::HistoryEntry &entry : history->past.entries)
        printEntry(entry);
    for (const sweep::AttemptRecord &attempt : history->past.attempts)
        printAttempt(attempt, reportsOf(stored->workspace(), *history->sweep, attempt));
    return good;
}

}  // namespace

Subcommand makeHistoryCommand(CLI::App &app)
{
    auto options = std::make_shared<HistoryOptions>();
    CLI::App *command =
        app.add_subcommand("history", "Show the history of a sweep or trial: every change with its time and reason");
    addSweepOption(*command, options->sweep);
    command
        ->add_option("--trial,-t", options->trial,
                     "Only this trial, with the command, devices and environment of each attempt")
        ->type_name("N")
        ->check(atLeast(1));
    command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("--replay", options->replay,
                      "Repeat every choice of a search and every pruning decision, and report the first that differs");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Needs no engine. Values of environment variables with names such as API_KEY or TOKEN "
                    "are masked.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl history 3\n"
                    "  sweepctl history digits-mlp --trial 7");
    return {command, [options] { return showHistory(*options); }};
}

}  // namespace sweepscope::ctl
