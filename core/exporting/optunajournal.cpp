#include "exporting/optunajournal.h"

#include "exporting/jsontext.h"
#include "exporting/objectivecurve.h"
#include "exporting/optunaspace.h"
#include "exporting/outputfile.h"
#include "exporting/trialfeeds.h"
#include "sweep/outcome.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <string>

namespace sweepscope::exporting {

namespace {

using Object = nlohmann::ordered_json;

/// optuna.storages.journal: JournalOperation
enum class Operation { CreateStudy = 0, SetStudyUserAttribute = 2, SetStudySystemAttribute = 3, CreateTrial = 4 };

/// optuna.trial.TrialState
enum class StudyState { Running = 0, Complete = 1, Pruned = 2, Fail = 3, Waiting = 4 };

Object operation(Operation code)
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

class Journal {
public:
    Journal(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
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

    void writeStudy(std::ostream &out) const
    {
        Object create = operation(Operation::CreateStudy);
        create["study_name"] = m_sweep.name;
        create["directions"] = {directionOf(m_sweep.goal)};
        Object names = {m_sweep.objective};
        for (const sweep::Objective &objective : m_spec.objectives) {
            create["directions"].push_back(directionOf(objective.goal));
            names.push_back(objective.name);
        }
        writeLine(out, create);
        writeAttribute(out, Operation::SetStudySystemAttribute, "system_attr", {{"study:metric_names", names}});
        writeAttribute(out, Operation::SetStudyUserAttribute, "user_attr", {{"sweep", m_sweep.folder}});
        const sweep::Mark &mark = m_sweep.mark;
        if (!mark.tags.empty())
            writeAttribute(out, Operation::SetStudyUserAttribute, "user_attr", {{"tags", mark.tags}});
        if (!mark.note.empty())
            writeAttribute(out, Operation::SetStudyUserAttribute, "user_attr", {{"note", mark.note}});
    }

    /// False: stopped by `progress`.
    bool writeTrial(std::ostream &out, const sweep::TrialRecord &trial, const Progress &progress)
    {
        const std::vector<double> values = valuesOf(trial);
        const StudyState state = stateOf(trial, values);
        Object json = operation(Operation::CreateTrial);
        json["study_id"] = 0;
        json["state"] = static_cast<int>(state);
        addTimes(json, trial, state);
        addParameters(json, trial, state);
        json["user_attrs"] = userAttributes(trial);
        if (const Object excesses = excessesOf(trial, state); !excesses.empty())
            json["system_attrs"]["constraints"] = excesses;
        std::string line = jsonLine(json);
        line.pop_back();
        if (!addIntermediateValues(line, trial, progress))
            return false;
        if (!values.empty() && (state == StudyState::Complete || state == StudyState::Pruned)) {
            line += ",\"values\":";
            for (std::size_t i = 0; i < values.size(); ++i)
                line += (i == 0 ? "[" : ",") + pythonNumber(values[i]);
            line += ']';
        }
        out << line << "}\n";
        return true;
    }

    const std::string &damage() const { return m_damage; }

private:
    static int directionOf(sweep::Goal goal) { return goal == sweep::Goal::Minimize ? 1 : 2; }
    static void writeLine(std::ostream &out, const Object &json) { out << jsonLine(json) << '\n'; }
    static void writeAttribute(std::ostream &out, Operation code, const char *key, const Object &attribute)
    {
        Object json = operation(code);
        json["study_id"] = 0;
        json[key] = attribute;
        writeLine(out, json);
    }

    /// Empty if one is unknown or not a number: Optuna has no such values.
    std::vector<double> valuesOf(const sweep::TrialRecord &trial) const
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
        return std::ranges::any_of(values, [](double value) { return std::isnan(value); }) ? std::vector<double>()
                                                                                           : values;
    }

    static StudyState stateOf(const sweep::TrialRecord &trial, const std::vector<double> &values)
    {
        switch (trial.state) {
        case sweep::TrialState::Queued:
            return StudyState::Waiting;
        case sweep::TrialState::Starting:
        case sweep::TrialState::Running:
        case sweep::TrialState::Paused:
            return StudyState::Running;
        case sweep::TrialState::Completed:
            return values.empty() ? StudyState::Fail : StudyState::Complete;
        case sweep::TrialState::Pruned:
            return StudyState::Pruned;
        case sweep::TrialState::Failed:
        case sweep::TrialState::Stopped:
        case sweep::TrialState::Lost:
            break;
        }
        return StudyState::Fail;
    }

