#include "exporting/optunastudy.h"

#include "exporting/jsontext.h"
#include "exporting/objectivecurve.h"
#include "exporting/trialfeeds.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <utility>

namespace sweepscope::exporting {

namespace {

using Object = nlohmann::ordered_json;

Object operation(JournalOperation code)
{
    return {{"op_code", static_cast<int>(code)}, {"worker_id", "sweepscope"}};
}

/// Python's JSON has NaN and infinities.
std::string pythonNumber(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "Infinity" : "-Infinity";
    return Object(value).dump();
}

/// Local time without an offset, as datetime.now().isoformat() gives it.
std::string localTime(WallNs time)
{
    constexpr WallNs second = 1'000'000'000;
    const WallNs fraction = (time % second + second) % second;
    const auto seconds = static_cast<std::time_t>((time - fraction) / second);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text.data() + length, text.size() - length, ".%06d", static_cast<int>(fraction / 1000));
    return text.data();
}

std::string lineOfObject(const Object &json)
{
    return jsonLine(json) + '\n';
}

std::string lineOfAttribute(JournalOperation code, const char *owner, std::int64_t id, const Object &attribute)
{
    Object json = operation(code);
    json[owner] = id;
    json[code == JournalOperation::SetStudySystemAttribute || code == JournalOperation::SetTrialSystemAttribute
             ? "system_attr"
             : "user_attr"] = attribute;
    return lineOfObject(json);
}

/// `members`: more members, as JSON.
std::string lineOfState(std::int64_t id, OptunaState state, const std::string &members)
{
    Object json = operation(JournalOperation::SetTrialStateValues);
    json["trial_id"] = id;
    json["state"] = static_cast<int>(state);
    std::string line = jsonLine(json);
    line.pop_back();
    return line + "," + members + "}\n";
}

std::string pythonList(const std::vector<double> &values)
{
    std::string list;
    for (const double value : values)
        list += (list.empty() ? "[" : ",") + pythonNumber(value);
    return list.empty() ? "null" : list + ']';
}

int directionOf(sweep::Goal goal)
{
    return goal == sweep::Goal::Minimize ? 1 : 2;
}

bool hasValues(OptunaState state)
{
    return state == OptunaState::Complete || state == OptunaState::Pruned;
}

bool isSameValue(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

OptunaState stateOf(const sweep::TrialRecord &trial, const std::vector<double> &values)
{
    switch (trial.state) {
    case sweep::TrialState::Queued:
        return OptunaState::Waiting;
    case sweep::TrialState::Starting:
    case sweep::TrialState::Running:
    case sweep::TrialState::Paused:
        return OptunaState::Running;
    case sweep::TrialState::Completed:
        return values.empty() ? OptunaState::Fail : OptunaState::Complete;
    case sweep::TrialState::Pruned:
        return OptunaState::Pruned;
    case sweep::TrialState::Failed:
    case sweep::TrialState::Stopped:
    case sweep::TrialState::Lost:
        break;
    }
    return OptunaState::Fail;
}

void addObjective(Object &json, const std::string &key, const std::optional<sweep::ObjectiveValue> &objective)
{
    if (!objective)
        return;
    json[key] = jsonValue(objective->value);
    json[key + "_step"] = objective->step;
}

Object userAttributes(const sweep::TrialRecord &trial)
{
    Object json{{"trial", trial.number},
                {"state", sweep::toString(trial.state)},
                {"seed", trial.seed},
                {"ranks", trial.ranks},
                {"attempts", trial.attempts}};
    if (!trial.devices.empty()) {
        json["devices"] = trial.devices;
        json["simulated"] = trial.simulated;
    }
    addObjective(json, "objective_last", trial.objectiveLast);
    addObjective(json, "objective_best", trial.objectiveBest);
    if (trial.pointMean) {
        json["objective_mean"] = jsonValue(trial.pointMean->value);
        json["objective_runs"] = trial.pointMean->runs;
    }
    // Why a trial waits is soon outdated, and Optuna removes no attribute.
    if (sweep::isFinal(trial.state) && trial.reason.code != facts::Code::None) {
        json["reason"] = std::string(facts::nameOf(trial.reason.code));
        json["exit_cause"] = wording::sentence(trial.reason);
    }
    if (trial.chosen.code != facts::Code::None)
        json["why"] = wording::sentence(trial.chosen);
    if (trial.mark.starred)
        json["starred"] = true;
    if (!trial.mark.tags.empty())
        json["tags"] = trial.mark.tags;
    if (!trial.mark.note.empty())
        json["note"] = trial.mark.note;
    for (const sweep::MetricValue &metric : trial.metrics) {
        json[metricColumn(metric.name, MetricColumn::Last)] = jsonValue(metric.last);
        if (std::isnan(metric.lowest))
            continue;
        json[metricColumn(metric.name, MetricColumn::Lowest)] = jsonValue(metric.lowest);
        json[metricColumn(metric.name, MetricColumn::Highest)] = jsonValue(metric.highest);
    }
    return json;
}

}  // namespace

OptunaStudy::OptunaStudy(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                         const std::vector<sweep::TrialRecord> &trials, std::uint64_t mostPoints)
    : m_workspace(workspace),
      m_sweep(sweep),
      m_spec(sweep::parseSweep(sweep.toml).spec),
      m_parameters(optunaParameters(m_spec, sweep, trials)),
      m_mostPoints(mostPoints)
{
    if (auto constraints = sweep::OutcomeConstraints::compile(m_spec);
        constraints && !m_spec.outcomeConstraints.empty())
        m_constraints = std::move(*constraints);
}

std::string OptunaStudy::lines() const
{
    Object create = operation(JournalOperation::CreateStudy);
    create["study_name"] = m_sweep.name;
    create["directions"] = {directionOf(m_sweep.goal)};
    Object names = {m_sweep.objective};
    for (const sweep::Objective &objective : m_spec.objectives) {
        create["directions"].push_back(directionOf(objective.goal));
        names.push_back(objective.name);
    }
    const auto attribute = [](JournalOperation code, const Object &value) {
        return lineOfAttribute(code, "study_id", 0, value);
    };
    std::string text = lineOfObject(create)
                       + attribute(JournalOperation::SetStudySystemAttribute, {{"study:metric_names", names}})
                       + attribute(JournalOperation::SetStudyUserAttribute, {{"sweep", m_sweep.folder}});
    const sweep::Mark &mark = m_sweep.mark;
    if (!mark.tags.empty())
        text += attribute(JournalOperation::SetStudyUserAttribute, {{"tags", mark.tags}});
    if (!mark.note.empty())
        text += attribute(JournalOperation::SetStudyUserAttribute, {{"note", mark.note}});
    return text;
}

std::optional<std::string> OptunaStudy::lineOf(const sweep::TrialRecord &trial, const Progress &progress)
{
    const std::vector<double> values = valuesOf(trial);
    const OptunaState state = stateOf(trial, values);
    Object json = operation(JournalOperation::CreateTrial);
    json["study_id"] = 0;
    json["state"] = static_cast<int>(state);
    addTimes(json, trial, state);
    addParameters(json, trial, state);
    json["user_attrs"] = userAttributes(trial);
    if (const Object excesses = excessesOf(trial, state); !excesses.empty())
        json["system_attrs"]["constraints"] = excesses;
    std::string line = jsonLine(json);
    line.pop_back();
    if (m_spec.objectives.empty()) {
        const auto curve = curveOf(trial, progress);
        if (!curve)
            return std::nullopt;
        line += ",\"intermediate_values\":{";
        const char *separator = "\"";
        for (const auto &[step, value] : *curve) {
            line += separator + std::to_string(step) + "\":" + pythonNumber(value);
            separator = ",\"";
        }
        line += '}';
    }
    if (!values.empty() && hasValues(state))
        line += ",\"values\":" + pythonList(values);
    return line + "}\n";
}

std::string OptunaStudy::changesOf(const JournalTrial &known, const sweep::TrialRecord &trial)
{
    const std::vector<double> values = valuesOf(trial);
    const OptunaState state = stateOf(trial, values);
    if (state == OptunaState::Waiting)
        return {};  // also while it waits for another attempt
    std::string text;
    if (known.state == OptunaState::Waiting)
        text += lineOfState(known.id, OptunaState::Running,
                            "\"datetime_start\":\"" + localTime(startOf(trial)) + "\",\"values\":null");
    const Object attributes = userAttributes(trial);
    const auto has = [&known](const std::string &key, const Object &value) {
        const auto found = known.attributes.find(key);
        return found != known.attributes.end() && *found == value;
    };
    // Most attributes change with each report.
    if (isFinished(state) || !has("attempts", attributes["attempts"])) {
        for (const auto &[key, value] : attributes.items()) {
            if (!has(key, value))
                text += lineOfAttribute(JournalOperation::SetTrialUserAttribute, "trial_id", known.id, {{key, value}});
        }
    }
    if (m_spec.objectives.empty()) {
        const auto curve = curveOf(trial, {}).value_or(std::map<std::int64_t, double>());
        for (const auto &[step, value] : missingPoints(curve, known.intermediate, isFinished(state), m_mostPoints)) {
            Object json = operation(JournalOperation::SetTrialIntermediateValue);
            json["trial_id"] = known.id;
            json["step"] = step;
            std::string line = jsonLine(json);
            line.pop_back();
            text += line + ",\"intermediate_value\":" + pythonNumber(value) + "}\n";
        }
    }
    if (!isFinished(state))
        return text;
    if (const Object excesses = excessesOf(trial, state); !excesses.empty())
        text += lineOfAttribute(JournalOperation::SetTrialSystemAttribute, "trial_id", known.id,
                                {{"constraints", excesses}});
    return text
           + lineOfState(known.id, state,
                         "\"values\":" + pythonList(hasValues(state) ? values : std::vector<double>())
                             + ",\"datetime_complete\":\"" + localTime(trial.ended.value_or(startOf(trial))) + '"');
}

std::string OptunaStudy::endOf(const JournalTrial &known) const
{
    const std::string time = localTime(m_sweep.created);
    const std::string begin =
        known.state == OptunaState::Waiting
            ? lineOfState(known.id, OptunaState::Running, "\"datetime_start\":\"" + time + "\",\"values\":null")
            : std::string();
    return begin + lineOfState(known.id, OptunaState::Fail, "\"values\":null,\"datetime_complete\":\"" + time + '"');
}

/// Empty if one is unknown or not a number: Optuna has no such values.
std::vector<double> OptunaStudy::valuesOf(const sweep::TrialRecord &trial) const
{
    std::vector<double> values;
    if (!m_spec.objectives.empty()) {
        if (trial.state == sweep::TrialState::Pruned)
            return {};
        values = sweep::objectiveValues(m_spec, trial);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] *= sweep::signOf(m_spec, i);
    } else if (const auto &value =
                   trial.state == sweep::TrialState::Pruned ? trial.objectiveLast : trial.objectiveBest) {
        values.push_back(value->value);
    }
    return std::ranges::any_of(values, [](double value) { return std::isnan(value); }) ? std::vector<double>() : values;
}

