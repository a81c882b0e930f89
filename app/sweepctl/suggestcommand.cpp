#include "argumentchecks.h"
#include "exitcode.h"
#include "historyfile.h"
#include "jsonvalues.h"
#include "subcommand.h"

#include "base/files.h"
#include "base/installation.h"
#include "search/asktell.h"
#include "search/warmstart.h"
#include "sweep/searchspace.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostHistoryBytes = 1'000'000'000;

struct SuggestOptions {
    std::string file;
    std::string history;
    std::string method;  ///< empty: the sweep file's
    int count = 1;
    bool asksAndTells = false;
};

Json valueJson(const sweep::ParameterValue &value)
{
    return std::visit([](const auto &held) { return Json(held); }, value);
}

Json suggestionJson(int number, const search::Suggestion &suggestion)
{
    Json params = Json::object();
    for (const auto &[name, value] : suggestion.parameters)
        params[name] = valueJson(value);
    return {{"number", number},
            {"params", std::move(params)},
            {"method", search::toString(suggestion.method)},
            {"version", search::versionOf(suggestion.method)},
            {"why", Json::parse(facts::toJson(suggestion.why))},
            {"explanation", wording::sentence(suggestion.why)}};
}

/// What the search cannot learn from the history, and may be a mistake in it.
void warnOfUnusedTrials(const search::SearchHistory &history, std::size_t repeated, const std::string &file)
{
    const std::vector<search::Observation> &trials = history.trials();
    std::vector<int> outside;
    for (std::size_t place = 0; place < trials.size(); ++place) {
        if (trials[place].outcome != search::Outcome::Unknown && history.coordinates(place) == nullptr)
            outside.push_back(trials[place].number);
    }
    if (!outside.empty())
        std::cerr << "warning: " << file << ": the parameters of " << outside.size() << " of " << trials.size()
                  << (trials.size() == 1 ? " trial do not fit the space" : " trials do not fit the space")
                  << ", so the search learns nothing from them; the first is number " << outside.front() << '\n';
    if (repeated > 0)
        std::cerr << "warning: " << file << ": " << repeated
                  << (repeated == 1 ? " line repeats the number of another one"
                                    : " lines repeat the number of another one")
                  << "; the last counts\n";
}

/// A parameter that is misspelt in the history is one too many there, and another one is missing.
void warnOfOtherParameters(const std::vector<search::Observation> &trials, const sweep::SweepSpec &spec,
                           const std::string &file)
{
    std::map<std::string, int> unknown;  // number of trials that have it
    std::map<std::string, int> missing;
    for (const search::Observation &trial : trials) {
        for (const auto &[name, value] : trial.parameters) {
            if (std::ranges::find(spec.space, name, &sweep::Dimension::name) == spec.space.end())
                ++unknown[name];
        }
        for (const sweep::Dimension &dimension : spec.space) {
            if (dimension.when.empty() && sweep::find(trial.parameters, dimension.name) == nullptr)
                ++missing[dimension.name];
        }
    }
    const auto warn = [&](const std::map<std::string, int> &names, const char *one, const char *several) {
        for (const auto &[name, count] : names)
            std::cerr << "warning: " << file << ": " << count << (count == 1 ? one : several) << '\'' << name << "'\n";
    };
    warn(missing, " trial lacks the parameter ", " trials lack the parameter ");
    warn(unknown, " trial has the unknown parameter ", " trials have the unknown parameter ");
}

/// Prints `count` suggestions, or fewer if no points are left, and adds them to the history as unfinished trials.
int printSuggestions(search::AskTell &search, int count)
{
    for (int i = 0; i < count; ++i) {
        const int number = search.lastNumber() + 1;
        const auto suggestion = search.ask(number);
        if (!suggestion) {
            std::cerr << wording::clause(suggestion.error()) << '\n';
            return i > 0 ? good : badInput;
        }
        std::cout << suggestionJson(number, *suggestion).dump() << '\n' << std::flush;
        search::Observation pending;
        pending.number = number;
        pending.parameters = suggestion->parameters;
        search.tell(std::move(pending));
    }
    return good;
}

/// Answers the requests on standard input until it ends.
int askAndTell(search::AskTell &search)
{
    HistoryReader reader(search.history().spec());
    std::string line;
    for (int number = 1; std::getline(std::cin, line); ++number) {
        const Json json = Json::parse(line, nullptr, false);
        const Json ask = json.is_object() ? json.value("ask", Json()) : Json();
        if (!ask.is_null()) {
            constexpr std::int64_t most = 1'000'000;
            if (!ask.is_number_integer() || ask.get<std::int64_t>() < 1 || ask.get<std::int64_t>() > most) {
                std::cerr << "line " << number << ": ask must be a number of points from 1 to " << most << ", not "
                          << ask.dump() << '\n';
                return badInput;
            }
            if (const int result = printSuggestions(search, ask.get<int>()); result != good)
                return result;
            continue;
        }
        Expected<search::Observation> trial = reader.readLine(line);
        if (!trial) {
            std::cerr << "line " << number << ": " << trial.error().message << '\n';
            return badInput;
        }
        search.tell(*std::move(trial));
    }
    return good;
}

