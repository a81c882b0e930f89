#include "historyfile.h"

#include "jsonvalues.h"

#include "pruning/rungs.h"
#include "sweep/outcome.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace sweepscope::ctl {

namespace {

using search::Observation;
using search::Outcome;

tl::unexpected<Error> wrong(const std::string &what)
{
    return makeError(ErrorCode::BadInput, what);
}

/// Accepts the strings and the null that stand for NaN and infinity, which JSON lacks.
Expected<double> numberOf(const Json &value, const std::string &what)
{
    if (value.is_number())
        return value.get<double>();
    if (value.is_null())
        return std::numeric_limits<double>::quiet_NaN();
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size())
            return number;
    }
    return wrong(what + " must be a number, not " + value.dump());
}

Expected<sweep::ParameterSet> parametersOf(const Json &params)
{
    if (!params.is_object())
        return wrong("params must be an object such as {\"lr\": 0.1}");
    sweep::ParameterSet parameters;
    for (const auto &[name, value] : params.items()) {
        if (value.is_boolean())
            parameters.emplace_back(name, value.get<bool>());
        else if (value.is_number_integer())
            parameters.emplace_back(name, value.get<std::int64_t>());
        else if (value.is_number())
            parameters.emplace_back(name, value.get<double>());
        else if (value.is_string())
            parameters.emplace_back(name, value.get<std::string>());
        else
            return wrong("params." + name + " must be a number, a string or true or false, not " + value.dump());
    }
    return parameters;
}

Expected<Outcome> outcomeOf(const std::string &state)
{
    if (state == "complete" || state == "completed")
        return Outcome::Complete;
    if (state == "pruned")
        return Outcome::Pruned;
    if (state == "failed" || state == "fail" || state == "stopped")
        return Outcome::Failed;
    if (state == "running" || state == "queued" || state == "waiting" || state == "paused")
        return Outcome::Pending;
    return wrong("state must be complete, pruned, failed, running or queued, not '" + state + "'");
}

Expected<void> readConstraints(const Json &constraints, Observation &trial)
{
    for (const Json &constraint : constraints) {
        const Expected<double> value = numberOf(constraint, "each of constraints");
        if (!value)
            return tl::unexpected(value.error());
        // What is not a number is violated, but not by how much.
        const double excess = std::isnan(*value) ? 1 : std::clamp(*value, -1e300, 1e300);
        trial.excesses.push_back(excess);
        trial.violation += std::max(0.0, excess);
    }
    if (trial.violation > 0 && (trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned))
        trial.outcome = Outcome::Infeasible;
    return {};
}

/// Reads what a trial reported before its end: of a pruned one the last value counts, and in brackets those at rungs do.
Expected<void> readIntermediate(const Json &intermediate, const sweep::SweepSpec &spec, double sign, Observation &trial)
{
    std::map<std::int64_t, double> reports;
    for (const auto &[key, value] : intermediate.items()) {
        std::int64_t step = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), step);
        const Expected<double> number = numberOf(value, "intermediate." + key);
        if (error != std::errc() || end != key.data() + key.size())
            return wrong("intermediate must have integer steps, not '" + key + "'");
        if (!number)
            return tl::unexpected(number.error());
        reports[step] = sign * *number;
    }
    if (trial.outcome == Outcome::Pruned && !reports.empty()) {
        trial.step = reports.rbegin()->first;
        trial.values = {reports.rbegin()->second};
    }
    if (!spec.prune)
        return {};
    const pruning::Rungs rungs(*spec.prune);
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const auto &[step, value] : reports) {
        best = std::isnan(best) ? value : std::fmin(best, value);
        const std::optional<std::int64_t> rung = rungs.upTo(step);
        if (rung && (trial.rungs.empty() || trial.rungs.back().step < *rung))
            trial.rungs.push_back({*rung, spec.prune->value == sweep::PruneValue::Best ? best : value});
    }
    return {};
}

