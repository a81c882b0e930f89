#include "search/outsideprogram.h"

#include "base/printable.h"
#include "sweep/searchspace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>

namespace sweepscope::search {

namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr int mostStarts = 3;
/// To start, with all imports, or to answer.
constexpr milliseconds patience{std::chrono::minutes(10)};
constexpr milliseconds firstPause{500};

Json valueJson(const sweep::ParameterValue &value)
{
    return std::visit([](const auto &held) { return Json(held); }, value);
}

/// JSON lacks NaN and infinity: they are words, as in a history of `sweepctl suggest`.
Json numberJson(double number)
{
    if (std::isfinite(number))
        return number;
    return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

Json paramsJson(const sweep::ParameterSet &parameters)
{
    Json params = Json::object();
    for (const auto &[name, value] : parameters)
        params[name] = valueJson(value);
    return params;
}

Json dimensionJson(const sweep::Dimension &dimension)
{
    using sweep::DimensionKind;
    Json json{{"name", dimension.name}};
    switch (dimension.kind) {
    case DimensionKind::List:
    case DimensionKind::Choice:
        json["kind"] = dimension.kind == DimensionKind::List ? "list" : "choice";
        json["values"] = Json::array();
        for (const sweep::ParameterValue &value : dimension.values)
            json["values"].push_back(valueJson(value));
        break;
    case DimensionKind::Linear:
    case DimensionKind::Log:
        json["kind"] = dimension.kind == DimensionKind::Linear ? "float" : "log";
        json["low"] = dimension.low;
        json["high"] = dimension.high;
        break;
    case DimensionKind::Integer:
        json["kind"] = "int";
        json["low"] = static_cast<std::int64_t>(dimension.low);
        json["high"] = static_cast<std::int64_t>(dimension.high);
        json["step"] = dimension.step;
        break;
    case DimensionKind::LogInteger: {
        const sweep::DimensionValues values(dimension);
        if (dimension.points > 0) {
            json["kind"] = "list";
            for (std::uint64_t i = 0; i < values.size(); ++i)
                json["values"].push_back(valueJson(values.at(i)));
            break;
        }
        json["kind"] = "int";
        json["low"] = static_cast<std::int64_t>(dimension.low);
        json["high"] = static_cast<std::int64_t>(dimension.high);
        json["log"] = true;
        break;
    }
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:
        json["kind"] = dimension.kind == DimensionKind::Normal ? "normal" : "log_normal";
        json["mean"] = dimension.mean;
        json["deviation"] = dimension.deviation;
        json["low"] = dimension.low;
        json["high"] = dimension.high;
        break;
    case DimensionKind::Stepped:
        json["kind"] = "float";
        json["low"] = dimension.low;
        json["high"] = dimension.high;
        json["step"] = dimension.spacing;
        break;
    }
    if (!dimension.when.empty())
        json["when"] = dimension.when;
    return json;
}

Json headerJson(const sweep::SweepSpec &spec)
{
    Json space = Json::array();
    for (const sweep::Dimension &dimension : spec.space)
        space.push_back(dimensionJson(dimension));
    Json goals = Json::array();
    for (const sweep::Objective &objective : spec.objectives)
        goals.push_back(
            {{"name", objective.name}, {"goal", objective.goal == sweep::Goal::Minimize ? "minimize" : "maximize"}});
    Json header{{"space", std::move(space)},
                {"goal", spec.goal == sweep::Goal::Minimize ? "minimize" : "maximize"},
                {"seed", spec.seed},
                {"trials", spec.trials == 0 ? Json() : Json(spec.trials)}};
    if (!goals.empty())
        header["objectives"] = std::move(goals);
    if (!spec.outcomeConstraints.empty())
        header["has_constraints"] = true;
    return header;
}

std::string stateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Complete:
    case Outcome::Infeasible:
        return "complete";
    case Outcome::Pruned:
        return "pruned";
    case Outcome::Failed:
    case Outcome::Unknown:
        return "failed";
    case Outcome::Pending:
        break;
    }
    return "running";
}

/// A constraint whose metric was not reported counts as held.
Json excessesJson(const Observation &trial)
{
    Json excesses = Json::array();
    for (const double excess : trial.excesses)
        excesses.push_back(std::isnan(excess) ? 0.0 : excess);
    return trial.excesses.empty() ? Json::array({trial.violation}) : excesses;
}

