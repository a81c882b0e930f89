#include "unit/schedule/schedulingchecks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

/// Random machines, on which the schedulers of two engines share GPUs through real leases: sweeps arrive, trials end,
/// agents and engines are killed, GPUs free their memory late, are lost, come back, and are used by other programs.
/// After each step the state is compared with a plain model of the machine, which is independent of the scheduler's
/// algorithm.
///
///     tst_scheduling [EVENTS [SEED]]
using namespace sweepscope;
using namespace sweepscope::schedule;
using namespace sweepscope::schedule;

namespace {

constexpr std::uint64_t gib = 1024ULL * 1024 * 1024;
constexpr int shortForm = 4'000;
constexpr int eventsPerMachine = 250;

class RandomMachine {
public:
    RandomMachine(unsigned seed, const std::filesystem::path &folder) : m_random(seed), m_folder(folder)
    {
        const int gpus = upTo(8);
        const std::uint64_t memory = upTo(4) == 0 ? 0 : 80 * gib;
        for (int i = 0; i < gpus; ++i)
            m_machine.devices.push_back({"GPU-" + std::to_string(seed) + "-" + std::to_string(i), device::Kind::Gpu, i,
                                         i % 2 == 0 ? "NVIDIA H200" : "NVIDIA A100", memory, false});
        for (int a = 0; a < gpus; ++a) {
            for (int b = 0; b < a; ++b)
                m_machine.topology.set(
                    m_machine.devices[static_cast<std::size_t>(a)].id,
                    m_machine.devices[static_cast<std::size_t>(b)].id,
                    {static_cast<device::GpuPath>(upTo(static_cast<int>(device::GpuPath::Unknown))), 1 + upTo(17)});
        }
        const int cores = 1 + upTo(7);
        for (int i = 0; i < cores; ++i) {
            m_machine.devices.push_back({"cpu:" + std::to_string(i), device::Kind::Cpu, i, "core", 0, false});
            m_machine.cpus.cores.push_back({{i}, 0});
        }
        for (std::size_t side = 0; side < m_machine.sides.size(); ++side) {
            m_machine.sides[side].workspace = "/ws/" + std::to_string(side);
            startEngine(m_machine.sides[side]);
        }
    }

    void event()
    {
        Side &side = m_machine.sides[static_cast<std::size_t>(upTo(1))];
        switch (upTo(9)) {
        case 0:
        case 1:
        case 2:
            arrive(side);
            break;
        case 3:
        case 4:
        case 5:
        case 6:
            end(side, upTo(4) == 0);
            break;
        case 7:
            killEngine(side);
            break;
        default:
            changeState();
        }
        decide(m_machine.sides[0]);
        decide(m_machine.sides[1]);
    }

    /// Without further external events, every waiting trial gets its turn.
    void drain()
    {
        m_machine.states.clear();
        for (int round = 0; hasWork(); ++round) {
            REQUIRE(round < 100'000, "trials wait for ever");
            for (Side &side : m_machine.sides) {
                decide(side);
                end(side, false);
            }
        }
    }

    std::int64_t starts() const { return m_starts; }
    std::int64_t reasons() const { return m_reasons; }

private:
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(m_random); }
    bool hasWork() const
    {
        return std::any_of(m_machine.sides.begin(), m_machine.sides.end(),
                           [](const Side &side) { return !side.sweeps.empty() || !side.running.empty(); });
    }

    void startEngine(Side &side)
    {
        side.leases = std::make_unique<LeaseFolder>(m_folder, side.workspace);
        side.scheduler = std::make_unique<Scheduler>(m_machine.devices, side.leases.get(), m_machine.cpus);
        side.scheduler->allocator().setTopology(m_machine.topology);
        for (const Running &running : side.running)
            side.scheduler->adopt(running.start.sweepId, running.start.trial, running.start.devices.all(),
                                  running.demand.next.gpus, running.start.devices.cpu.cpus);
    }

    /// Its agents continue and keep their leases.
    void killEngine(Side &side)
    {
        side.scheduler.reset();
        startEngine(side);
    }

    void arrive(Side &side)
    {
        Sweep sweep;
        sweep.trialsLeft = 1 + upTo(4);
        SweepDemand &demand = sweep.demand;
        demand.sweepId = ++m_lastSweep;
        demand.next.trial.sweep = "sweep-" + std::to_string(m_lastSweep);
        demand.priority = upTo(3) == 0 ? upTo(4) : 0;
        demand.next.ranks = 1 + upTo(upTo(3));
        Request &request = demand.next;
        GpuWishes &gpus = request.gpus;
        request.kind = upTo(4) == 0   ? sweep::DeviceKind::Cpu
                       : upTo(3) == 0 ? sweep::DeviceKind::Auto
                                      : sweep::DeviceKind::Gpu;
        request.perRank = upTo(4) == 0 ? 2 : 1;
        request.concurrent = 1 + upTo(3);
        request.cpuSlots = upTo(1) == 0 ? 0 : 1 + upTo(15);
        gpus.foreign = static_cast<sweep::ForeignPolicy>(upTo(2));
        gpus.perGpu = upTo(2) == 0 ? 1 + upTo(3) : 1;
        gpus.memoryBytes = upTo(2) == 0 ? static_cast<std::uint64_t>(1 + upTo(49)) * gib : 0;
        request.cpu.coresPerRank = upTo(2);
        request.cpu.bind = upTo(4) > 0;
        gpus.ranksShare = gpus.perGpu > 1 && request.perRank == 1 && upTo(1) == 0;
        if (upTo(4) == 0)
            gpus.pin = {std::to_string(upTo(8)), upTo(1) == 0 ? "H200" : std::to_string(upTo(8))};
        if (upTo(4) == 0)
            gpus.exclude = {std::to_string(upTo(8))};
        side.sweeps.emplace(demand.sweepId, std::move(sweep));
    }

