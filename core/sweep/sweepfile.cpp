#include "sweep/sweepfile.h"

#include "base/files.h"
#include "sweep/sweepfilereader.h"
#include "sweep/tomlerror.h"
#include "sweep/tomltext.h"
#include "sweep/validation.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

/// The character `position` (from 1, in bytes) of an expression that begins at `begin` with its quote. Nothing when the
/// file does not have the expression's text there as it is: then it has escapes or several lines.
std::optional<toml::source_position> placeInside(std::string_view file, toml::source_position begin,
                                                 const std::string &expression, int position)
{
    std::size_t lineStart = 0;
    for (toml::source_index line = 1; line < begin.line; ++line) {
        lineStart = file.find('\n', lineStart);
        if (lineStart == std::string_view::npos)
            return std::nullopt;
        ++lineStart;
    }
    const std::string_view line = file.substr(lineStart, file.find('\n', lineStart) - lineStart);
    const auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
    std::size_t quote = 0;
    for (toml::source_index column = 1; column < begin.column && quote < line.size(); ++column) {
        do
            ++quote;
        while (quote < line.size() && isContinuation(line[quote]));
    }
    if (quote >= line.size() || line.substr(quote + 1, expression.size()) != expression)
        return std::nullopt;
    toml::source_position place = begin;
    ++place.column;
    for (int i = 0; i + 1 < position && static_cast<std::size_t>(i) < expression.size(); ++i) {
        if (!isContinuation(expression[static_cast<std::size_t>(i)]))
            ++place.column;
    }
    return place;
}

/// The text in which problem.position counts.
std::string expressionOf(const SweepSpec &spec, const std::string &field)
{
    for (const Dimension &dimension : spec.space) {
        if (field == "space." + dimension.name)
            return dimension.when;
    }
    for (const Constraint &constraint : spec.constraints) {
        if (field == "constraints." + constraint.name)
            return constraint.expression;
    }
    if (field == "run.metrics.step" && spec.run.metrics)
        return spec.run.metrics->step;
    const std::string series = "run.metrics.series.";
    if (field.starts_with(series) && spec.run.metrics) {
        const auto found = spec.run.metrics->series.find(field.substr(series.size()));
        return found == spec.run.metrics->series.end() ? std::string() : found->second;
    }
    return {};
}

/// Returns the position of a field ("space.2": a parameter whose name is empty); of its section if it is missing; else
/// the start of the file.
toml::source_position placeOf(const Findings &findings, std::string field)
{
    for (;;) {
        const auto found = findings.places.find(field);
        if (found != findings.places.end() && found->second.line > 0)
            return found->second;
        const std::size_t dot = field.rfind('.');
        if (dot == std::string::npos)
            return {1, 1};
        const auto nameless = findings.places.find(field.substr(0, dot + 1));
        if (nameless != findings.places.end() && field.find_first_not_of("0123456789", dot + 1) == std::string::npos)
            return nameless->second;
        field.resize(dot);
    }
}

void locate(Problem &problem, std::string_view file, const SweepSpec &spec, const Findings &findings)
{
    toml::source_position place = placeOf(findings, problem.field);
    if (problem.position > 0) {
        const bool isCondition = problem.field.rfind("space.", 0) == 0;
        place = placeOf(findings, isCondition ? problem.field + ".when" : problem.field);
        place = placeInside(file, place, expressionOf(spec, problem.field), problem.position).value_or(place);
    }
    problem.line = static_cast<int>(place.line);
    problem.column = static_cast<int>(place.column);
}

/// From where the parser says it stopped, to the end of the line.
std::string_view restOfLine(std::string_view file, toml::source_position place)
{
    for (toml::source_index line = 1; line < place.line && !file.empty(); ++line)
        file.remove_prefix(std::min(file.find('\n'), file.size() - 1) + 1);
    file = file.substr(0, file.find('\n'));
    return file.substr(std::min<std::size_t>(place.column > 0 ? place.column - 1 : 0, file.size()));
}

std::string inPlainWords(const toml::parse_error &error, std::string_view file)
{
    std::string said(error.description());
    if (said.rfind("Error while parsing string", 0) == 0
        && restOfLine(file, error.source().begin).find_first_not_of(" \r") == std::string_view::npos)
        return "a string is not closed: its closing quote is missing";
    const std::string twice = "cannot redefine existing";
    if (const std::size_t found = said.find(twice); found != std::string::npos)
        return "this is defined twice: remove one of the two (" + said.substr(found) + ")";
    return plainTomlError(said);
}

}  // namespace

ParsedSweep parseSweep(std::string_view toml)
{
    ParsedSweep parsed;
    if (toml.size() > mostSweepFileBytes) {
        parsed.problems.push_back({"", "the sweep file is larger than 1 MiB"});
        return parsed;
    }
    if (std::optional<Problem> tooDeep = nestingProblem(toml)) {
        parsed.problems.push_back(std::move(*tooDeep));
        return parsed;
    }
    toml::table file;
    try {
        file = toml::parse(toml);
    } catch (const toml::parse_error &error) {
        const auto &begin = error.source().begin;
        parsed.problems.push_back({"", "this is not TOML: " + inPlainWords(error, toml), static_cast<int>(begin.line),
                                   static_cast<int>(begin.column)});
        return parsed;
    }
    Findings findings;
    parsed.spec = readSections(file, findings);
    parsed.problems = findings.problems;

    // Problems that follow from a reported one are not reported.
    const bool runIsUnknown = findings.hasProblem("run");
    const bool methodIsUnknown = findings.hasProblem("search.method");
    for (Problem &problem : validate(parsed.spec)) {
        if (findings.hasProblem(problem.field) || (methodIsUnknown && problem.field == "search.trials")
            || (runIsUnknown
                && (problem.field.rfind("space.", 0) == 0
                    || (problem.field == "sweep.objective" && !parsed.spec.objective.empty()))))
            continue;
        locate(problem, toml, parsed.spec, findings);
        parsed.problems.push_back(std::move(problem));
    }
    for (Problem &problem : parsed.problems) {
        if (problem.line == 0)
            problem.line = problem.column = 1;
    }
    std::stable_sort(parsed.problems.begin(), parsed.problems.end(), [](const Problem &a, const Problem &b) {
        return a.line != b.line ? a.line < b.line : a.column < b.column;
    });
    return parsed;
}

void locateProblems(std::vector<Problem> &problems, std::string_view toml)
{
    if (nestingProblem(toml))
        return;
    toml::table file;
    try {
        file = toml::parse(toml);
    } catch (const toml::parse_error &) {
        return;  // then it was said already, with its place
    }
    Findings findings;
    const SweepSpec spec = readSections(file, findings);
    for (Problem &problem : problems) {
        if (!problem.field.empty())  // else it is about something else than the file
            locate(problem, toml, spec, findings);
    }
}

Expected<ParsedSweep> readSweepFile(const std::filesystem::path &path)
{
    const auto content = readFile(path, mostSweepFileBytes);
    if (!content)
        return tl::unexpected(content.error());
    return parseSweep(*content);
}

}  // namespace sweepscope::sweep
