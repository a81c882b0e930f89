#include "schedule/sweepplan.h"

#include "base/printable.h"
#include "schedule/owntrials.h"
#include "sweep/budgetuse.h"
#include "sweep/deviceplace.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"
#include "sweep/trialtime.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <utility>

namespace sweepscope::schedule {

namespace {

constexpr std::size_t mostSimulated = 2000;  ///< the rest continues in the same way

/// The holdings of other engines, as seen in a snapshot; takes nothing.
class SeenLeases : public GpuLeases {
public:
    explicit SeenLeases(const MachineNow &machine) : m_machine(machine) {}

    Expected<std::unique_ptr<Taking>> begin() override { return std::make_unique<SeenTaking>(m_machine); }
    void sign(const Lease &, pid_t, const TrialName &) override {}

private:
    class SeenTaking : public Taking {
    public:
        explicit SeenTaking(const MachineNow &machine) : m_machine(machine) {}
        tl::expected<Lease, facts::Fact> take(const std::string &gpuId, bool shares) override
        {
            const auto found = m_machine.leases.find(gpuId);
            if (found != m_machine.leases.end() && !shares)
                return tl::unexpected<facts::Fact>(leasedTo(found->second));
            return Lease{gpuId, {}, true};
        }
        const std::vector<CpuUse> &cpusOfOthers() override { return m_machine.cpuUses; }

    private:
        const MachineNow &m_machine;
    };
    const MachineNow &m_machine;
};

/// Returns the holders of devices that the trial may use.
facts::Facts heldOf(const Allocator &allocator, const Request &request, const MachineNow &machine)
{
    facts::Facts held;
    const bool gpus = allocator.usesGpus(request);
    const std::vector<std::string> wanted = gpus ? allocator.gpusFor(request) : std::vector<std::string>();
    for (const device::Device &device : machine.devices) {
        if (std::find(wanted.begin(), wanted.end(), device.id) == wanted.end())
            continue;
        if (const auto lease = machine.leases.find(device.id); lease != machine.leases.end())
            held.push_back(ofGpu(leasedTo(lease->second), device));
    }
    if (gpus)
        return held;
    for (const CpuUse &use : machine.cpuUses) {
        if (!use.slots.empty())
            held.push_back(facts::Fact(facts::Code::CpuSlotsUsed)
                               .with(facts::Field::Count, static_cast<std::int64_t>(use.slots.size()))
                               .dueTo(use.holder.fact()));
    }
    return held;
}

/// Simulates trials that start and end; each takes one unit of time.
class Simulation {
public:
    Simulation(const sweep::SweepSpec &spec, const MachineNow &machine, GpuLeases &leases)
        : m_spec(spec), m_scheduler(machine.devices, &leases, machine.cpus)
    {
        m_scheduler.allocator().setStates(machine.states);
        m_scheduler.allocator().setTopology(machine.topology);
        for (const auto &[name, other] : machine.others)
            add(name, other);
    }

    /// Returns false if it cannot start whatever ends; then `reason` is why, and otherwise why it had to wait.
    tl::expected<bool, facts::Fact> start(const sweep::TrialPlan &trial, PlannedTrial &planned, facts::Fact &reason)
    {
        int after = 0;
        double now = 0;
        for (;;) {
            Decision decision = m_scheduler.decide({{onlySweep, static_cast<int>(m_running.size()), 0,
                                                     requestOf(m_spec, trial.number, trial.ranks, trial.parameters)}});
            if (decision.start) {
                planned = {trial.number, trial.parameters, std::move(decision.start->devices), after};
                m_now = std::max(now, m_now);
                run(trial.number, m_now + 1);
                return true;
            }
            if (decision.impossible)
                return tl::unexpected<facts::Fact>(std::move(decision.impossible->reason));
            if (!decision.waiting.empty())
                reason = decision.waiting.front().reason;
            if (m_running.empty() || m_running.front().ends == never)
                return false;
            after = m_running.front().number;
            now = m_running.front().ends;
            m_scheduler.release(onlySweep, after);
            m_running.pop_front();
        }
    }
    facts::Facts held(const sweep::TrialPlan &trial, const MachineNow &machine) const
    {
        return heldOf(m_scheduler.allocator(), requestOf(m_spec, trial.number, trial.ranks, trial.parameters), machine);
    }
    /// Takes what another sweep of the same engine holds for good.
    void take(const CpuUse &use)
    {
        std::vector<std::string> slots;
        for (const int core : use.slots)
            slots.push_back("cpu:" + std::to_string(core));
        m_scheduler.allocator().adopt(Scheduler::holderName(otherSweeps, ++m_others), slots, {}, use.cpus);
    }
    /// Takes what a trial of the sweep already holds, until it ends.
    PlannedTrial adopt(const sweep::TrialRecord &trial, const std::vector<std::vector<int>> &cpus, double ends)
    {
        m_scheduler.adopt(onlySweep, trial.number, trial.devices, wishesOf(m_spec), cpus);
        run(trial.number, ends);
        PlannedTrial there{trial.number, trial.parameters, {}, 0, true};
        const std::size_t ranks = static_cast<std::size_t>(std::max(1, trial.ranks));
        const std::size_t each = (trial.devices.size() + ranks - 1) / ranks;
        for (std::size_t i = 0; i < trial.devices.size(); ++i) {
            if (i % each == 0)
                there.devices.perRank.emplace_back();
            there.devices.perRank.back().push_back(trial.devices[i]);
        }
        there.devices.cpu = {cpus, 0};
        return there;
    }
    double end() const { return m_end; }
    int atOnce() const { return m_most; }