Expected<Observation> observationOf(const std::string &line, int number, const sweep::SweepSpec &spec, double sign)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object())
        return wrong("a line must be a JSON object, in which NaN and infinite values are strings");
    Observation trial;
    trial.number = number;
    if (json.contains("number")) {
        if (!json["number"].is_number_integer() || json["number"] < 1 || json["number"] > sweep::maxTrials)
            return wrong("number must be an integer from 1 to " + std::to_string(sweep::maxTrials) + ", not "
                         + json["number"].dump());
        trial.number = json["number"].get<int>();
    }
    if (!json.contains("state") || !json["state"].is_string())
        return wrong("state is missing: complete, pruned, failed, running or queued");
    const Expected<Outcome> outcome = outcomeOf(json["state"].get<std::string>());
    if (!outcome)
        return tl::unexpected(outcome.error());
    trial.outcome = *outcome;
    Expected<sweep::ParameterSet> parameters = parametersOf(json.value("params", Json::object()));
    if (!parameters)
        return tl::unexpected(parameters.error());
    trial.parameters = std::move(*parameters);
    const Json values = json.contains("values")  ? json["values"]
                        : json.contains("value") ? Json::array({json["value"]})
                                                 : Json::array();
    if (!values.is_array())
        return wrong("values must be a list of numbers, not " + values.dump());
    if (values.empty() && json.contains("values"))
        return wrong("values is empty: leave it out, or give a number for each objective");
    for (const Json &value : values) {
        const Expected<double> read = numberOf(value, "value");
        if (!read)
            return tl::unexpected(read.error());
        trial.values.push_back(sweep::signOf(spec, trial.values.size()) * *read);
    }
    if (json.contains("device_seconds")) {
        const Expected<double> seconds = numberOf(json["device_seconds"], "device_seconds");
        if (!seconds)
            return tl::unexpected(seconds.error());
        if (!std::isfinite(*seconds) || *seconds < 0)
            return wrong("device_seconds must be at least 0, not " + json["device_seconds"].dump());
        trial.deviceSeconds = *seconds;
    }
    const std::size_t objectives = 1 + spec.objectives.size();
    if (trial.outcome == Outcome::Complete && objectives > 1 && trial.values.size() != objectives)
        return wrong("a completed trial has a value for each of the " + std::to_string(objectives) + " objectives, not "
                     + std::to_string(trial.values.size()));
    if (trial.outcome == Outcome::Complete && (trial.values.empty() || std::isnan(trial.values.front())))
        trial.outcome = Outcome::Failed;
    if (const auto read = readIntermediate(json.value("intermediate", Json::object()), spec, sign, trial); !read)
        return tl::unexpected(read.error());
    if (const auto read = readConstraints(json.value("constraints", Json::array()), trial); !read)
        return tl::unexpected(read.error());
    return trial;
}

}  // namespace

HistoryReader::HistoryReader(const sweep::SweepSpec &spec) : m_spec(&spec) {}

Expected<Observation> HistoryReader::readLine(const std::string &line)
{
    const double sign = m_spec->goal == sweep::Goal::Maximize ? -1 : 1;
    Expected<Observation> trial = observationOf(line, m_linesRead + 1, *m_spec, sign);
    if (!trial)
        return trial;
    if (trial->outcome == Outcome::Complete) {
        if (m_objectives != 0 && trial->values.size() != m_objectives)
            return wrong("there are " + std::to_string(trial->values.size()) + " values, but "
                         + std::to_string(m_objectives) + " in the lines before");
        m_objectives = trial->values.size();
    }
    ++m_linesRead;
    return trial;
}

Expected<std::vector<Observation>> readSearchHistory(const std::string &text, const sweep::SweepSpec &spec)
{
    HistoryReader reader(spec);
    std::vector<Observation> trials;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        Expected<Observation> trial = reader.readLine(line);
        if (!trial)
            return wrong("line " + std::to_string(number) + ": " + trial.error().message);
        trials.push_back(std::move(*trial));
    }
    std::ranges::stable_sort(trials, {}, &Observation::number);
    return trials;
}

}  // namespace sweepscope::ctl