WallNs OptunaStudy::startOf(const sweep::TrialRecord &trial) const
{
    return trial.started.value_or(trial.ended.value_or(m_sweep.created));
}

/// Optuna requires a start of every trial but waiting ones. A trial that was stopped while it was queued took no time.
void OptunaStudy::addTimes(Object &json, const sweep::TrialRecord &trial, OptunaState state) const
{
    if (state == OptunaState::Waiting) {
        json["datetime_start"] = nullptr;
        return;
    }
    json["datetime_start"] = localTime(startOf(trial));
    if (state != OptunaState::Running)
        json["datetime_complete"] = localTime(trial.ended.value_or(startOf(trial)));
}

/// Parameters of a waiting trial are fixed, as in enqueue_trial().
void OptunaStudy::addParameters(Object &json, const sweep::TrialRecord &trial, OptunaState state) const
{
    json["distributions"] = Object::object();
    json["params"] = Object::object();
    json["system_attrs"] = Object::object();
    if (state == OptunaState::Waiting) {
        Object fixed = Object::object();
        for (const auto &[name, value] : trial.parameters)
            fixed[name] = std::visit([](const auto &held) { return jsonValue(held); }, value);
        json["system_attrs"]["fixed_params"] = fixed;
    }
    for (const OptunaParameter &parameter : m_parameters) {
        if (const sweep::ParameterValue *value = sweep::find(trial.parameters, parameter.name())) {
            json["distributions"][parameter.name()] = parameter.distribution();
            json["params"][parameter.name()] = parameter.stored(*value);
        }
    }
}

