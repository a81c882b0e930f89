#include "device/leasefolder.h"
#include "device/scheduler.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

/// Random machines, on which the schedulers of two engines share GPUs through real leases: sweeps arrive, trials finish,
/// agents and engines are killed, GPUs drain late, are lost, come back, and are used by others. After every step all that holds is
/// compared with a plain model of the machine, which knows nothing of how the scheduler chooses.
///
///     tst_scheduling [EVENTS [SEED]]
using namespace sweepscope;
using namespace sweepscope::device;
using device::Obstacle;

namespace {

constexpr std::uint64_t gib = 1024ULL * 1024 * 1024;
constexpr int shortForm = 4'000;
constexpr int eventsPerMachine = 250;

#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                         \
            std::fprintf(stderr, __VA_ARGS__);                                                                         \
            std::fprintf(stderr, "\n");                                                                                \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

/// A machine that stands still for a while makes nobody's place in the queue stale.
std::int64_t steps()
{
    static std::int64_t last = 0;
    return last += 1000;
}

struct Running {
    TrialStart start;
    SweepDemand demand;
    std::vector<FileDescriptor> agent;  ///< what its agent has open
};

struct Sweep {
    SweepDemand demand;
    int trialsLeft = 0;
    int started = 0;
};

/// A trial that starts as soon as others end, whosever they are.
struct Waiting {
    std::set<std::string> gpus;
    std::int64_t since = 0;
};

struct Side {
    std::string workspace;
    std::unique_ptr<device::LeaseFolder> leases;
    std::unique_ptr<Scheduler> scheduler;
    std::map<std::int64_t, Sweep> sweeps;
    std::vector<Running> running;
    std::set<std::string> wanted;                ///< GPUs that its trials wait for
    std::map<std::int64_t, Waiting> inTheQueue;  ///< as it was when it last decided
};

class Machine {
public:
    Machine(unsigned seed, const std::filesystem::path &folder) : m_random(seed), m_folder(folder)
    {
        const int gpus = upTo(8);
        const std::uint64_t memory = upTo(4) == 0 ? 0 : 80 * gib;
        for (int i = 0; i < gpus; ++i)
            m_devices.push_back({"GPU-" + std::to_string(seed) + "-" + std::to_string(i), device::Kind::Gpu, i,
                                 i % 2 == 0 ? "NVIDIA H200" : "NVIDIA A100", memory, false});
        for (int a = 0; a < gpus; ++a) {
            for (int b = 0; b < a; ++b)
                m_topology.set(m_devices[static_cast<std::size_t>(a)].id, m_devices[static_cast<std::size_t>(b)].id,
                               {static_cast<GpuPath>(upTo(static_cast<int>(GpuPath::Unknown))), 1 + upTo(17)});
        }
        const int cores = 1 + upTo(7);
        for (int i = 0; i < cores; ++i) {
            m_devices.push_back({"cpu:" + std::to_string(i), device::Kind::Cpu, i, "core", 0, false});
            m_cpus.cores.push_back({{i}, 0});
        }
        for (std::size_t side = 0; side < m_sides.size(); ++side) {
            m_sides[side].workspace = "/ws/" + std::to_string(side);
            startEngine(m_sides[side]);
        }
    }

    void event()
    {
        Side &side = m_sides[static_cast<std::size_t>(upTo(1))];
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
        decide(m_sides[0]);
        decide(m_sides[1]);
    }

