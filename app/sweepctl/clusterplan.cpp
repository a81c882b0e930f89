#include "clusterplan.h"

#include "exitcode.h"
#include "jsonvalues.h"
#include "sweepwords.h"

#include "base/clock.h"
#include "remote/slurmrunner.h"
#include "schedule/scheduler.h"
#include "slurm/commands.h"
#include "slurm/localcommand.h"
#include "sweep/deviceplace.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace sweepscope::ctl {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

constexpr double secondsPerHour = 3600;
constexpr WallNs nanosecondsPerSecond = 1'000'000'000;

struct ClusterPlan {
    std::uint64_t trials = 0;  ///< 0: no limit
    schedule::JobSize job;
    std::optional<std::chrono::seconds> time;  ///< of a job; nullopt: no limit
    Fact start;                                ///< when, or why not
    std::optional<double> startsIn;            ///< seconds
    bool canStart = true;

    std::optional<double> gpuHours() const
    {
        if (!time || trials == 0)
            return std::nullopt;
        return static_cast<double>(trials) * job.nodes * job.gpus * static_cast<double>(time->count()) / secondsPerHour;
    }
};

std::string countOf(std::int64_t count, const std::string &what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// "12", "0.25"
std::string hoursText(double hours)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), hours < 10 ? "%.3g" : "%.0f", hours);
    return text.data();
}

bool isHere(const SweepInput &input)
{
    return input.cluster->name == sweep::thisMachine;
}

void askForStart(ClusterPlan &plan, const slurm::Commands &commands, const SweepInput &input)
{
    slurm::BatchJob job;
    job.name = slurm::jobName("plan");
    job.folder = isHere(input) ? input.baseFolder.string() : "/";
    job.command = {"true"};
    for (int node = 1; node < plan.job.nodes; ++node)
        job.otherFolders.push_back(std::to_string(node));
    job.gpus = plan.job.gpus;
    job.cpus = plan.job.cpus > 1 ? plan.job.cpus : 0;
    const slurm::TestAnswer answer = commands.test(job, *input.cluster->slurm);
    if (const auto *estimate = std::get_if<slurm::StartEstimate>(&answer)) {
        if (estimate->starts)
            plan.startsIn =
                static_cast<double>(std::max<std::int64_t>(0, *estimate->starts - wallNow() / nanosecondsPerSecond));
        plan.start = Fact(Code::JobStartEstimated).with(Field::Seconds, plan.startsIn.value_or(0));
    } else if (const auto *refused = std::get_if<slurm::Refused>(&answer)) {
        plan.start = refused->fact;
        plan.canStart = false;
    } else if (const auto *postponed = std::get_if<slurm::Postponed>(&answer)) {
        plan.start = postponed->fact;
    } else {
        plan.start = std::get<slurm::Uncertain>(answer).fact;
    }
}

void print(const ClusterPlan &plan, const SweepInput &input, const std::string &file,
           const std::optional<schedule::TimeBasis> &basis)
{
    std::cout << file << ": "
              << (plan.trials == 0 ? std::string("a search without a number of trials")
                                   : countOf(static_cast<std::int64_t>(plan.trials), "trial"))
              << ", each as a Slurm job" << (isHere(input) ? std::string() : " on " + input.cluster->name)
              << "\n  Job: " << (plan.job.nodes > 1 ? countOf(plan.job.nodes, "node") + ", each with " : "")
              << (plan.job.gpus > 0 ? countOf(plan.job.gpus, "GPU") + ", " : "") << countOf(plan.job.cpus, "CPU")
              << ", "
              << (plan.time ? "up to " + durationInWords(static_cast<double>(plan.time->count())) : "no time limit")
              << '\n';
    if (const auto hours = plan.gpuHours(); hours && plan.job.gpus > 0)
        std::cout << "  Requested: " << hoursText(*hours) << " GPU-hours at most, if no trial needs a second job\n";
    std::cout << "  Start: " << wording::clause(plan.start) << '\n';
    if (basis)
        std::cout << "  Time: about " << durationInWords(basis->secondsPerTrial) << " per trial, as in the sweep "
                  << basis->sweep << '\n';
}

}  // namespace

int planOnCluster(const SweepInput &input, const std::string &file, const std::optional<schedule::TimeBasis> &basis,
                  bool json)
{
    const slurm::Settings &settings = *input.cluster->slurm;
    const remote::LoginNode login(input.cluster->ssh);
    const slurm::Commands commands(isHere(input) ? slurm::Runner(slurm::runHere) : login.runner());
    const Expected<slurm::Partition> partition = commands.partition(settings);
    if (!partition) {
        std::cerr << partition.error().message << '\n';
        return badInput;
    }
    ClusterPlan plan;
    plan.trials = input.trials;
    plan.job = schedule::jobSizeOf(schedule::requestOf(input.spec, 1, input.spec.run.ranks, {}), partition->gpus > 0);
    plan.time = settings.time.empty() ? partition->usualTime ? partition->usualTime : partition->longest
                                      : slurm::slurmTime(settings.time);
    askForStart(plan, commands, input);
    if (!partition->isUp && plan.canStart) {  // sbatch --test-only does not look at that
        plan.start = Fact(Code::JobPartitionClosed);
        plan.startsIn.reset();
    }
    if (!json) {
        print(plan, input, file, basis);
        return plan.canStart ? good : badInput;
    }
    const auto hours = plan.gpuHours();
    const Json result{{"trials_total", plan.trials == 0 ? Json(nullptr) : Json(plan.trials)},
                      {"job",
                       {{"nodes", plan.job.nodes},
                        {"gpus", plan.job.gpus},
                        {"cpus", plan.job.cpus},
                        {"seconds", plan.time ? Json(plan.time->count()) : Json(nullptr)}}},
                      {"gpu_hours", hours ? Json(*hours) : Json(nullptr)},
                      {"can_start", plan.canStart},
                      {"starts_in_seconds", plan.startsIn ? Json(*plan.startsIn) : Json(nullptr)},
                      {"start", reasonJson(plan.start)}};
    std::cout << result.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return plan.canStart ? good : badInput;
}

}  // namespace sweepscope::ctl
