#include "exitcode.h"
#include "historyfile.h"
#include "jsonvalues.h"
#include "subcommand.h"

#include "base/files.h"
#include "search/suggestion.h"
#include "sweep/searchspace.h"
#include "sweep/sweepfile.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostHistoryBytes = 1'000'000'000;

struct SuggestOptions {
    std::string file;
    std::string history;
    std::string method = "tpe";
    int count = 1;
};

search::Method methodOf(const std::string &name)
{
    return name == "tpe" ? search::Method::Tpe : name == "sobol" ? search::Method::Sobol : search::Method::Random;
}

const char *nameOf(search::Method method)
{
    switch (method) {
    case search::Method::Tpe:
        return "tpe";
    case search::Method::Sobol:
        return "sobol";
    case search::Method::Random:
        break;
    }
    return "random";
}

Json valueJson(const sweep::ParameterValue &value)
{
    return std::visit([](const auto &held) { return Json(held); }, value);
}

struct WhyJson {
    Json operator()(const search::DrawnAtRandom &) const { return {{"code", "drawn_at_random"}}; }
    Json operator()(const search::NextInSequence &why) const
    {
        return {{"code", "next_in_sequence"}, {"index", why.index}};
    }
    Json operator()(const search::Start &why) const
    {
        return {{"code", "start"}, {"finished", why.finished}, {"needed", why.needed}};
    }
    Json operator()(const search::ByModel &why) const
    {
        return {{"code", "model"},
                {"good", why.good},
                {"bad", why.bad},
                {"log_ratio", why.logRatio},
                {"resembles", why.resembles}};
    }
    Json operator()(const search::LeftOver &why) const { return {{"code", "left_over"}, {"untried", why.untried}}; }
};

Json suggestionJson(const search::Suggestion &suggestion)
{
    Json params = Json::object();
    for (const auto &[name, value] : suggestion.parameters)
        params[name] = valueJson(value);
    return {{"params", std::move(params)},
            {"method", nameOf(suggestion.method)},
            {"version", suggestion.version},
            {"why", std::visit(WhyJson(), suggestion.why)}};
}

int complain(const search::NoPoint &none)
{
    if (none.cause == search::NoPoint::Cause::Exhausted)
        std::cerr << "all " << none.points << " points of the space have been tried\n";
    else
        std::cerr << "no further point was found that the constraints allow: loosen them\n";
    return badInput;
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
        const auto suggestion = search::suggest(history, methodOf(options.method), number);
        if (!suggestion)
            return complain(suggestion.error());
        std::cout << suggestionJson(*suggestion).dump() << '\n';
        // The next one sees it as a trial that has not ended.
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
    command->add_option("--history", options->history, "Trials so far, one JSON object per line")->type_name("FILE");
    command->add_option("--method", options->method, "random, sobol or tpe")
        ->check(CLI::IsMember({"random", "sobol", "tpe"}))
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--count", options->count, "Number of points, all of them different")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->footer("Prints a line {\"params\": {...}, \"method\": \"...\", \"why\": {...}} for each point. The same "
                    "file, history and seed\n"
                    "give the same points.\n\n"
                    "A line of the history: {\"number\": 1, \"state\": \"complete\", \"params\": {\"lr\": 0.1}, "
                    "\"value\": 0.42}. States are\n"
                    "complete, pruned, failed, running and waiting. A pruned trial has \"intermediate\": {\"100\": "
                    "0.5}; \"constraints\"\n"
                    "lists numbers that are above 0 where a constraint on the results is violated.\n\n"
                    "Examples:\n  sweepctl suggest digits-mlp.toml --count 4\n"
                    "  sweepctl suggest digits-mlp.toml --history trials.jsonl");
    return {command, [options] { return suggest(*options); }};
}

}  // namespace sweepscope::ctl