    /// When nothing comes from outside any more, everything that waits has its turn.
    void drain()
    {
        m_states.clear();
        for (int round = 0; hasWork(); ++round) {
            REQUIRE(round < 100'000, "trials wait for ever");
            for (Side &side : m_sides) {
                m_undrained.clear();
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
        return std::any_of(m_sides.begin(), m_sides.end(),
                           [](const Side &side) { return !side.sweeps.empty() || !side.running.empty(); });
    }
    std::vector<const device::Device *> gpus() const
    {
        std::vector<const device::Device *> found;
        for (const device::Device &device : m_devices) {
            if (device.kind == device::Kind::Gpu)
                found.push_back(&device);
        }
        return found;
    }

    void startEngine(Side &side)
    {
        side.leases = std::make_unique<device::LeaseFolder>(m_folder, side.workspace, steps);
        side.scheduler = std::make_unique<Scheduler>(m_devices, side.leases.get(), m_cpus);
        side.wanted.clear();
        side.inTheQueue.clear();
        side.scheduler->allocator().setTopology(m_topology);
        side.scheduler->allocator().setFormerCheck([this](const std::string &gpu, const FormerLease &former) {
            REQUIRE(!former.holder.empty(), "nobody was on %s", gpu.c_str());
            return m_undrained.contains(gpu) ? "has not given back the memory of " + former.holder : std::string();
        });
        for (const Running &running : side.running)
            side.scheduler->adopt(running.start.sweepId, running.start.trial, running.start.devices.all(),
                                  running.demand.devices, running.start.devices.cpu.cpus);
    }

    /// Its agents go on, and keep their leases.
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
        demand.name = "sweep-" + std::to_string(m_lastSweep);
        demand.priority = upTo(3) == 0 ? upTo(4) : 0;
        demand.ranks = 1 + upTo(upTo(3));
        sweep::DevicesSection &devices = demand.devices;
        devices.kind = upTo(4) == 0   ? sweep::DeviceKind::Cpu
                       : upTo(3) == 0 ? sweep::DeviceKind::Auto
                                      : sweep::DeviceKind::Gpu;
        devices.perRank = upTo(4) == 0 ? 2 : 1;
        devices.concurrent = 1 + upTo(3);
        devices.cpuSlots = upTo(1) == 0 ? 0 : 1 + upTo(15);
        devices.foreign = static_cast<sweep::ForeignPolicy>(upTo(2));
        devices.perGpu = upTo(2) == 0 ? 1 + upTo(3) : 1;
        devices.memoryBytes = upTo(2) == 0 ? static_cast<std::uint64_t>(1 + upTo(49)) * gib : 0;
        devices.coresPerRank = upTo(2);
        devices.bindsToCores = upTo(4) > 0;
        demand.ranksShare = devices.perGpu > 1 && devices.perRank == 1 && upTo(1) == 0;
        if (upTo(4) == 0)
            devices.pin = {std::to_string(upTo(8)), upTo(1) == 0 ? "H200" : std::to_string(upTo(8))};
        if (upTo(4) == 0)
            devices.exclude = {std::to_string(upTo(8))};
        side.sweeps.emplace(demand.sweepId, std::move(sweep));
    }

    /// A trial finishes; or its agent is killed, and it is tried again.
    void end(Side &side, bool killed)
    {
        if (side.running.empty())
            return;
        const auto leaving = side.running.begin() + upTo(static_cast<int>(side.running.size()) - 1);
        side.scheduler->release(leaving->start.sweepId, leaving->start.trial);
        Sweep &sweep = side.sweeps.at(leaving->start.sweepId);
        sweep.trialsLeft += killed ? 1 : 0;
        const std::vector<std::string> left = leaving->start.devices.all();
        side.running.erase(leaving);
        for (const device::Device *gpu : gpus()) {
            if (std::find(left.begin(), left.end(), gpu->id) != left.end() && loadOf(side, *gpu).ranks == 0
                && upTo(3) == 0)
                m_undrained.insert(gpu->id);
        }
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
        const auto all = gpus();
        if (all.empty())
            return;
        if (!m_undrained.empty())
            m_undrained.erase(m_undrained.begin());
        device::GpuState &state = m_states[all[static_cast<std::size_t>(upTo(static_cast<int>(all.size()) - 1))]->id];
        state = {};
        switch (upTo(5)) {
        case 0:
            state.unusable = "is lost";
            break;
        case 1:
            state.draining = "has not given back its memory yet";
            state.drainsForLong = upTo(1) == 0;
            break;
        case 2:
            state.foreign = "is used by pid 4711 of ben";
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
            demand.nextTrial = sweep.trialsLeft > 0 ? sweep.started + 1 : 0;
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
        side.scheduler->allocator().setStates(m_states);
        for (;;) {
            const std::vector<SweepDemand> demands = demandsOf(side);
            const Decision decision = side.scheduler->decide(demands);
            checkReasons(side, demands, decision);
            if (decision.start) {
                start(side, demands, *decision.start, decision.waiting);
            } else if (decision.impossible) {
                refuse(side, *decision.impossible);
            } else {
                noteWhoWaits(side, demands, decision.waiting);
                return;
            }
        }
    }

    void start(Side &side, const std::vector<SweepDemand> &demands, const TrialStart &start,
               const std::vector<TrialReason> &waiting)
    {
        const SweepDemand &demand = demandOf(demands, start.sweepId);
        checkOvertaking(demands, start, waiting);
        Running running{start, demand, {}};
        for (const int lease : side.scheduler->leasesOf(start.sweepId, start.trial))
            running.agent.emplace_back(::dup(lease));
        side.scheduler->handOver(start.sweepId, start.trial, ::getpid());
        side.running.push_back(std::move(running));
        Sweep &sweep = side.sweeps.at(start.sweepId);
        ++sweep.started;
        --sweep.trialsLeft;
        ++m_starts;
        checkStart(side, side.running.back());
        side.inTheQueue.erase(start.sweepId);
    }

    void noteWhoWaits(Side &side, const std::vector<SweepDemand> &demands, const std::vector<TrialReason> &waiting)
    {
        ++m_time;
        side.wanted.clear();
        std::map<std::int64_t, Waiting> queue;
        for (const TrialReason &reason : waiting) {
            const SweepDemand &demand = demandOf(demands, reason.sweepId);
            if (demand.running >= demand.devices.concurrent)
                continue;
            Waiting trial{{}, m_time};
            if (const auto known = side.inTheQueue.find(reason.sweepId); known != side.inTheQueue.end())
                trial.since = known->second.since;
            if (!wantsGpus(demand))
                continue;
            int possible = 0;
            for (const device::Device *gpu : gpus()) {
                if (!mayHave(demand, *gpu))
                    continue;
                trial.gpus.insert(gpu->id);
                const auto told = reason.obstacles.find(gpu->id);
                const bool isFree = told == reason.obstacles.end();
                const bool isOthersMemory = !isFree && told->second == Obstacle::Memory
                                            && !stateOf(*gpu).foreign.empty()
                                            && demand.devices.foreign != sweep::ForeignPolicy::Ignore;
                if (isFree || (endsWithTrials(told->second) && !isOthersMemory))
                    possible += mostOn(demand, *gpu);
            }
            side.wanted.insert(trial.gpus.begin(), trial.gpus.end());
            if (possible >= demand.ranks * demand.devices.perRank)
                queue.emplace(reason.sweepId, std::move(trial));
        }
        side.inTheQueue = std::move(queue);
    }

    void refuse(Side &side, const TrialReason &impossible)
    {
        Sweep &sweep = side.sweeps.at(impossible.sweepId);
        REQUIRE(!impossible.text.empty(), "a refusal has its reason");
        const SweepDemand &demand = sweep.demand;
        const int needed = demand.ranks * demand.devices.perRank;
        int possible = 0;
        if (wantsGpus(demand)) {
            for (const device::Device *gpu : gpus())
                possible += mayHave(demand, *gpu) ? mostOn(demand, *gpu) : 0;
        } else {
            possible = slotsOf(demand);
        }
        REQUIRE(needed > possible, "%s", impossible.text.c_str());
        sweep.trialsLeft = 0;
        forgetWhenDone(side, impossible.sweepId);
    }

    static const SweepDemand &demandOf(const std::vector<SweepDemand> &demands, std::int64_t id)
    {
        return *std::find_if(demands.begin(), demands.end(),
                             [id](const SweepDemand &demand) { return demand.sweepId == id; });
    }

    // The model

    bool wantsGpus(const SweepDemand &demand) const
    {
        return demand.devices.kind == sweep::DeviceKind::Gpu
               || (demand.devices.kind == sweep::DeviceKind::Auto && !gpus().empty());
    }
    int slotsOf(const SweepDemand &demand) const
    {
        return demand.devices.cpuSlots > 0 ? demand.devices.cpuSlots
                                           : static_cast<int>(m_devices.size() - gpus().size());
    }
    static bool mayHave(const SweepDemand &demand, const device::Device &gpu)
    {
        const auto names = [&gpu](const std::string &entry) {
            return entry == std::to_string(gpu.index) || (entry == "H200" && gpu.index % 2 == 0);
        };
        const auto &[pin, exclude] = std::tie(demand.devices.pin, demand.devices.exclude);
        return (pin.empty() || std::any_of(pin.begin(), pin.end(), names))
               && std::none_of(exclude.begin(), exclude.end(), names);
    }
    static std::uint64_t promise(const SweepDemand &demand, const device::Device &gpu)
    {
        return demand.devices.memoryBytes > 0 ? demand.devices.memoryBytes
                                              : gpu.memoryBytes / static_cast<std::uint64_t>(demand.devices.perGpu);
    }
    static int mostOn(const SweepDemand &demand, const device::Device &gpu)
    {
        int most = demand.ranksShare ? demand.devices.perGpu : 1;
        while (most > 0 && gpu.memoryBytes > 0
               && promise(demand, gpu) * static_cast<std::uint64_t>(most) > gpu.memoryBytes)
            --most;
        return most;
    }

    struct Load {
        int ranks = 0;
        int limit = 1'000'000;  ///< the smallest perGpu of those that are on it
        std::uint64_t promised = 0;
    };
    Load loadOf(const Side &side, const device::Device &gpu) const
    {
        Load load;
        for (const Running &running : side.running) {
            const std::vector<std::string> ids = running.start.devices.all();
            const auto ranks = static_cast<int>(std::count(ids.begin(), ids.end(), gpu.id));
            if (ranks == 0)
                continue;
            load.ranks += ranks;
            load.limit = std::min(load.limit, running.demand.devices.perGpu);
            load.promised += promise(running.demand, gpu) * static_cast<std::uint64_t>(ranks);
        }
        return load;
    }
    int slotsUsedBy(const Side &side) const
    {
        int slots = 0;
        for (const Running &running : side.running)
            slots += wantsGpus(running.demand) ? 0 : static_cast<int>(running.start.devices.all().size());
        return slots;
    }
    const Side &other(const Side &side) const { return &side == &m_sides[0] ? m_sides[1] : m_sides[0]; }
    device::GpuState stateOf(const device::Device &gpu) const
    {
        const auto found = m_states.find(gpu.id);
        return found != m_states.end() ? found->second : device::GpuState();
    }
    bool isKeptFromSharing(const SweepDemand &demand, const device::Device &gpu) const
    {
        const device::GpuState state = stateOf(gpu);
        return demand.devices.foreign == sweep::ForeignPolicy::Avoid && !state.foreign.empty();
    }

    /// Nobody gets a GPU for which a trial of the other engine waits longer.
    void checkTurn(const Side &side, const Running &running) const
    {
        if (!wantsGpus(running.demand))
            return;
        const auto known = side.inTheQueue.find(running.start.sweepId);
        const std::int64_t since = known != side.inTheQueue.end() ? known->second.since : m_time + 1;
        for (const auto &[sweep, waiting] : other(side).inTheQueue) {
            for (const std::string &id : running.start.devices.all())
                REQUIRE(waiting.since >= since || !waiting.gpus.contains(id),
                        "%s is taken while a trial of sweep-%lld waits longer", id.c_str(),
                        static_cast<long long>(sweep));
        }
    }

    /// Ranks are on the cores on which fewest others are, those of the other engine too.
    void checkCores(const Running &started) const
    {
        std::map<int, int> users;
        for (const CpuCore &core : m_cpus.cores)
            users[core.cpus.front()] = 0;
        for (const Side &side : m_sides) {
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

    void checkStart(const Side &side, const Running &running) const
    {
        const SweepDemand &demand = running.demand;
        checkCores(running);
        checkTurn(side, running);
        REQUIRE(running.start.devices.perRank.size() == static_cast<std::size_t>(demand.ranks), "all or nothing");
        for (const auto &rank : running.start.devices.perRank)
            REQUIRE(rank.size() == static_cast<std::size_t>(demand.devices.perRank), "all or nothing");
        const std::vector<std::string> ids = running.start.devices.all();
        if (!wantsGpus(demand)) {
            const int slots = slotsUsedBy(side);
            REQUIRE(slots <= slotsOf(demand), "%d CPU slots of %d", slots, slotsOf(demand));
            return;
        }
        const std::set<std::string> distinct(ids.begin(), ids.end());
        REQUIRE(demand.ranksShare || distinct.size() == ids.size(), "NCCL refuses two ranks on a GPU");
        for (const device::Device *gpu : gpus()) {
            if (!distinct.contains(gpu->id))
                continue;
            const Load load = loadOf(side, *gpu);
            const device::GpuState state = stateOf(*gpu);
            REQUIRE(mayHave(demand, *gpu), "%s is not for it", gpu->id.c_str());
            REQUIRE(load.ranks <= load.limit, "%d ranks on %s", load.ranks, gpu->id.c_str());
            REQUIRE(loadOf(other(side), *gpu).ranks == 0, "both engines have %s", gpu->id.c_str());
            REQUIRE(state.unusable.empty(), "%s is lost", gpu->id.c_str());
            REQUIRE(!isKeptFromSharing(demand, *gpu), "%s is used by others", gpu->id.c_str());
            REQUIRE(!m_undrained.contains(gpu->id)
                        || load.ranks > static_cast<int>(std::count(ids.begin(), ids.end(), gpu->id))
                        || demand.devices.foreign == sweep::ForeignPolicy::Ignore,
                    "%s has not drained", gpu->id.c_str());
            REQUIRE(state.draining.empty() || demand.devices.foreign != sweep::ForeignPolicy::Avoid, "not drained");
            const bool sharedOut = demand.devices.perGpu > 1 || demand.devices.memoryBytes > 0;
            const std::uint64_t foreign =
                demand.devices.foreign == sweep::ForeignPolicy::Share && sharedOut ? state.foreignBytes : 0;
            REQUIRE(gpu->memoryBytes == 0 || load.promised + foreign <= gpu->memoryBytes,
                    "more than its memory is promised of %s", gpu->id.c_str());
        }
    }

    /// Nobody gets a GPU for which a trial before it waits, if that comes free by ours.
    void checkOvertaking(const std::vector<SweepDemand> &demands, const TrialStart &start,
                         const std::vector<TrialReason> &waiting) const
    {
        const std::vector<std::string> ids = start.devices.all();
        for (const TrialReason &reason : waiting) {
            const SweepDemand &before = demandOf(demands, reason.sweepId);
            if (before.running >= before.devices.concurrent || !wantsGpus(before))
                continue;
            int ours = 0;
            for (const device::Device *gpu : gpus()) {
                const auto obstacle = reason.obstacles.find(gpu->id);
                const bool outside = obstacle != reason.obstacles.end() && !device::endsWithOurs(obstacle->second);
                ours += mayHave(before, *gpu) && !outside ? mostOn(before, *gpu) : 0;
            }
            if (ours < before.ranks * before.devices.perRank)
                continue;
            for (const device::Device *gpu : gpus())
                REQUIRE(!mayHave(before, *gpu) || std::find(ids.begin(), ids.end(), gpu->id) == ids.end(),
                        "%s was kept for a trial before", gpu->id.c_str());
        }
    }

    void checkReasons(const Side &side, const std::vector<SweepDemand> &demands, const Decision &decision)
    {
        std::set<std::int64_t> told;
        for (const TrialReason &reason : decision.waiting) {
            ++m_reasons;
            told.insert(reason.sweepId);
            const SweepDemand &demand = demandOf(demands, reason.sweepId);
            REQUIRE(reason.text.rfind("waits", 0) == 0 && reason.text.back() != ' ', "'%s'", reason.text.c_str());
            if (demand.running >= demand.devices.concurrent)
                continue;
            if (wantsGpus(demand))
                checkGpuReason(side, demands, demand, reason, decision.waiting);
            else
                checkCpuReason(side, demands, demand, decision.waiting);
        }
        for (const SweepDemand &demand : demands)
            REQUIRE(demand.nextTrial == 0 || told.contains(demand.sweepId) || decision.start || decision.impossible,
                    "a trial of %s waits without a reason", demand.name.c_str());
    }

    static bool waitsBefore(const std::vector<SweepDemand> &demands, const SweepDemand &demand,
                            const SweepDemand &candidate, const std::vector<TrialReason> &waiting)
    {
        const bool waits = std::any_of(waiting.begin(), waiting.end(), [&](const TrialReason &reason) {
            return reason.sweepId == candidate.sweepId && candidate.running < candidate.devices.concurrent;
        });
        return waits && &candidate < &demand && &candidate >= demands.data();
    }

    void checkCpuReason(const Side &side, const std::vector<SweepDemand> &demands, const SweepDemand &demand,
                        const std::vector<TrialReason> &waiting) const
    {
        const bool behind = std::any_of(demands.begin(), demands.end(), [&](const SweepDemand &candidate) {
            return !wantsGpus(candidate) && waitsBefore(demands, demand, candidate, waiting);
        });
        REQUIRE(behind || demand.ranks * demand.devices.perRank > slotsOf(demand) - slotsUsedBy(side),
                "%s waits for nothing", demand.name.c_str());
    }

    void checkGpuReason(const Side &side, const std::vector<SweepDemand> &demands, const SweepDemand &demand,
                        const TrialReason &reason, const std::vector<TrialReason> &waiting) const
    {
        int room = 0;
        for (const device::Device *gpu : gpus()) {
            const auto told = reason.obstacles.find(gpu->id);
            if (!mayHave(demand, *gpu)) {
                REQUIRE(told == reason.obstacles.end(), "%s is not for it", gpu->id.c_str());
                continue;
            }
            const Load load = loadOf(side, *gpu);
            const device::GpuState state = stateOf(*gpu);
            const int limit = std::min(demand.devices.perGpu, load.limit);
            const bool counts = gpu->memoryBytes > 0 && (demand.devices.memoryBytes > 0 || demand.devices.perGpu > 1);
            const std::uint64_t foreign =
                demand.devices.foreign == sweep::ForeignPolicy::Share ? state.foreignBytes : 0;
            int places = std::min(mostOn(demand, *gpu), limit - load.ranks);
            const auto fits = [&](int ranks) {
                return load.promised + foreign + promise(demand, *gpu) * static_cast<std::uint64_t>(ranks)
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
                    room += std::max(0, places);  // some may be left, but too few
                    return load.ranks > 0;
                case Obstacle::Memory:
                    room += std::max(0, places);
                    return !fitsAll;
                case Obstacle::Reserved:
                    return std::any_of(demands.begin(), demands.end(), [&](const SweepDemand &candidate) {
                        return wantsGpus(candidate) && mayHave(candidate, *gpu)
                               && waitsBefore(demands, demand, candidate, waiting);
                    });
                case Obstacle::Draining:
                    return (!state.draining.empty() || m_undrained.contains(gpu->id))
                           && demand.devices.foreign != sweep::ForeignPolicy::Ignore;
                case Obstacle::Leased:
                    return loadOf(other(side), *gpu).ranks > 0;
                case Obstacle::Queued:
                    return loadOf(other(side), *gpu).ranks == 0 && other(side).wanted.contains(gpu->id);
                case Obstacle::Foreign:
                    return isKeptFromSharing(demand, *gpu);
                case Obstacle::Unusable:
                    return !state.unusable.empty();
                }
                return false;
            };
            REQUIRE(isTrue(), "obstacle %d of %s in '%s'", static_cast<int>(told->second), gpu->id.c_str(),
                    reason.text.c_str());
            if (told->second != Obstacle::InUse)
                REQUIRE(reason.text.find("GPU " + std::to_string(gpu->index)) != std::string::npos
                            || reason.text.find(" more") != std::string::npos,
                        "GPU %d is not in '%s'", gpu->index, reason.text.c_str());
        }
        REQUIRE(room < demand.ranks * demand.devices.perRank, "%d places are free, but '%s'", room,
                reason.text.c_str());
    }

    std::mt19937 m_random;
    std::filesystem::path m_folder;
    std::vector<device::Device> m_devices;
    GpuTopology m_topology;
    std::map<std::string, device::GpuState> m_states;
    std::set<std::string> m_undrained;  ///< GPUs whose last trial has not given back its memory
    std::array<Side, 2> m_sides;
    CpuTopology m_cpus;
    std::int64_t m_lastSweep = 0;
    std::int64_t m_time = 0;
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
        Machine machine(machineSeed, folder + "/leases");
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