    static constexpr double never = std::numeric_limits<double>::infinity();  ///< the end of a frozen trial is unknown

private:
    void add(const std::string &name, const OtherMachine &other)
    {
        Scheduler::Machine &machine = m_scheduler.machines()[name];
        device::CpuTopology cores;  // which CPUs share a core there is not known
        for (const device::Device &device : other.devices) {
            if (device.kind == device::Kind::Cpu)
                cores.cores.push_back({{device.index}});
        }
        machine.allocator.setDevices(other.devices, std::move(cores));
        machine.allocator.setTopology(other.topology);
        machine.allocator.setStates(other.states);
        machine.concurrent = other.concurrent;
        for (const auto &[trial, taken] : other.taken)
            machine.allocator.adopt(Scheduler::holderName(otherSweeps, ++m_others), taken);
    }
    void run(int number, double ends)
    {
        m_running.insert(std::ranges::upper_bound(m_running, ends, {}, &Running::ends), {number, ends});
        if (ends == never)
            return;
        m_end = std::max(m_end, ends);
        m_most = std::max(m_most, static_cast<int>(std::ranges::count_if(
                                      m_running, [](const Running &each) { return each.ends != never; })));
    }

    static constexpr std::int64_t onlySweep = 1;
    static constexpr std::int64_t otherSweeps = 2;
    struct Running {
        int number;
        double ends;
    };
    const sweep::SweepSpec &m_spec;
    Scheduler m_scheduler;
    std::deque<Running> m_running;  ///< sorted by their end
    double m_now = 0;
    double m_end = 0;
    int m_most = 0;
    int m_others = 0;  ///< trials of other sweeps
};

bool runsTheSame(const sweep::SweepSpec &a, const sweep::SweepSpec &b)
{
    return a.run == b.run && a.devices.kind == b.devices.kind && a.devices.perRank == b.devices.perRank;
}

}  // namespace

std::optional<TimeBasis> timeBasis(const sweep::SweepSpec &spec, const std::vector<FinishedSweep> &sweeps)
{
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend(); ++sweep) {
        if (!runsTheSame(spec, sweep::parseSweep(sweep->first.toml).spec))
            continue;
        std::vector<double> seconds;
        for (const sweep::TrialRecord &trial : sweep->second) {
            const std::optional<double> taken = trial.ended ? sweep::runningSeconds(trial, *trial.ended) : std::nullopt;
            if (trial.state == sweep::TrialState::Completed && taken && *taken > 0)
                seconds.push_back(*taken);
        }
        if (seconds.empty())
            continue;
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::nth_element(seconds.begin(), middle, seconds.end());
        return TimeBasis{*middle, static_cast<int>(seconds.size()), sweep->first.name};
    }
    return std::nullopt;
}