    /// Optuna requires a start of every trial but waiting ones. A trial that was stopped while it was queued took no time.
    void addTimes(Object &json, const sweep::TrialRecord &trial, StudyState state) const
    {
        if (state == StudyState::Waiting) {
            json["datetime_start"] = nullptr;
            return;
        }
        const WallNs start = trial.started.value_or(trial.ended.value_or(m_sweep.created));
        json["datetime_start"] = localTime(start);
        if (state != StudyState::Running)
            json["datetime_complete"] = localTime(trial.ended.value_or(start));
    }

    /// Parameters of a waiting trial are fixed, as in enqueue_trial().
    void addParameters(Object &json, const sweep::TrialRecord &trial, StudyState state) const
    {
        json["distributions"] = Object::object();
        json["params"] = Object::object();
        json["system_attrs"] = Object::object();
        if (state == StudyState::Waiting) {
            Object fixed = Object::object();
            for (const auto &[name, value] : trial.parameters)
                fixed[name] = std::visit([](const auto &held) { return jsonValue(held); }, value);
            json["system_attrs"]["fixed_params"] = fixed;
            return;
        }
        for (const OptunaParameter &parameter : m_parameters) {
            if (const sweep::ParameterValue *value = sweep::find(trial.parameters, parameter.name())) {
                json["distributions"][parameter.name()] = parameter.distribution();
                json["params"][parameter.name()] = parameter.stored(*value);
            }
        }
    }

    Object userAttributes(const sweep::TrialRecord &trial) const
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
        if (trial.reason.code != facts::Code::None) {
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

    static void addObjective(Object &json, const std::string &key,
                             const std::optional<sweep::ObjectiveValue> &objective)
    {
        if (!objective)
            return;
        json[key] = jsonValue(objective->value);
        json[key + "_step"] = objective->step;
    }

    /// Of finished trials; samplers of Optuna take more than 0 as violated. Empty if none is known.
    Object excessesOf(const sweep::TrialRecord &trial, StudyState state) const
    {
        Object json = Object::array();
        if (!m_constraints || state == StudyState::Waiting || state == StudyState::Running)
            return json;
        for (const double excess : m_constraints->excesses(trial)) {
            if (std::isfinite(excess))
                json.push_back(excess);
        }
        return json;
    }

    bool addIntermediateValues(std::string &line, const sweep::TrialRecord &trial, const Progress &progress)
    {
        if (!m_spec.objectives.empty())
            return true;
        const auto curve = objectiveCurve(m_workspace, m_sweep, trial, m_mostPoints, progress);
        if (!curve)
            return false;
        addDamage(m_damage, curve->damage);
        std::map<std::int64_t, double> byStep;  // of a step that was reported twice the newest value
        for (const feed::Point &point : curve->points)
            byStep.insert_or_assign(point.step, point.value);
        line += ",\"intermediate_values\":{";
        const char *separator = "\"";
        for (const auto &[step, value] : byStep) {
            line += separator + std::to_string(step) + "\":" + pythonNumber(value);
            separator = ",\"";
        }
        line += '}';
        return true;
    }

    const WorkspaceLayout &m_workspace;
    const sweep::SweepRecord &m_sweep;
    sweep::SweepSpec m_spec;
    std::vector<OptunaParameter> m_parameters;
    std::optional<sweep::OutcomeConstraints> m_constraints;
    std::uint64_t m_mostPoints;
    std::string m_damage;
};

}  // namespace

Expected<void> exportOptuna(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                            const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                            const Progress &progress, std::uint64_t mostPoints)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    Journal journal(workspace, sweep, trials, mostPoints);
    journal.writeStudy(output->stream());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto report = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(trials.size()));
        };
        if (!report(0) || !journal.writeTrial(output->stream(), trials[i], report))
            return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
    }
    return finish(*output, file, journal.damage(), progress);
}

}  // namespace sweepscope::exporting
