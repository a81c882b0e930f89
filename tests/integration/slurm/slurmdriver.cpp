// One call of core/slurm per run, for tests in Python: slurmdriver VERB JSON. Prints what it returned as JSON.
#include "slurm/commands.h"
#include "slurm/jobend.h"
#include "slurm/localcommand.h"
#include "slurm/waitingreason.h"
#include "wording/sentence.h"

#include "base/clock.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace {

using namespace sweepscope;
using namespace sweepscope::slurm;
using Json = nlohmann::json;

constexpr WallNs second = 1'000'000'000;

BatchJob jobIn(const Json &json)
{
    BatchJob job;
    job.name = jobName(json.at("attempt").get<std::string>());
    job.folder = json.at("folder").get<std::string>();
    job.command = json.at("command").get<std::vector<std::string>>();
    job.gpus = json.value("gpus", 0);
    job.setup = json.value("setup", "");
    job.slurmEnvironment = json.value("slurm_environment", false);
    return job;
}

Json jsonOf(const Job &job)
{
    Json json{{"id", job.id}, {"name", job.name}, {"reason", job.reason}, {"nodes", job.nodeList}};
    if (job.state == JobState::Pending) {
        const WaitingReason reason = classifyReason(job.reason);
        json["state"] = "pending";
        json["why"] = wording::sentence(waitingFact(job, wallNow() / second));
        json["code"] = facts::nameOf(reason.code);
        json["starts"] = reason.starts;
    } else if (!hasEnded(job.state)) {
        json["state"] = job.state == JobState::Running ? "running" : "other";
    } else {
        const JobEnd end = endOf(job);
        json["state"] = "ended";
        json["why"] = wording::sentence(end.fact);
        json["code"] = facts::nameOf(end.fact.code);
        json["again"] = end.isToBeContinued;
        json["blame"] = end.isTrialsFault;
        json["checkpoint"] = facts::nameOf(checkpointCause(job, checkpointTime({})).code);
    }
    return json;
}

Json jsonOf(const Error &error)
{
    return {{"error", error.message}};
}

Json jsonOf(const Expected<void> &done)
{
    return done ? Json{{"done", true}} : jsonOf(done.error());
}

Json jsonOf(const SubmitAnswer &answer)
{
    if (const auto *accepted = std::get_if<Accepted>(&answer))
        return {{"job", accepted->job}};
    if (const auto *refused = std::get_if<Refused>(&answer))
        return {{"refused", wording::sentence(refused->fact)}};
    if (const auto *postponed = std::get_if<Postponed>(&answer))
        return {{"postponed", wording::sentence(postponed->fact)}};
    return {{"uncertain", wording::sentence(std::get<Uncertain>(answer).fact)}};
}

Json jsonOf(const TestAnswer &answer)
{
    if (const auto *estimate = std::get_if<StartEstimate>(&answer))
        return {{"starts_in", estimate->starts.value_or(0) - wallNow() / second}, {"nodes", estimate->nodes}};
    if (const auto *refused = std::get_if<Refused>(&answer))
        return {{"refused", wording::sentence(refused->fact)}};
    return {{"uncertain", true}};
}

Json jsonOf(const Expected<std::vector<Job>> &jobs)
{
    if (!jobs)
        return jsonOf(jobs.error());
    Json json = Json::object();
    for (const Job &job : *jobs)
        json[job.id] = jsonOf(job);
    return json;
}

Json run(const std::string &verb, const Json &json)
{
    const Commands commands(runHere);
    if (verb == "submit" || verb == "test") {
        const Expected<Settings> settings = settingsIn(json.value("settings", ""));
        if (!settings)
            return jsonOf(settings.error());
        return verb == "submit" ? jsonOf(commands.submit(jobIn(json), *settings))
                                : jsonOf(commands.test(jobIn(json), *settings));
    }
    if (verb == "queue")
        return jsonOf(commands.queue());
    if (verb == "accounted")
        return jsonOf(commands.accounted({jobName(json.at("attempt").get<std::string>())}));
    if (verb == "show") {
        const Expected<Job> job = commands.show(json.at("job").get<std::string>());
        return job ? jsonOf(*job) : jsonOf(job.error());
    }
    if (verb == "cancel")
        return jsonOf(commands.cancel({json.at("job").get<std::string>()}));
    if (verb == "signal")
        return jsonOf(commands.signal(json.at("job").get<std::string>(), json.at("signal").get<std::string>()));
    return {{"error", "unknown verb"}};
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    std::cout << run(argv[1], Json::parse(argv[2])).dump() << '\n';
    return 0;
}