std::optional<TimeBasis> ownTimeBasis(const sweep::SweepSpec &spec, const SweepSoFar &soFar)
{
    if (!runsTheSame(spec, soFar.spec))
        return std::nullopt;
    const std::optional<double> usual = sweep::usualSeconds(soFar.trials, soFar.now);
    if (!usual || *usual <= 0)
        return std::nullopt;
    const auto completed = std::ranges::count(soFar.trials, sweep::TrialState::Completed, &sweep::TrialRecord::state);
    return TimeBasis{*usual, static_cast<int>(completed), soFar.spec.name};
}

namespace {

/// The part of a sweep that is left to run.
struct Remainder {
    std::vector<sweep::TrialRecord> holding;  ///< they keep their devices until they end
    std::vector<sweep::TrialPlan> waiting;    ///< in the order of their start
    std::optional<int> firstUnchosen;         ///< trials from this number on have typical parameters, not their own
};

/// Without a number of trials: the maximum concurrency.
std::size_t mostTypical(const sweep::SweepSpec &spec)
{
    return sweep::trialsToSearch(spec) ? sweep::maxTrials : static_cast<std::size_t>(spec.devices.concurrent);
}

Expected<Remainder> wholeOf(const sweep::SweepSpec &spec)
{
    Expected<std::vector<sweep::TrialPlan>> trials = sweep::typicalTrials(spec, mostTypical(spec));
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    return Remainder{{}, std::move(*trials), sweep::isOpenEnded(spec) ? std::optional(1) : std::nullopt};
}

Remainder restOf(const sweep::SweepSpec &spec, const SweepSoFar &soFar)
{
    Remainder rest;
    const sweep::EditPlan &edit = soFar.edit;
    std::vector<const sweep::TrialRecord *> queued;
    for (const sweep::TrialRecord &trial : soFar.trials) {
        const bool isQueued =
            trial.state == sweep::TrialState::Queued && std::ranges::binary_search(edit.unchanged, trial.number);
        if (sweep::holdsDevices(trial, soFar.spec))
            rest.holding.push_back(trial);
        else if (isQueued || std::ranges::binary_search(edit.restored, trial.number))
            queued.push_back(&trial);
    }
    if (edit.spent)
        return rest;
    std::ranges::stable_sort(queued, std::greater<>(), [](const auto *trial) { return trial->priority; });
    for (const sweep::TrialRecord *trial : queued)
        rest.waiting.push_back(sweep::planPoint(spec, trial->number, trial->parameters));
    rest.waiting.insert(rest.waiting.end(), edit.added.begin(), edit.added.end());
    if (sweep::isOpenEnded(spec) && edit.toCome != 0) {
        const auto most = static_cast<std::size_t>(edit.toCome.value_or(spec.devices.concurrent));
        int number = soFar.trials.empty() ? 0 : soFar.trials.back().number;
        rest.firstUnchosen = number + 1;
        for (sweep::TrialPlan &trial : sweep::typicalTrials(spec, most).value_or(std::vector<sweep::TrialPlan>()))
            rest.waiting.push_back(sweep::planPoint(spec, ++number, std::move(trial.parameters)));
    }
    return rest;
}

/// Returns the end in units of a trial.
double endOf(const sweep::TrialRecord &trial, const std::optional<TimeBasis> &basis, WallNs now)
{
    if (!sweep::isUnderWay(trial.state))
        return Simulation::never;
    return basis ? sweep::secondsLeftOf(trial, basis->secondsPerTrial, now) / basis->secondsPerTrial : 1;
}

/// What is known of a plan without the devices.
SweepPlan countsOf(const sweep::SweepSpec &spec, const Remainder &left, bool isUnderWay)
{
    SweepPlan plan;
    plan.trials = left.holding.size() + left.waiting.size();
    plan.isUnderWay = isUnderWay;
    plan.hasNoEnd = !sweep::trialsToSearch(spec);
    return plan;
}

tl::expected<SweepPlan, facts::Fact> planHere(const sweep::SweepSpec &spec, const Remainder &left,
                                              const MachineNow &wholeMachine, const std::optional<TimeBasis> &basis,
                                              std::size_t most, const std::filesystem::path &workspace,
                                              const std::optional<SweepSoFar> &soFar)
{
    std::optional<OwnTrials> own;
    if (soFar)
        own.emplace(*soFar, workspace);
    const MachineNow machine = own ? own->othersOf(wholeMachine) : wholeMachine;
    SweepPlan plan = countsOf(spec, left, soFar.has_value());
    MachineNow others = machine;
    const std::string ourName = printable(workspace.string());
    const auto isOurs = [&](const CpuUse &use) { return !ourName.empty() && use.holder.workspace == ourName; };
    std::erase_if(others.cpuUses, isOurs);
    SeenLeases leases(others);
    Simulation simulation(spec, machine, leases);
    for (const CpuUse &use : machine.cpuUses) {
        if (isOurs(use))
            simulation.take(use);
    }
    for (const sweep::TrialRecord &trial : left.holding) {
        PlannedTrial there =
            simulation.adopt(trial, own->cpusOf(trial.number, wholeMachine), endOf(trial, basis, soFar->now));
        if (plan.planned.size() < most)
            plan.planned.push_back(std::move(there));
    }
    if (!left.waiting.empty())
        plan.held = simulation.held(left.waiting.front(), machine);
    std::size_t simulated = 0;
    for (const sweep::TrialPlan &trial : left.waiting) {
        if (simulated == std::max(most, mostSimulated))
            break;
        PlannedTrial planned;
        facts::Fact reason;
        const tl::expected<bool, facts::Fact> started = simulation.start(trial, planned, reason);
        if (!started)
            return tl::unexpected<facts::Fact>(started.error());
        if (reason && (!plan.waiting || !*started))
            plan.waiting = sweep::HeldTrial{trial.number, reason};
        if (!*started) {
            plan.atOnce = simulation.atOnce();
            return plan;  // the duration is unknown
        }
        ++simulated;
        if (left.firstUnchosen && trial.number >= *left.firstUnchosen)
            planned.parameters.reset();
        if (plan.planned.size() < most)
            plan.planned.push_back(std::move(planned));
    }
    plan.atOnce = simulation.atOnce();
    simulated += left.holding.size();
    if (basis && simulated > 0 && !plan.hasNoEnd) {
        const double share = static_cast<double>(plan.trials) / static_cast<double>(simulated);
        const double trialTimes = simulation.end() * share;
        plan.seconds = (left.holding.empty() ? std::ceil(trialTimes) : trialTimes) * basis->secondsPerTrial;
        plan.basis = basis;
    }
    return plan;
}

/// Removes machines whose devices are not known, and returns their names. Replaces "*" by the names that it stands for.
std::vector<std::string> leaveOutUnknown(std::vector<std::string> &machines, const MachineNow &now)
{
    std::vector<std::string> known;
    std::vector<std::string> leftOut;
    const auto sort = [&](const std::string &name, bool isKnown) { (isKnown ? known : leftOut).push_back(name); };
    for (const std::string &name : machines) {
        const auto other = now.others.find(name);
        if (name != sweep::allMachines) {
            sort(name, name == sweep::thisMachine || (other != now.others.end() && !other->second.devices.empty()));
            continue;
        }
        known.emplace_back(sweep::thisMachine);
        if (now.others.empty())
            leftOut.push_back(name);
        for (const auto &[each, machine] : now.others)
            sort(each, !machine.devices.empty());
    }
    machines = std::move(known);
    return leftOut;
}

}  // namespace

