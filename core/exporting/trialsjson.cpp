#include "exporting/trialsjson.h"

#include "exporting/jsontext.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "wording/sentence.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace sweepscope::exporting {

namespace {

using Json = nlohmann::ordered_json;

bool isChosen(const ColumnChoice &columns, std::string_view name)
{
    return columns.empty() || columns.contains(name);
}

Json parametersOf(const sweep::ParameterSet &parameters, const ColumnChoice &columns)
{
    Json json = Json::object();
    for (const auto &[name, value] : parameters) {
        if (isChosen(columns, parameterColumn(name)))
            json[name] = std::visit([](const auto &held) { return jsonValue(held); }, value);
    }
    return json;
}

Json objectiveOf(const std::optional<sweep::ObjectiveValue> &objective)
{
    if (!objective)
        return nullptr;
    return {{"value", jsonValue(objective->value)}, {"step", objective->step}};
}

bool anyMetricIsChosen(const ColumnChoice &columns)
{
    return columns.empty() || std::any_of(columns.begin(), columns.end(), [](const std::string &column) {
               return column.starts_with(metricColumn({}, MetricColumn::Last))
                      || column.starts_with(metricColumn({}, MetricColumn::Lowest))
                      || column.starts_with(metricColumn({}, MetricColumn::Highest));
           });
}

/// A metric that has one of its columns chosen is there as a whole.
Json metricsOf(const std::vector<sweep::MetricValue> &metrics, const ColumnChoice &columns)
{
    Json json = Json::object();
    for (const sweep::MetricValue &metric : metrics) {
        if (!isChosen(columns, metricColumn(metric.name, MetricColumn::Last))
            && !isChosen(columns, metricColumn(metric.name, MetricColumn::Lowest))
            && !isChosen(columns, metricColumn(metric.name, MetricColumn::Highest)))
            continue;
        json[metric.name] = {{"last", jsonValue(metric.last)},
                             {"step", metric.step},
                             {"min", jsonValue(metric.lowest)},
                             {"max", jsonValue(metric.highest)}};
    }
    return json;
}

Json timeOf(const std::optional<WallNs> &time)
{
    return time ? Json(toIso8601(*time)) : Json();
}

Json secondsOf(const sweep::TrialRecord &trial, std::optional<WallNs> (*duration)(const sweep::TrialRecord &, WallNs))
{
    const std::optional<WallNs> time = trial.ended ? duration(trial, *trial.ended) : std::nullopt;
    return time ? Json(static_cast<double>(*time) / 1e9) : Json();
}

Json jsonOf(const sweep::TrialRecord &trial, const ColumnChoice &columns, const launch::SweepEnergy &energies,
            const sweep::CostFactors &factors)
{
    Json json;
    const auto add = [&](const char *key, auto &&value, const char *other = nullptr) {
        if (isChosen(columns, key) || (other != nullptr && isChosen(columns, other)))
            json[key] = value;
    };
    json["trial"] = trial.number;
    add("state", sweep::toString(trial.state));
    json["parameters"] = parametersOf(trial.parameters, columns);
    add("objective_last", objectiveOf(trial.objectiveLast), "objective_last_step");
    add("objective_best", objectiveOf(trial.objectiveBest), "objective_best_step");
    if (trial.pointMean) {
        add("objective_mean", trial.pointMean->value);
        add("objective_error", trial.pointMean->runs > 1 ? Json(trial.pointMean->error) : Json());
        add("objective_runs", trial.pointMean->runs);
    }
    if (anyMetricIsChosen(columns))
        json["metrics"] = metricsOf(trial.metrics, columns);
    add("attempts", trial.attempts);
    add("first_attempt", sweep::chainOf(trial).first);
    add("seed", trial.seed);
    add("ranks", trial.ranks);
    add("devices", trial.devices);
    add("simulated", trial.simulated);
    add("start", timeOf(trial.started));
    add("end", timeOf(trial.ended));
    add("seconds", secondsOf(trial, sweep::runningTime));
    add("seconds_with_pauses", secondsOf(trial, sweep::timeWithPauses));
    const std::optional<double> hours = deviceHours(trial);
    add("device_hours", hours ? Json(*hours) : Json());
    const std::optional<series::Energy> energy = energies.ofTrial(trial.number, trial.attempts);
    add("energy_kwh", energy ? Json(energy->joules / series::joulesPerKilowattHour) : Json());
    add("energy_method", energy ? Json(launch::toString(energy->method)) : Json());
    if (!factors.isEmpty()) {
        const sweep::Cost cost = costOfTrial(trial, energies, factors);
        add("cost", cost.price ? Json(*cost.price) : Json());
        add("currency", cost.price ? Json(factors.currency) : Json());
        add("co2_kg", cost.carbonKg ? Json(*cost.carbonKg) : Json());
    }
    add("reason", std::string(facts::nameOf(trial.reason.code)));
    add("exit_cause", wording::sentence(trial.reason));
    add("chosen", std::string(facts::nameOf(trial.chosen.code)));
    add("why", wording::sentence(trial.chosen));
    add("starred", trial.mark.starred);
    add("tags", trial.mark.tags);
    add("note", trial.mark.note);
    return json;
}

}  // namespace

void writeTrialsJson(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                     const ColumnChoice &columns, const launch::SweepEnergy &energy, const sweep::CostFactors &factors)
{
    const Json head{{"sweep", sweep.name},
                    {"objective", sweep.objective},
                    {"goal", sweep.goal == sweep::Goal::Minimize ? "minimize" : "maximize"},
                    {"trials", Json::array()}};
    writeOpen(out, head);
    const char *separator = "\n";
    for (const sweep::TrialRecord &trial : trials) {
        out << separator << jsonLine(jsonOf(trial, columns, energy, factors));
        separator = ",\n";
    }
    out << "\n]}\n";
}

}  // namespace sweepscope::exporting
