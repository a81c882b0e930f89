#include "device/sweepplan.h"

#include "base/printable.h"
#include "device/foreignprocesses.h"
#include "device/memorydrain.h"
#include "device/processstat.h"
#include "device/sources.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace sweepscope::device {

namespace {

constexpr std::size_t mostSimulated = 2000;  ///< the rest goes on in the same way

/// What others have and wait for, without taking anything.
class SeenLeases : public GpuLeases {
public:
    explicit SeenLeases(const MachineNow &machine) : m_machine(machine) {}

    Expected<std::unique_ptr<Taking>> begin(const std::string &) override { return std::make_unique<Look>(m_machine); }
    void sign(const Lease &, pid_t, const std::string &) override {}

private:
    class Look : public Taking {
    public:
        explicit Look(const MachineNow &machine) : m_machine(machine) {}
        Expected<Lease> take(const std::string &gpuId, bool shares) override
        {
            const auto found = m_machine.leases.find(gpuId);
            if (found != m_machine.leases.end() && !shares)
                return makeError(ErrorCode::AlreadyExists, "is " + leasedInWords(found->second));
            return Lease{gpuId, {}, true};
        }
        std::string whoIsBefore(const std::string &gpuId) const override
        {
            const auto next = m_machine.next.find(gpuId);
            return next != m_machine.next.end() ? "is next for " + next->second.inWords() : std::string();
        }
        const std::vector<CpuUse> &cpusOfOthers() override { return m_machine.cpuUses; }

    private:
        const MachineNow &m_machine;
    };
    const MachineNow &m_machine;
};

/// Of those that a trial may have.
std::vector<std::string> heldInWords(const Allocator &allocator, const Request &request, const MachineNow &machine)
{
    std::vector<std::string> held;
    const bool gpus = allocator.usesGpus(request);
    const std::vector<std::string> wanted = gpus ? allocator.gpusFor(request) : std::vector<std::string>();
    for (const Device &device : machine.devices) {
        if (std::find(wanted.begin(), wanted.end(), device.id) == wanted.end())
            continue;
        const std::string label = "GPU " + std::to_string(device.index);
        if (const auto lease = machine.leases.find(device.id); lease != machine.leases.end())
            held.push_back(label + " is " + leasedInWords(lease->second));
        if (const auto next = machine.next.find(device.id); next != machine.next.end())
            held.push_back(label + " is next for " + next->second.inWords());
    }
    if (gpus)
        return held;
    for (const CpuUse &use : machine.cpuUses) {
        if (!use.slots.empty())
            held.push_back(counted(static_cast<std::int64_t>(use.slots.size()), "CPU slot")
                           + (use.slots.size() == 1 ? " is used by " : " are used by ") + use.holder);
    }
    return held;
}

/// Trials that start and end one after the other; each takes one unit of time.
class Simulation {
public:
    Simulation(const sweep::SweepSpec &spec, const MachineNow &machine, GpuLeases &leases)
        : m_spec(spec), m_scheduler(machine.devices, &leases, machine.cpus)
    {
        m_scheduler.allocator().setStates(machine.states);
        m_scheduler.allocator().setTopology(machine.topology);
    }