tl::expected<SweepPlan, facts::Fact> planSweep(const sweep::SweepSpec &spec, const MachineNow &machine,
                                               const std::optional<TimeBasis> &basis, std::size_t most,
                                               const std::filesystem::path &workspace,
                                               const std::optional<SweepSoFar> &soFar)
{
    const Expected<Remainder> left = soFar ? restOf(spec, *soFar) : wholeOf(spec);
    if (!left)
        return tl::unexpected<facts::Fact>(
            facts::Fact(facts::Code::DefinitionInvalid).with(facts::Field::Detail, left.error().message));
    sweep::SweepSpec known = spec;
    std::vector<std::string> leftOut = leaveOutUnknown(known.devices.machines, machine);
    if (leftOut.empty())
        return planHere(spec, *left, machine, basis, most, workspace, soFar);
    SweepPlan plan = countsOf(spec, *left, soFar.has_value());
    if (!known.devices.machines.empty()) {
        if (auto planned = planHere(known, *left, machine, basis, most, workspace, soFar))
            plan = std::move(*planned);
        // The other machines take some of the trials.
        plan.waiting.reset();
        plan.seconds.reset();
        plan.basis.reset();
    }
    plan.leftOut = std::move(leftOut);
    return plan;
}

}  // namespace sweepscope::schedule
