#include "argumentchecks.h"
#include "exitcode.h"
#include "historyfile.h"
#include "jsonvalues.h"
#include "subcommand.h"

#include "base/files.h"
#include "search/suggestion.h"
#include "sweep/searchspace.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostHistoryBytes = 1'000'000'000;

struct SuggestOptions {
    std::string file;
    std::string history;
    std::string method;  ///< empty: the sweep file's
    int count = 1;
};

Json valueJson(const sweep::ParameterValue &value)
{
    return std::visit([](const auto &held) { return Json(held); }, value);
}

Json suggestionJson(const search::Suggestion &suggestion)
{
    Json params = Json::object();
    for (const auto &[name, value] : suggestion.parameters)
        params[name] = valueJson(value);
    return {{"params", std::move(params)},
            {"method", search::toString(suggestion.method)},
            {"version", search::versionOf(suggestion.method)},
            {"why", Json::parse(facts::toJson(suggestion.why))},
            {"explanation", wording::sentence(suggestion.why)}};
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
    search::SearchHistory history(parsed.spec, *space);
    if (!options.history.empty()) {
        const Expected<std::string> lines = readFile(options.history, mostHistoryBytes, Accepted::AnyFile);
        Expected<std::vector<search::Observation>> read =
            lines ? readSearchHistory(*lines, parsed.spec) : tl::unexpected<Error>(lines.error());
        if (!read) {
            std::cerr << options.history << ": " << read.error().message << '\n';
            return badInput;
        }
        for (search::Observation &trial : *read)
            history.set(std::move(trial));
    }
    for (int i = 0; i < options.count; ++i) {
        const int number = history.lastNumber() + 1;
        const auto suggestion = search::suggest(history, method, number);
        if (!suggestion) {
            std::cerr << wording::clause(suggestion.error()) << '\n';
            return badInput;
        }
        std::cout << suggestionJson(*suggestion).dump() << '\n';
        // For the next suggestion this one is an unfinished trial.
        search::Observation pending;
        pending.number = number;
        pending.parameters = suggestion->parameters;
        history.set(std::move(pending));
    }
    return good;
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
        ->check(oneOf({"random", "sobol", "tpe", "gp"}))
        ->type_name("NAME");
    command->add_option("--count", options->count, "Number of points; no two are equal")
        ->type_name("N")
        ->check(between(1, 1'000'000))
        ->capture_default_str();
    command->footer("Prints a line {\"params\": {...}, \"method\": \"...\", \"why\": {...}} for each point. The same "
                    "file, history and seed\n"
                    "give the same points.\n\n"
                    "A line of the history: {\"number\": 1, \"state\": \"complete\", \"params\": {\"lr\": 0.1}, "
                    "\"value\": 0.42}. States are\n"
                    "complete, pruned, failed, running and queued. A pruned trial has \"intermediate\": {\"100\": "
                    "0.5}; \"constraints\"\n"
                    "lists numbers that are above 0 where a constraint on the results is violated.\n\n"
                    "Examples:\n  sweepctl suggest digits-mlp.toml --count 4\n"
                    "  sweepctl suggest digits-mlp.toml --history trials.jsonl");
    return {command, [options] { return suggest(*options); }};
}

}  // namespace sweepscope::ctl
