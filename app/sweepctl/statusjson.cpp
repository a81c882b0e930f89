#include "statusjson.h"

#include "diagnosiswords.h"
#include "jsonvalues.h"
#include "sweep/failuregroups.h"
#include "sweep/outcome.h"
#include "sweep/sweepfile.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "sweepwords.h"

#include "exporting/sweepexport.h"
#include "wording/failuretitle.h"
#include "wording/sentence.h"

namespace sweepscope::ctl {

namespace {

Json time(const std::optional<WallNs> &time)
{
    return time ? Json(toIso8601(*time)) : Json(nullptr);
}

Json objective(const std::optional<sweep::ObjectiveValue> &objective)
{
    if (!objective)
        return nullptr;
    return {{"value", objective->value}, {"step", objective->step}};
}

Json metrics(const std::vector<sweep::MetricValue> &metrics)
{
    Json json = Json::object();
    for (const sweep::MetricValue &metric : metrics)
        json[metric.name] = {
            {"last", metric.last}, {"step", metric.step}, {"min", metric.lowest}, {"max", metric.highest}};
    return json;
}

Json parameters(const sweep::ParameterSet &parameters)
{
    Json json = Json::object();
    for (const auto &[name, value] : parameters)
        std::visit([&json, &key = name](const auto &plain) { json[key] = plain; }, value);
    return json;
}

Json seconds(const std::optional<WallNs> &duration)
{
    return duration ? Json(toSeconds(*duration)) : Json(nullptr);
}

/// Null if unknown.
void addEnergy(Json &json, const std::optional<series::Energy> &energy)
{
    json["energy_kwh"] = energy ? Json(energy->joules / series::joulesPerKilowattHour) : Json(nullptr);
    json["energy_method"] = energy ? Json(launch::toString(energy->method)) : Json(nullptr);
}

/// Null if unknown; absent without factors.
void addCost(Json &json, const sweep::Cost &cost, const sweep::CostFactors &factors)
{
    if (factors.isEmpty())
        return;
    json["cost"] = cost.price ? Json(*cost.price) : Json(nullptr);
    json["currency"] = cost.price ? Json(factors.currency) : Json(nullptr);
    json["co2_kg"] = cost.carbonKg ? Json(*cost.carbonKg) : Json(nullptr);
}

/// As long as the trial runs, it grows.
Json deviceHours(const sweep::TrialRecord &trial, WallNs now)
{
    constexpr double secondsPerHour = 3600;
    const std::optional<double> seconds = sweep::runningSeconds(trial, now);
    if (!seconds || trial.devices.empty())
        return nullptr;
    return *seconds * static_cast<double>(trial.devices.size()) / secondsPerHour;
}

Json toJson(const sweep::TrialRecord &trial)
{
    const WallNs now = wallNow();
    return {{"number", trial.number},
            {"state", sweep::toString(trial.state)},
            {"parameters", parameters(trial.parameters)},
            {"seed", trial.seed},
            {"ranks", trial.ranks},
            {"attempts", trial.attempts},
            {"first_attempt", sweep::chainOf(trial).first},
            {"devices", trial.devices},
            {"simulated", trial.simulated},
            {"objective_last", objective(trial.objectiveLast)},
            {"objective_best", objective(trial.objectiveBest)},
            {"objective_mean", trial.pointMean ? Json(trial.pointMean->value) : Json(nullptr)},
            {"objective_error",
             trial.pointMean && trial.pointMean->runs > 1 ? Json(trial.pointMean->error) : Json(nullptr)},
            {"objective_runs", trial.pointMean ? trial.pointMean->runs : 0},
            {"violation", trial.violation},
            {"metrics", metrics(trial.metrics)},
            {"started", time(trial.started)},
            {"attempt_started", time(trial.attemptStarted)},
            {"ended", time(trial.ended)},
            {"seconds", seconds(sweep::runningTime(trial, now))},
            {"seconds_with_pauses", seconds(sweep::timeWithPauses(trial, now))},
            {"device_hours", deviceHours(trial, now)},
            {"paused_seconds", toSeconds(trial.paused)},
            {"step", trial.step},
            {"progress", trial.progress},
            {"priority", trial.priority},
            {"chosen", reasonJson(trial.chosen)},
            {"reason", reasonJson(trial.reason)},
            {"cause", wording::sentence(trial.reason)}};
}

Json warnings(const facts::Facts &facts)
{
    Json list = Json::array();
    for (const facts::Fact &fact : facts)
        list.push_back(wording::sentence(fact));
    return list;
}

/// Returns null for a trial that does not run or has too much to read; sweepctl diagnose covers these.
Json findings(const SweepStatus &status, int trial)
{
    const auto found = status.findings.find(trial);
    if (found == status.findings.end())
        return nullptr;
    Json list = Json::array();
    for (const diagnosis::Finding &finding : found->second)
        list.push_back(ctl::toJson(finding));
    return list;
}

/// The causes of failures, the most frequent first.
Json failuresJson(const std::vector<sweep::TrialRecord> &trials)
{
    Json list = Json::array();
    for (const sweep::FailureGroup &group : sweep::failureGroups(trials))
        list.push_back({{"title", wording::failureTitle(group.cause)},
                        {"cause", wording::sentence(group.cause)},
                        {"reason", reasonJson(group.cause)},
                        {"trials", group.trials}});
    return list;
}

Json toJson(const SweepStatus &status, const sweep::CostFactors &factors)
{
    const sweep::SweepRecord &sweep = status.sweep;
    Json counts = Json::object();
    for (const auto &[state, count] : countStates(status.trials))
        counts[sweep::toString(state)] = count;
    Json trials = Json::array();
    for (const sweep::TrialRecord &trial : status.trials) {
        trials.push_back(toJson(trial));
        addEnergy(trials.back(), status.energy.ofTrial(trial.number, trial.attempts));
        addCost(trials.back(), exporting::costOfTrial(trial, status.energy, factors), factors);
        trials.back()["findings"] = findings(status, trial.number);
    }
    const sweep::SweepSpec spec = sweep::parseSweep(sweep.toml).spec;
    std::vector<const sweep::TrialRecord *> all;
    for (const sweep::TrialRecord &trial : status.trials)
        all.push_back(&trial);
    const std::optional<double> left = secondsLeft(sweep, status.trials);
    const std::optional<int> expected = sweep::expectedTrials(sweep);
    Json json{{"id", sweep.id},
              {"name", sweep.name},
              {"folder", sweep.folder},
              {"state", sweep::toString(sweep.state)},
              {"objective", sweep.objective},
              {"goal", sweep.goal == sweep::Goal::Minimize ? "minimize" : "maximize"},
              {"created", toIso8601(sweep.created)},
              {"ended", time(sweep.ended)},
              {"active_seconds", sweep::activeSeconds(sweep, wallNow())},
              {"trials_total", sweep.trialsTotal},
              {"trials_expected", expected ? Json(*expected) : Json(nullptr)},
              {"archived", sweep.archived},
              {"starred", sweep.mark.starred},
              {"tags", sweep.mark.tags},
              {"note", sweep.mark.note},
              {"edits", sweep.edits},
              {"priority", sweep.priority},
              {"warnings", warnings(sweep.warnings)},
              {"counts", std::move(counts)},
              {"failures", failuresJson(status.trials)},
              {"pareto_front", spec.objectives.empty() ? Json(nullptr) : Json(sweep::paretoFront(spec, all))},
              {"seconds_left", left ? Json(*left) : Json(nullptr)},
              {"device_hours", toSeconds(sweep.deviceTime) / 3600}};
    addEnergy(json, status.energy.known());
    addCost(json, exporting::costOfSweep(sweep, status.energy, factors), factors);
    json["trials"] = std::move(trials);
    return json;
}

}  // namespace

std::string toJson(const WorkspaceStatus &status)
{
    Json sweeps = Json::array();
    for (const SweepStatus &sweep : status.sweeps)
        sweeps.push_back(toJson(sweep, status.factors));
    const Json json{{"workspace", status.workspace}, {"engine_runs", status.engineRuns}, {"sweeps", std::move(sweeps)}};
    // Replace invalid UTF-8 written by a rank: otherwise no parser would accept the JSON.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sweepscope::ctl