    /// False when it does not start whatever ends; `reason` is why then, and else why it had to wait.
    Expected<bool> start(const sweep::TrialPlan &trial, PlannedTrial &planned, std::string &reason)
    {
        int after = 0;
        double now = 0;
        for (;;) {
            SweepDemand demand = demandOf(m_spec, trial.ranks, trial.parameters);
            demand.sweepId = onlySweep;
            demand.nextTrial = trial.number;
            demand.running = static_cast<int>(m_running.size());
            Decision decision = m_scheduler.decide({demand});
            if (decision.start) {
                planned = {trial.number, trial.parameters, std::move(decision.start->devices), after};
                m_running.push_back({trial.number, std::max(now, m_now) + 1});
                m_now = std::max(now, m_now);
                m_end = std::max(m_end, m_running.back().ends);
                m_most = std::max(m_most, static_cast<int>(m_running.size()));
                return true;
            }
            if (decision.impossible)
                return makeError(ErrorCode::BadInput, decision.impossible->text);
            if (!decision.waiting.empty())
                reason = decision.waiting.front().text;
            if (m_running.empty())
                return false;
            after = m_running.front().number;
            now = m_running.front().ends;
            m_scheduler.release(onlySweep, after);
            m_running.pop_front();
        }
    }
    std::vector<std::string> held(const sweep::TrialPlan &trial, const MachineNow &machine) const
    {
        return heldInWords(m_scheduler.allocator(), requestOf(demandOf(m_spec, trial.ranks, trial.parameters)),
                           machine);
    }
    /// What another sweep of the same engine has, and keeps.
    void take(const CpuUse &use)
    {
        std::vector<std::string> slots;
        for (const int core : use.slots)
            slots.push_back("cpu:" + std::to_string(core));
        m_scheduler.allocator().adopt(use.holder, slots, {}, use.cpus);
    }
    double end() const { return m_end; }
    int atOnce() const { return m_most; }

private:
    static constexpr std::int64_t onlySweep = 1;
    struct Running {
        int number;
        double ends;
    };
    const sweep::SweepSpec &m_spec;
    Scheduler m_scheduler;
    std::deque<Running> m_running;  ///< the first ends first
    double m_now = 0;
    double m_end = 0;
    int m_most = 0;
};

/// By what whoever had it before noted; empty: by nothing.
std::string drainInWords(const Device &device, const FormerLease &former, const Reading &reading)
{
    if (!reading.memoryUsedBytes || !former.usedBefore)
        return {};
    double others = 0;
    for (const DeviceProcess &process : reading.processes.value_or(std::vector<DeviceProcess>()))
        others += static_cast<double>(process.memoryBytes.value_or(0));
    const double used = *reading.memoryUsedBytes;
    if (used <= drainedBelow(static_cast<double>(*former.usedBefore), others, device.memoryBytes))
        return {};
    return "has not given back the memory of " + former.holder + " yet: " + inBytes(static_cast<std::uint64_t>(used))
           + " (" + inBytes(*former.usedBefore) + " before) are in use";
}

GpuState stateOf(const Device &device, const MachineNow &machine, const LeaseFolder::Survey &survey,
                 const std::map<std::string, std::string> &unusable, const std::map<std::string, Reading> &readings)
{
    GpuState state;
    if (const auto trouble = unusable.find(device.id); trouble != unusable.end())
        state.unusable = trouble->second;
    const auto reading = readings.find(device.id);
    const bool isLeased = machine.leases.contains(device.id);  // who is on it is its holder's affair
    if (isLeased || reading == readings.end())
        return state;
    if (const auto former = survey.former.find(device.id); former != survey.former.end())
        state.draining = drainInWords(device, former->second, reading->second);
    if (!reading->second.processes)
        return state;
    const ForeignUse foreign = foreignUse(*reading->second.processes, [](const DeviceProcess &process) {
        return process.user && !readProcessStat(process.pid);
    });
    state.foreign = foreign.words;
    state.foreignBytes = foreign.bytes;
    return state;
}

bool runsTheSame(const sweep::SweepSpec &a, const sweep::SweepSpec &b)
{
    return a.run == b.run && a.devices.kind == b.devices.kind && a.devices.perRank == b.devices.perRank;
}

}  // namespace

