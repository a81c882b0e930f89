#include "unit/schedule/schedulingchecks.h"

#include <algorithm>

namespace sweepscope::schedule {

namespace {

std::string textOf(const TrialReason &reason)
{
    return facts::toJson(reason.reason);
}

/// Requires that ranks are on the least used cores, counting the ranks of both engines.
void checkCores(const SharedMachine &machine, const Running &started)
{
    std::map<int, int> users;
    for (const device::CpuCore &core : machine.cpus.cores)
        users[core.cpus.front()] = 0;
    for (const Side &side : machine.sides) {
        for (const Running &running : side.running) {
            for (const auto &cpus : running.start.devices.cpu.cpus) {
                for (const int cpu : cpus)
                    users[cpu] += &running != &started ? 1 : 0;
            }
        }
    }
    for (const auto &cpus : started.start.devices.cpu.cpus) {
        const std::set<int> mine(cpus.begin(), cpus.end());
        int most = 0;
        for (const int cpu : mine)
            most = std::max(most, users[cpu]);
        for (const auto &[cpu, count] : users)
            REQUIRE(mine.empty() || mine.contains(cpu) || count >= most,
                    "CPU %d has %d ranks, and one with %d is taken", cpu, count, most);
        for (const int cpu : mine)
            ++users[cpu];
    }
}

bool waitsBefore(const std::vector<SweepDemand> &demands, const SweepDemand &demand, const SweepDemand &candidate,
                 const std::vector<TrialReason> &waiting)
{
    const bool waits = std::any_of(waiting.begin(), waiting.end(), [&](const TrialReason &reason) {
        return reason.sweepId == candidate.sweepId && candidate.running < candidate.next.concurrent;
    });
    return waits && &candidate < &demand && &candidate >= demands.data();
}

void checkCpuReason(const SharedMachine &machine, const Side &side, const std::vector<SweepDemand> &demands,
                    const SweepDemand &demand, const std::vector<TrialReason> &waiting)
{
    const bool behind = std::any_of(demands.begin(), demands.end(), [&](const SweepDemand &candidate) {
        return !machine.wantsGpus(candidate) && waitsBefore(demands, demand, candidate, waiting);
    });
    REQUIRE(behind || demand.next.needed() > machine.slotsOf(demand) - machine.slotsUsedBy(side),
            "%s waits for nothing", demand.next.trial.sweep.c_str());
}

void checkGpuReason(const SharedMachine &machine, const Side &side, const std::vector<SweepDemand> &demands,
                    const SweepDemand &demand, const TrialReason &reason, const std::vector<TrialReason> &waiting)
{
    int room = 0;
    for (const device::Device *gpu : machine.gpus()) {
        const auto told = reason.obstacles.find(gpu->id);
        if (!machine.mayHave(demand, *gpu)) {
            REQUIRE(told == reason.obstacles.end(), "%s is not for it", gpu->id.c_str());
            continue;
        }
        const SharedMachine::Load load = machine.loadOf(side, *gpu);
        const GpuState state = machine.stateOf(*gpu);
        const int limit = std::min(demand.next.gpus.perGpu, load.limit);
        const bool counts = gpu->memoryBytes > 0 && (demand.next.gpus.memoryBytes > 0 || demand.next.gpus.perGpu > 1);
        const std::uint64_t foreign = demand.next.gpus.foreign == sweep::ForeignPolicy::Share ? state.foreignBytes : 0;
        int places = std::min(machine.mostOn(demand, *gpu), limit - load.ranks);
        const auto fits = [&](int ranks) {
            return load.promised + foreign + machine.promise(demand, *gpu) * static_cast<std::uint64_t>(ranks)
                   <= gpu->memoryBytes;
        };
        const bool fitsAll = !counts || fits(std::max(1, places));
        while (counts && places > 0 && !fits(places))
            --places;
        if (told == reason.obstacles.end()) {
            room += places;
            continue;
        }
        const auto isTrue = [&] {
            switch (told->second) {
            case Obstacle::InUse:
                room += std::max(0, places);  // places may be left, but too few
                return load.ranks > 0;
            case Obstacle::Memory:
                room += std::max(0, places);
                return !fitsAll;
            case Obstacle::Reserved:
                return std::any_of(demands.begin(), demands.end(), [&](const SweepDemand &candidate) {
                    return machine.wantsGpus(candidate) && machine.mayHave(candidate, *gpu)
                           && waitsBefore(demands, demand, candidate, waiting);
                });
            case Obstacle::Draining:
                return state.draining && demand.next.gpus.foreign != sweep::ForeignPolicy::Ignore;
            case Obstacle::Leased:
                return machine.loadOf(machine.other(side), *gpu).ranks > 0;
            case Obstacle::Foreign:
                return machine.isKeptFromSharing(demand, *gpu);
            case Obstacle::Unusable:
                return bool(state.unusable);
            }
            return false;
        };
        REQUIRE(isTrue(), "obstacle %d of %s in '%s'", static_cast<int>(told->second), gpu->id.c_str(),
                textOf(reason).c_str());
        if (told->second != Obstacle::InUse)
            REQUIRE(std::ranges::any_of(
                        reason.reason.because,
                        [&](const facts::Fact &cause) { return cause.integer(facts::Field::Index) == gpu->index; }),
                    "GPU %d is not in '%s'", gpu->index, textOf(reason).c_str());
    }
    REQUIRE(room < demand.next.needed(), "%d places are free, but '%s'", room, textOf(reason).c_str());
}

}  // namespace

void checkStart(const SharedMachine &machine, const Side &side, const Running &running)
{
    const SweepDemand &demand = running.demand;
    checkCores(machine, running);
    REQUIRE(running.start.devices.perRank.size() == static_cast<std::size_t>(demand.next.ranks), "all or nothing");
    for (const auto &rank : running.start.devices.perRank)
        REQUIRE(rank.size() == static_cast<std::size_t>(demand.next.perRank), "all or nothing");
    const std::vector<std::string> ids = running.start.devices.all();
    if (!machine.wantsGpus(demand)) {
        const int slots = machine.slotsUsedBy(side);
        REQUIRE(slots <= machine.slotsOf(demand), "%d CPU slots of %d", slots, machine.slotsOf(demand));
        return;
    }
    const std::set<std::string> distinct(ids.begin(), ids.end());
    REQUIRE(demand.next.gpus.ranksShare || distinct.size() == ids.size(), "NCCL refuses two ranks on a GPU");
    for (const device::Device *gpu : machine.gpus()) {
        if (!distinct.contains(gpu->id))
            continue;
        const SharedMachine::Load load = machine.loadOf(side, *gpu);
        const GpuState state = machine.stateOf(*gpu);
        REQUIRE(machine.mayHave(demand, *gpu), "%s is not for it", gpu->id.c_str());
        REQUIRE(load.ranks <= load.limit, "%d ranks on %s", load.ranks, gpu->id.c_str());
        REQUIRE(machine.loadOf(machine.other(side), *gpu).ranks == 0, "both engines have %s", gpu->id.c_str());
        REQUIRE(!state.unusable, "%s is lost", gpu->id.c_str());
        REQUIRE(!machine.isKeptFromSharing(demand, *gpu), "%s is used by others", gpu->id.c_str());
        REQUIRE(!state.draining || demand.next.gpus.foreign != sweep::ForeignPolicy::Avoid, "not drained");
        const bool sharedOut = demand.next.gpus.perGpu > 1 || demand.next.gpus.memoryBytes > 0;
        const std::uint64_t foreign =
            demand.next.gpus.foreign == sweep::ForeignPolicy::Share && sharedOut ? state.foreignBytes : 0;
        REQUIRE(gpu->memoryBytes == 0 || load.promised + foreign <= gpu->memoryBytes,
                "more than its memory is promised of %s", gpu->id.c_str());
    }
}

void checkOvertaking(const SharedMachine &machine, const std::vector<SweepDemand> &demands, const TrialStart &start,
                     const std::vector<TrialReason> &waiting)
{
    const std::vector<std::string> ids = start.devices.all();
    for (const TrialReason &reason : waiting) {
        const SweepDemand &before = demandOf(demands, reason.sweepId);
        if (before.running >= before.next.concurrent || !machine.wantsGpus(before))
            continue;
        int ours = 0;
        for (const device::Device *gpu : machine.gpus()) {
            const auto obstacle = reason.obstacles.find(gpu->id);
            const bool outside = obstacle != reason.obstacles.end() && !endsWithOurs(obstacle->second);
            ours += machine.mayHave(before, *gpu) && !outside ? machine.mostOn(before, *gpu) : 0;
        }
        if (ours < before.next.ranks * before.next.perRank)
            continue;
        for (const device::Device *gpu : machine.gpus())
            REQUIRE(!machine.mayHave(before, *gpu) || std::find(ids.begin(), ids.end(), gpu->id) == ids.end(),
                    "%s was kept for a trial before", gpu->id.c_str());
    }
}

void checkReasons(const SharedMachine &machine, const Side &side, const std::vector<SweepDemand> &demands,
                  const Decision &decision)
{
    std::set<std::int64_t> told;
    for (const TrialReason &reason : decision.waiting) {
        told.insert(reason.sweepId);
        const SweepDemand &demand = demandOf(demands, reason.sweepId);
        REQUIRE(reason.reason, "a trial of %s waits without a reason", demand.next.trial.sweep.c_str());
        if (demand.running >= demand.next.concurrent)
            continue;
        if (machine.wantsGpus(demand))
            checkGpuReason(machine, side, demands, demand, reason, decision.waiting);
        else
            checkCpuReason(machine, side, demands, demand, decision.waiting);
    }
    for (const SweepDemand &demand : demands)
        REQUIRE(demand.next.trial.number == 0 || told.contains(demand.sweepId) || decision.start || decision.impossible,
                "a trial of %s waits without a reason", demand.next.trial.sweep.c_str());
}

}  // namespace sweepscope::schedule
