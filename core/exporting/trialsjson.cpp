#include "exporting/trialsjson.h"

#include "wording/sentence.h"

#include "exporting/json.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"

#include <algorithm>
#include <string_view>

namespace sweepscope::exporting {

namespace {

bool isChosen(const ColumnChoice &columns, std::string_view name)
{
    return columns.empty() || columns.contains(name);
}

void writeParameters(JsonWriter &json, const sweep::ParameterSet &parameters, const ColumnChoice &columns)
{
    json.beginObject();
    for (const auto &[name, value] : parameters) {
        if (!isChosen(columns, parameterColumn(name)))
            continue;
        json.key(name);
        std::visit([&json](const auto &held) { json.value(held); }, value);
    }
    json.endObject();
}

void writeObjective(JsonWriter &json, const std::optional<sweep::ObjectiveValue> &objective)
{
    if (!objective)
        return json.null();
    json.beginObject();
    json.key("value");
    json.value(objective->value);
    json.key("step");
    json.value(objective->step);
    json.endObject();
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
void writeMetrics(JsonWriter &json, const std::vector<sweep::MetricValue> &metrics, const ColumnChoice &columns)
{
    json.beginObject();
    for (const sweep::MetricValue &metric : metrics) {
        if (!isChosen(columns, metricColumn(metric.name, MetricColumn::Last))
            && !isChosen(columns, metricColumn(metric.name, MetricColumn::Lowest))
            && !isChosen(columns, metricColumn(metric.name, MetricColumn::Highest)))
            continue;
        json.key(metric.name);
        json.beginObject();
        json.key("last");
        json.value(metric.last);
        json.key("step");
        json.value(metric.step);
        json.key("min");
        json.value(metric.lowest);
        json.key("max");
        json.value(metric.highest);
        json.endObject();
    }
    json.endObject();
}

void writeTime(JsonWriter &json, const std::optional<WallNs> &time)
{
    if (time)
        json.value(toIso8601(*time));
    else
        json.null();
}

void writeSeconds(JsonWriter &json, const sweep::TrialRecord &trial,
                  std::optional<WallNs> (*duration)(const sweep::TrialRecord &, WallNs))
{
    const std::optional<WallNs> time = trial.ended ? duration(trial, *trial.ended) : std::nullopt;
    if (time)
        json.value(static_cast<double>(*time) / 1e9);
    else
        json.null();
}

void writeTexts(JsonWriter &json, const std::vector<std::string> &texts)
{
    json.beginArray();
    for (const std::string &text : texts)
        json.value(text);
    json.endArray();
}

void writeTrial(JsonWriter &json, const sweep::TrialRecord &trial, const ColumnChoice &columns)
{
    const auto begins = [&](const char *key, const char *other = nullptr) {
        const bool wanted = isChosen(columns, key) || (other && isChosen(columns, other));
        if (wanted)
            json.key(key);
        return wanted;
    };
    json.beginObject();
    json.key("trial");
    json.value(std::int64_t{trial.number});
    if (begins("state"))
        json.value(sweep::toString(trial.state));
    json.key("parameters");
    writeParameters(json, trial.parameters, columns);
    if (begins("objective_last", "objective_last_step"))
        writeObjective(json, trial.objectiveLast);
    if (begins("objective_best", "objective_best_step"))
        writeObjective(json, trial.objectiveBest);
    if (anyMetricIsChosen(columns)) {
        json.key("metrics");
        writeMetrics(json, trial.metrics, columns);
    }
    if (begins("attempts"))
        json.value(std::int64_t{trial.attempts});
    if (begins("first_attempt"))
        json.value(std::int64_t{sweep::chainOf(trial).first});
    if (begins("seed"))
        json.value(trial.seed);
    if (begins("ranks"))
        json.value(std::int64_t{trial.ranks});
    if (begins("devices"))
        writeTexts(json, trial.devices);
    if (begins("simulated"))
        json.value(trial.simulated);
    if (begins("start"))
        writeTime(json, trial.started);
    if (begins("end"))
        writeTime(json, trial.ended);
    if (begins("seconds"))
        writeSeconds(json, trial, sweep::runningTime);
    if (begins("seconds_with_pauses"))
        writeSeconds(json, trial, sweep::timeWithPauses);
    if (begins("reason"))
        json.value(std::string(facts::nameOf(trial.reason.code)));
    if (begins("exit_cause"))
        json.value(wording::sentence(trial.reason));
    if (begins("starred"))
        json.value(trial.mark.starred);
    if (begins("tags"))
        writeTexts(json, trial.mark.tags);
    if (begins("note"))
        json.value(trial.mark.note);
    json.endObject();
}

}  // namespace

void writeTrialsJson(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                     const ColumnChoice &columns)
{
    JsonWriter json(out);
    json.beginObject();
    json.key("sweep");
    json.value(sweep.name);
    json.key("objective");
    json.value(sweep.objective);
    json.key("goal");
    json.value(sweep.goal == sweep::Goal::Minimize ? "minimize" : "maximize");
    json.key("trials");
    json.beginArray();
    for (const sweep::TrialRecord &trial : trials) {
        json.newLine();
        writeTrial(json, trial, columns);
    }
    json.newLine();
    json.endArray();
    json.endObject();
    out.put('\n');
}

}  // namespace sweepscope::exporting