MachineNow lookAtMachine()
{
    const std::vector<std::unique_ptr<Source>> sources = makeSources();
    MachineNow machine;
    std::map<std::string, std::string> unusable;
    std::map<std::string, Reading> readings;
    std::vector<std::string> gpus;
    for (const std::unique_ptr<Source> &source : sources) {
        for (Device &device : source->devices()) {
            if (device.kind == Kind::Gpu)
                gpus.push_back(device.id);
            if (device.offered)
                machine.devices.push_back(std::move(device));
        }
        for (const DeviceReading &reading : source->sample())
            readings[reading.deviceId].update(reading.reading);
        machine.topology.merge(source->topology());
        unusable.merge(source->unusable());
        if (const std::string note = source->note(); !note.empty())
            machine.note += (machine.note.empty() ? "" : " ") + note;
    }
    machine.cpus = cpuTopologyHere();
    LeaseFolder::Survey survey;
    if (auto seen = LeaseFolder::survey(LeaseFolder::ofThisMachine(), gpus))
        survey = std::move(*seen);
    else if (!gpus.empty())  // who computes on CPUs starts all the same
        machine.note += (machine.note.empty() ? "" : " ") + seen.error().message;
    machine.leases = survey.leases;
    machine.next = survey.next;
    machine.cpuUses = survey.cpus;
    for (const Device &device : machine.devices) {
        if (device.kind == Kind::Gpu)
            machine.states[device.id] = stateOf(device, machine, survey, unusable, readings);
    }
    return machine;
}

std::optional<TimeBasis> timeBasis(const sweep::SweepSpec &spec, const std::vector<FinishedSweep> &sweeps)
{
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend(); ++sweep) {
        if (!runsTheSame(spec, sweep::parseSweep(sweep->first.toml).spec))
            continue;
        std::vector<double> seconds;
        for (const sweep::TrialRecord &trial : sweep->second) {
            const std::optional<WallNs> started = trial.attemptStarted ? trial.attemptStarted : trial.started;
            if (trial.state == sweep::TrialState::Completed && started && trial.ended && *trial.ended > *started)
                seconds.push_back(static_cast<double>(*trial.ended - *started) / 1e9);
        }
        if (seconds.empty())
            continue;
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::nth_element(seconds.begin(), middle, seconds.end());
        return TimeBasis{*middle, static_cast<int>(seconds.size()), sweep->first.name};
    }
    return std::nullopt;
}

Expected<SweepPlan> planSweep(const sweep::SweepSpec &spec, const MachineNow &machine,
                              const std::optional<TimeBasis> &basis, std::size_t most,
                              const std::filesystem::path &workspace)
{
    const Expected<std::vector<sweep::TrialPlan>> trials = sweep::planTrials(spec);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    SweepPlan plan;
    plan.trials = trials->size();
    MachineNow others = machine;
    const std::string ourName = printable(workspace.string());
    const auto isOurs = [&](const CpuUse &use) { return !ourName.empty() && use.workspace == ourName; };
    std::erase_if(others.cpuUses, isOurs);
    SeenLeases leases(others);
    Simulation simulation(spec, machine, leases);
    for (const CpuUse &use : machine.cpuUses) {
        if (isOurs(use))
            simulation.take(use);
    }
    if (!trials->empty())
        plan.held = simulation.held(trials->front(), machine);
    std::size_t simulated = 0;
    for (const sweep::TrialPlan &trial : *trials) {
        if (simulated == std::max(most, mostSimulated))
            break;
        PlannedTrial planned;
        std::string reason;
        const Expected<bool> started = simulation.start(trial, planned, reason);
        if (!started)
            return tl::unexpected<Error>(started.error());
        if (plan.waits.empty())
            plan.waits = reason;
        if (!*started) {
            plan.waits = "trial " + std::to_string(trial.number) + " " + reason;
            plan.atOnce = simulation.atOnce();
            return plan;  // for how long nobody knows
        }
        if (simulated++ < most)
            plan.planned.push_back(std::move(planned));
    }
    plan.atOnce = simulation.atOnce();
    if (basis && simulated > 0) {
        const double share = static_cast<double>(plan.trials) / static_cast<double>(simulated);
        plan.seconds = std::ceil(simulation.end() * share) * basis->secondsPerTrial;
        plan.basis = basis;
    }
    return plan;
}

}  // namespace sweepscope::device