    /// Finishes a trial, or kills its agent and queues the trial again.
    void end(Side &side, bool killed)
    {
        if (side.running.empty())
            return;
        const auto leaving = side.running.begin() + upTo(static_cast<int>(side.running.size()) - 1);
        side.scheduler->release(leaving->start.sweepId, leaving->start.trial);
        Sweep &sweep = side.sweeps.at(leaving->start.sweepId);
        sweep.trialsLeft += killed ? 1 : 0;
        side.running.erase(leaving);
        forgetWhenDone(side, sweep.demand.sweepId);
    }

    void forgetWhenDone(Side &side, std::int64_t id)
    {
        const bool runs = std::any_of(side.running.begin(), side.running.end(),
                                      [id](const Running &running) { return running.start.sweepId == id; });
        if (!runs && side.sweeps.at(id).trialsLeft == 0)
            side.sweeps.erase(id);
    }

    void changeState()
    {
        const auto all = m_machine.gpus();
        if (all.empty())
            return;
        GpuState &state = m_machine.states[all[static_cast<std::size_t>(upTo(static_cast<int>(all.size()) - 1))]->id];
        state = {};
        switch (upTo(5)) {
        case 0:
            state.unusable = facts::Code::GpuUnusable;
            break;
        case 1:
            state.draining = facts::Code::GpuDraining;
            state.drainsForLong = upTo(1) == 0;
            break;
        case 2:
            state.foreign = facts::Code::GpuUsed;
            state.foreignBytes = static_cast<std::uint64_t>(upTo(79)) * gib;
            break;
        default:
            break;
        }
    }

    std::vector<SweepDemand> demandsOf(const Side &side) const
    {
        std::vector<SweepDemand> demands;
        for (const auto &[id, sweep] : side.sweeps) {
            SweepDemand demand = sweep.demand;
            demand.next.trial.number = sweep.trialsLeft > 0 ? sweep.started + 1 : 0;
            demand.running = static_cast<int>(
                std::count_if(side.running.begin(), side.running.end(),
                              [id = id](const Running &running) { return running.start.sweepId == id; }));
            demands.push_back(demand);
        }
        std::stable_sort(demands.begin(), demands.end(),
                         [](const SweepDemand &a, const SweepDemand &b) { return a.priority > b.priority; });
        return demands;
    }

    void decide(Side &side)
    {
        side.scheduler->allocator().setStates(m_machine.states);
        for (;;) {
            const std::vector<SweepDemand> demands = demandsOf(side);
            const Decision decision = side.scheduler->decide(demands);
            checkReasons(m_machine, side, demands, decision);
            m_reasons += static_cast<std::int64_t>(decision.waiting.size());
            if (decision.start) {
                start(side, demands, *decision.start, decision.waiting);
            } else if (decision.impossible) {
                refuse(side, *decision.impossible);
            } else {
                return;
            }
        }
    }

    void start(Side &side, const std::vector<SweepDemand> &demands, const TrialStart &start,
               const std::vector<TrialReason> &waiting)
    {
        const SweepDemand &demand = demandOf(demands, start.sweepId);
        checkOvertaking(m_machine, demands, start, waiting);
        Running running{start, demand, {}};
        for (const int lease : side.scheduler->leasesOf(start.sweepId, start.trial))
            running.agent.emplace_back(::dup(lease));
        side.scheduler->transferLeases(start.sweepId, start.trial, ::getpid());
        side.running.push_back(std::move(running));
        Sweep &sweep = side.sweeps.at(start.sweepId);
        ++sweep.started;
        --sweep.trialsLeft;
        ++m_starts;
        checkStart(m_machine, side, side.running.back());
    }

    void refuse(Side &side, const TrialReason &impossible)
    {
        Sweep &sweep = side.sweeps.at(impossible.sweepId);
        REQUIRE(impossible.reason, "a refusal has its reason");
        const SweepDemand &demand = sweep.demand;
        const std::int64_t needed = demand.next.needed();
        int possible = 0;
        if (m_machine.wantsGpus(demand)) {
            for (const device::Device *gpu : m_machine.gpus())
                possible += m_machine.mayHave(demand, *gpu) ? m_machine.mostOn(demand, *gpu) : 0;
        } else {
            possible = m_machine.slotsOf(demand);
        }
        REQUIRE(needed > possible, "%s", facts::toJson(impossible.reason).c_str());
        sweep.trialsLeft = 0;
        forgetWhenDone(side, impossible.sweepId);
    }

    std::mt19937 m_random;
    std::filesystem::path m_folder;
    SharedMachine m_machine;
    std::int64_t m_lastSweep = 0;
    std::int64_t m_starts = 0;
    std::int64_t m_reasons = 0;
};

}  // namespace

int main(int argc, char **argv)
{
    const int events = argc > 1 ? std::atoi(argv[1]) : shortForm;
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 20'261'121U;
    std::string folder = "/tmp/sweepscope-scheduling-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr)
        return 1;
    std::int64_t starts = 0;
    std::int64_t reasons = 0;
    for (int done = 0; done < events; done += eventsPerMachine) {
        const unsigned machineSeed = seed + static_cast<unsigned>(done);
        RandomMachine machine(machineSeed, folder + "/leases");
        for (int i = 0; i < eventsPerMachine; ++i)
            machine.event();
        machine.drain();
        starts += machine.starts();
        reasons += machine.reasons();
    }
    std::filesystem::remove_all(folder);
    std::printf("%d events, %lld trials started, %lld reasons checked\n", events, static_cast<long long>(starts),
                static_cast<long long>(reasons));
    return starts > 0 && reasons > 0 ? 0 : 1;
}