int suggest(const SuggestOptions &options)
{
    const Expected<std::string> text = readFile(options.file, sweep::mostSweepFileBytes, Accepted::AnyFile);
    if (!text) {
        std::cerr << text.error().message << '\n';
        return badInput;
    }
    sweep::ParsedSweep parsed = sweep::parseSweep(*text);
    for (const sweep::Problem &problem : parsed.problems)
        std::cerr << sweep::describe(problem, options.file) << '\n';
    if (!parsed.problems.empty())
        return badInput;
    const auto space = sweep::SearchSpace::compile(parsed.spec);
    if (!space) {
        std::cerr << sweep::describe(space.error().front(), options.file) << '\n';
        return badInput;
    }
    const search::Method method = options.method.empty()
                                      ? search::methodOf(parsed.spec)
                                      : search::methodFromString(options.method).value_or(search::Method::Random);
    const std::atomic<bool> neverCancelled = false;
    search::AskTell search(parsed.spec, *space, method,
                           {std::filesystem::absolute(options.file).parent_path(), shareFolder() / "python"},
                           neverCancelled);
    if (!parsed.spec.warmStart.empty()) {
        const std::filesystem::path folder = std::filesystem::absolute(options.file).parent_path();
        Expected<search::WarmStart> start =
            search::loadWarmStart(search::warmStartPaths(parsed.spec, folder), parsed.spec);
        if (!start) {
            std::cerr << options.file << ": search.warm_start: " << start.error().message << '\n';
            return badInput;
        }
        if (start->unfit > 0)
            std::cerr << "warning: " << options.file
                      << ": rows of search.warm_start that do not fit the space: " << start->unfit << '\n';
        search.warmStart(std::move(start->results));
    }
    if (!options.history.empty()) {
        const Expected<std::string> lines = readFile(options.history, mostHistoryBytes, Accepted::AnyFile);
        if (!lines) {
            std::cerr << lines.error().message << '\n';
            return badInput;
        }
        Expected<std::vector<search::Observation>> read = readSearchHistory(*lines, parsed.spec);
        if (!read) {
            std::cerr << options.history << ": " << read.error().message << '\n';
            return badInput;
        }
        warnOfOtherParameters(*read, parsed.spec, options.history);
        const std::size_t count = read->size();
        std::set<int> numbers;
        for (search::Observation &trial : *read) {
            numbers.insert(trial.number);
            search.tell(std::move(trial));
        }
        warnOfUnusedTrials(search.history(), count - numbers.size(), options.history);
    }
    return options.asksAndTells ? askAndTell(search) : printSuggestions(search, options.count);
}

}  // namespace

Subcommand makeSuggestCommand(CLI::App &app)
{
    auto options = std::make_shared<SuggestOptions>();
    CLI::App *command = app.add_subcommand("suggest", "Suggest the next points to try, without running anything");
    command->add_option("FILE", options->file, "Sweep file (TOML) with the search space")->required()->type_name("");
    command->add_option("--history", options->history, "Finished and pending trials, one JSON object per line")
        ->type_name("FILE");
    command->add_option("--method", options->method, "Search method to use instead of the file's search.method")
        ->check(oneOf({"grid", "random", "sobol", "tpe", "gp", "cmaes", "nsga2", "pbt", "auto"}))
        ->type_name("grid|random|sobol|tpe|gp|cmaes|nsga2|pbt|auto");
    command->add_option("--count", options->count, "Number of points; no two are equal")
        ->type_name("N")
        ->check(between(1, 1'000'000))
        ->capture_default_str();
    command->add_flag("--ask-tell", options->asksAndTells, "Read results and requests from standard input");
    command->footer(
        "Prints a line {\"number\": 1, \"params\": {...}, \"method\": \"...\", \"why\": {...}} for each point. "
        "The same file, history\n"
        "and seed give the same points, unless another program chooses them.\n\n"
        "A line of the history: {\"number\": 1, \"state\": \"complete\", \"params\": {\"lr\": 0.1}, "
        "\"value\": 0.42}. States are\n"
        "complete, pruned, failed, running and queued. A pruned trial has \"intermediate\": {\"100\": "
        "0.5}; \"constraints\"\n"
        "lists for each constraint on the results by how much it is exceeded, which is above 0 if it is violated; "
        "with several\n"
        "objectives, \"values\" lists the results: of sweep.objective, then in the order of [objectives]. "
        "\"device_seconds\" is the\n"
        "device time that a trial took; where the file has a budget, gp learns from it.\n\n"
        "With --ask-tell, each line of standard input is a trial, as in the history, or {\"ask\": 4}, which "
        "prints four points.\n"
        "Points count as running until their results are read.\n\n"
        "Examples:\n  sweepctl suggest digits-mlp.toml --count 4\n"
        "  sweepctl suggest digits-mlp.toml --history trials.jsonl");
    return {command, [options] { return suggest(*options); }};
}

}  // namespace sweepscope::ctl
