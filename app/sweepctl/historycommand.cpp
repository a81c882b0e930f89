#include "atleast.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "sweepwords.h"
#include "workspaceoption.h"

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
};

struct History {
    const sweep::SweepRecord *sweep = nullptr;
    sweep::TrialHistory told;
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
        .map([&](sweep::TrialHistory &&told) {
            return History{*sweep, std::move(told)};
        });
}

std::string joined(const std::vector<std::string> &words, const std::string &separator)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

/// As a person would type it; only for reading.
std::string commandInWords(const std::vector<std::string> &argv)
{
    std::vector<std::string> words;
    for (const std::string &argument : argv) {
        const bool plain =
            !argument.empty() && argument.find_first_of(" \t\n'\"\\$`*?;&|<>(){}[]#~") == std::string::npos;
        words.push_back(plain ? argument : "'" + argument + "'");
    }
    return joined(words, " ");
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

std::string sourceInWords(const sweep::SourceState &source)
{
    if (source.revision.empty())
        return "not a git repository";
    return source.revision + (source.branch.empty() ? "" : " (" + source.branch + ")")
           + (source.isChanged ? ", with changes that are not committed" : "");
}

/// What it was given: the person's environment may say something else of the threads.
std::string coresInWords(const sweep::AttemptLaunch &launch, std::size_t rank)
{
    const bool isBound = rank < launch.cpus.size() && !launch.cpus[rank].empty();
    return (isBound ? "; bound to CPU " + launch.cpus[rank] : "; any CPU") + ", " + std::to_string(launch.threads)
           + (launch.threads == 1 ? " thread" : " threads");
}

void printAttempt(const sweep::AttemptRecord &attempt)
{
    std::cout << "\nattempt " << attempt.number << "  " << (attempt.outcome.empty() ? "under way" : attempt.outcome);
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
        std::cout << "  revision     " << sourceInWords(*launch.source) << '\n';
    for (std::size_t rank = 0; rank < launch.devices.size(); ++rank)
        std::cout << "  rank " << rank << " on    " << joined(launch.devices[rank], ", ") << coresInWords(launch, rank)
                  << '\n';
    if (!launch.deviceGroup.empty())
        std::cout << "  group        " << launch.deviceGroup << '\n';
    for (const auto &[name, value] : launch.environment)
        std::cout << "  environment  " << name << '=' << value << '\n';
}

Json toJson(const std::optional<sweep::SourceState> &source)
{
    if (!source || source->revision.empty())
        return nullptr;
    return {{"revision", source->revision},
            {"branch", source->branch.empty() ? Json(nullptr) : Json(source->branch)},
            {"changed", source->isChanged}};
}

/// Null for a rank that is not bound.
Json cpuLists(const sweep::AttemptLaunch &launch)
{
    Json lists = Json::array();
    for (const std::string &cpus : launch.cpus)
        lists.push_back(cpus.empty() ? Json(nullptr) : Json(cpus));
    return lists;
}

Json toJson(const sweep::AttemptRecord &attempt)
{
    Json json{{"number", attempt.number},
              {"created", toIso8601(attempt.created)},
              {"ended", attempt.ended ? Json(toIso8601(*attempt.ended)) : Json(nullptr)},
              {"outcome", attempt.outcome.empty() ? Json(nullptr) : Json(attempt.outcome)},
              {"failure", attempt.failure.empty() ? Json(nullptr) : Json(attempt.failure)},
              {"reason", reasonJson(attempt.reason)},
              {"cause", wording::sentence(attempt.reason)}};
    if (attempt.launch) {
        json["command"] = attempt.launch->command;
        json["folder"] = attempt.launch->folder;
        json["source"] = toJson(attempt.launch->source);
        json["devices"] = attempt.launch->devices;
        json["device_group"] = attempt.launch->deviceGroup.empty() ? Json(nullptr) : Json(attempt.launch->deviceGroup);
        json["cpus"] = cpuLists(*attempt.launch);
        json["omp_threads"] = attempt.launch->threads;
        json["environment"] = attempt.launch->environment;
    }
    return json;
}

Json toJson(const History &history)
{
    Json entries = Json::array();
    for (const sweep::HistoryEntry &entry : history.told.entries)
        entries.push_back({{"time", toIso8601(entry.time)},
                           {"trial", entry.trial == 0 ? Json(nullptr) : Json(entry.trial)},
                           {"before", entry.before.empty() ? Json(nullptr) : Json(entry.before)},
                           {"after", entry.after},
                           {"reason", reasonJson(entry.reason)},
                           {"cause", wording::sentence(entry.reason)}});
    Json attempts = Json::array();
    for (const sweep::AttemptRecord &attempt : history.told.attempts)
        attempts.push_back(toJson(attempt));
    return {{"sweep", history.sweep->folder}, {"history", std::move(entries)}, {"attempts", std::move(attempts)}};
}

int showHistory(const HistoryOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    const Expected<History> history = readHistory(*stored, options);
    if (!history) {
        std::cerr << history.error().message << '\n';
        return badInput;
    }
    if (options.json) {
        std::cout << toJson(*history).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
        return good;
    }
    for (const sweep::HistoryEntry &entry : history->told.entries)
        printEntry(entry);
    for (const sweep::AttemptRecord &attempt : history->told.attempts)
        printAttempt(attempt);
    return good;
}

}  // namespace

Subcommand makeHistoryCommand(CLI::App &app)
{
    auto options = std::make_shared<HistoryOptions>();
    CLI::App *command =
        app.add_subcommand("history", "History of a sweep or a trial: every change with its time and reason");
    addSweepOption(*command, options->sweep);
    command->add_option("--trial,-t", options->trial, "Only this trial, with what each of its attempts ran, and where")
        ->type_name("N")
        ->check(atLeast(1));
    command->add_flag("--json", options->json, "As JSON, for programs");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Works whether an engine runs or not. Values of environment variables whose names say that they are "
        "secret are masked.\n\n"
        "Examples:\n  sweepctl history 3\n  sweepctl history digits-mlp --trial 7");
    return {command, [options] { return showHistory(*options); }};
}

}  // namespace sweepscope::ctl
