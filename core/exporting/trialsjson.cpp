#include "exporting/trialsjson.h"

#include "exporting/json.h"

namespace sweepscope::exporting {

namespace {

void writeParameters(JsonWriter &json, const sweep::ParameterSet &parameters)
{
    json.beginObject();
    for (const auto &[name, value] : parameters) {
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

void writeTime(JsonWriter &json, const std::optional<WallNs> &time)
{
    if (time)
        json.value(toIso8601(*time));
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

void writeTrial(JsonWriter &json, const sweep::TrialRecord &trial)
{
    json.beginObject();
    json.key("trial");
    json.value(std::int64_t{trial.number});
    json.key("state");
    json.value(sweep::toString(trial.state));
    json.key("parameters");
    writeParameters(json, trial.parameters);
    json.key("objective_last");
    writeObjective(json, trial.objectiveLast);
    json.key("objective_best");
    writeObjective(json, trial.objectiveBest);
    json.key("attempts");
    json.value(std::int64_t{trial.attempts});
    json.key("seed");
    json.value(trial.seed);
    json.key("ranks");
    json.value(std::int64_t{trial.ranks});
    json.key("devices");
    writeTexts(json, trial.devices);
    json.key("simulated");
    json.value(trial.simulated);
    json.key("start");
    writeTime(json, trial.started);
    json.key("end");
    writeTime(json, trial.ended);
    json.key("seconds");
    if (trial.started && trial.ended)
        json.value(static_cast<double>(*trial.ended - *trial.started) / 1e9);
    else
        json.null();
    json.key("exit_cause");
    json.value(trial.cause);
    json.key("starred");
    json.value(trial.mark.starred);
    json.key("tags");
    writeTexts(json, trial.mark.tags);
    json.key("note");
    json.value(trial.mark.note);
    json.endObject();
}

}  // namespace

void writeTrialsJson(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
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
        writeTrial(json, trial);
    }
    json.newLine();
    json.endArray();
    json.endObject();
    out.put('\n');
}

}  // namespace sweepscope::exporting