/// Of finished trials; samplers of Optuna take more than 0 as violated. Empty if none is known.
nlohmann::ordered_json OptunaStudy::excessesOf(const sweep::TrialRecord &trial, OptunaState state) const
{
    Object json = Object::array();
    if (!m_constraints || state == OptunaState::Waiting || state == OptunaState::Running)
        return json;
    for (const double excess : m_constraints->excesses(trial)) {
        if (std::isfinite(excess))
            json.push_back(excess);
    }
    return json;
}

std::optional<std::map<std::int64_t, double>> OptunaStudy::curveOf(const sweep::TrialRecord &trial,
                                                                   const Progress &progress)
{
    const auto curve = objectiveCurve(m_workspace, m_sweep, trial, m_mostPoints, progress);
    if (!curve)
        return std::nullopt;
    if (sweep::isFinal(trial.state))
        addDamage(m_damage, curve->damage);
    std::map<std::int64_t, double> byStep;
    for (const feed::Point &point : curve->points)
        byStep.insert_or_assign(point.step, point.value);
    return byStep;
}

std::map<std::int64_t, double> missingPoints(const std::map<std::int64_t, double> &curve,
                                             const std::map<std::int64_t, double> &known, bool hasEnded,
                                             std::uint64_t mostPoints)
{
    std::map<std::int64_t, double> missing;
    if (curve.empty())
        return missing;
    const auto distance = [](std::int64_t from, std::int64_t to) {
        return static_cast<double>(to) - static_cast<double>(from);
    };
    const std::int64_t newest = curve.rbegin()->first;
    if (!hasEnded && !known.empty() && newest > known.rbegin()->first
        && distance(known.rbegin()->first, newest) * static_cast<double>(mostPoints)
               < distance(curve.begin()->first, newest))
        return missing;
    for (const auto &[step, value] : curve) {
        const auto found = known.find(step);
        if (found == known.end() || !isSameValue(found->second, value))
            missing.emplace(step, value);
    }
    return missing;
}

}  // namespace sweepscope::exporting