/// A line of a history (historyfile.h).
Json trialJson(const Observation &trial, const sweep::SweepSpec &spec)
{
    const double sign = sweep::signOf(spec, 0);
    Json json{{"number", trial.number}, {"state", stateOf(trial.outcome)}, {"params", paramsJson(trial.parameters)}};
    const bool hasEnded = json["state"] == "complete";
    if (hasEnded && trial.values.size() == 1)
        json["value"] = numberJson(sign * trial.values.front());
    if (hasEnded && !spec.outcomeConstraints.empty())
        json["constraints"] = excessesJson(trial);
    if (hasEnded && trial.values.size() > 1) {
        for (std::size_t i = 0; i < trial.values.size(); ++i)
            json["values"].push_back(numberJson(sweep::signOf(spec, i) * trial.values[i]));
    }
    Json intermediate = Json::object();
    for (const RungResult &rung : trial.rungs)
        intermediate[std::to_string(rung.step)] = numberJson(sign * rung.value);
    if (trial.outcome == Outcome::Pruned && !trial.values.empty() && intermediate.empty())
        intermediate[std::to_string(trial.step.value_or(0))] = numberJson(sign * trial.values.front());
    if (!intermediate.empty())
        json["intermediate"] = std::move(intermediate);
    return json;
}

}  // namespace

OutsideProgram::OutsideProgram(const sweep::SweepSpec &spec, std::vector<std::string> command,
                               Surroundings surroundings, const std::atomic<bool> &cancelled)
    : m_spec(&spec), m_command(std::move(command)), m_surroundings(std::move(surroundings)), m_cancelled(&cancelled)
{}

void OutsideProgram::tell(const Observation &trial)
{
    const auto [known, isNew] = m_trials.try_emplace(trial.number, trial);
    if (!isNew) {
        sweep::ParameterSet parameters = std::move(known->second.parameters);
        known->second = trial;
        if (trial.parameters.empty())
            known->second.parameters = std::move(parameters);
    }
    m_untold.insert(trial.number);
}

Expected<void> OutsideProgram::start()
{
    const char *const inherited = std::getenv("PYTHONPATH");
    std::string path = inherited != nullptr ? inherited : "";
    path += (path.empty() ? "" : ":") + m_surroundings.pythonPath.string();
    Expected<LineProgram> program = LineProgram::start({m_command, m_surroundings.folder, {{"PYTHONPATH", path}}});
    if (!program)
        return tl::unexpected<Error>(program.error());
    m_program.emplace(std::move(*program));
    m_untold.clear();
    for (const auto &[number, trial] : m_trials)
        m_untold.insert(number);
    return m_program->write(headerJson(*m_spec).dump(), patience, *m_cancelled);
}

Expected<void> OutsideProgram::bringUpToDate()
{
    for (auto number = m_untold.begin(); number != m_untold.end(); number = m_untold.erase(number)) {
        const Expected<void> told =
            m_program->write(trialJson(m_trials.at(*number), *m_spec).dump(), patience, *m_cancelled);
        if (!told)
            return told;
    }
    return {};
}

Expected<std::string> OutsideProgram::ask(const std::string &request)
{
    milliseconds pause = firstPause;
    for (int starts = m_program ? 1 : 0;;) {
        Expected<void> done;
        if (!m_program) {
            ++starts;
            done = start();
        }
        if (done)
            done = bringUpToDate();
        if (done && m_program->hasOutput())  // the answers would be taken for those to later requests
            done = makeError(ErrorCode::BadInput, "it wrote unrequested output: "
                                                      + startOf(m_program->read(patience, *m_cancelled).value_or("")));
        if (done)
            done = m_program->write(request, patience, *m_cancelled);
        Expected<std::string> line =
            done ? m_program->read(patience, *m_cancelled) : tl::unexpected<Error>(done.error());
        if (line)
            return line;
        const std::string words = m_program ? m_program->lastWords() : "";
        m_program.reset();
        if (line.error().code != ErrorCode::Unavailable && !words.empty())
            line.error().message += "; its last words: " + words;
        if (starts == mostStarts || *m_cancelled || line.error().code != ErrorCode::Unavailable)
            return line;
        for (milliseconds waited{0}; waited < pause && !*m_cancelled; waited += milliseconds(50))
            std::this_thread::sleep_for(milliseconds(50));
        pause *= 4;
    }
}

void OutsideProgram::handBack(const std::string &line)
{
    if (!m_program->write(line, patience, *m_cancelled))
        m_program.reset();
}

std::string OutsideProgram::end(const std::string &why)
{
    const std::string words = m_program->lastWords();
    m_program.reset();
    return words.empty() ? why : why + "; its last words: " + words;
}

std::string startOf(const std::string &line)
{
    constexpr std::size_t most = 200;
    return cutBetweenCharacters(line, most);
}

}  // namespace sweepscope::search
