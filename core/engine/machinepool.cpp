#include "engine/machinepool.h"

#include "base/diskspace.h"
#include "base/log.h"
#include "engine/devicelist.h"
#include "engine/machinelist.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

constexpr auto readEvery = 1s;
constexpr std::chrono::seconds firstRefusal = 10s;
constexpr std::chrono::seconds longestRefusal = 300s;

/// Whether the machine has to be connected to anew. How jobs are submitted matters to the next one only.
bool isOtherConnection(const remote::Machine &one, remote::Machine other)
{
    if (one.slurm && other.slurm)
        other.slurm = one.slurm;
    other.concurrent = one.concurrent;
    other.lostAfter = one.lostAfter;
    return one != other;
}

/// A difference that a person would see.
bool isOtherClock(const remote::MachineStatus &now, const remote::MachineStatus &reported)
{
    return now.clockError != reported.clockError
           && (reported.clockError == 0 || 2 * now.clockError <= reported.clockError);
}

/// Whether an earlier engine left something to do for the machine.
bool hasRest(const std::filesystem::path &folder)
{
    return std::ranges::any_of(std::array{"unfinished", "given-up", "discarded"}, [&](const char *name) {
        std::error_code error;
        const auto size = std::filesystem::file_size(folder / name, error);
        return !error && size > 0;
    });
}

}  // namespace

MachinePool::MachinePool(WorkspaceLayout workspace, std::filesystem::path share, schedule::Scheduler &scheduler,
                         std::function<void()> changed)
    : m_workspace(std::move(workspace)),
      m_share(std::move(share)),
      m_scheduler(scheduler),
      m_changed(std::move(changed))
{
    readMachinesFile();
}

/// All at once, because each may wait for its machine.
MachinePool::~MachinePool()
{
    for (auto &[name, known] : m_machines)
        retire(known.connection);
}

void MachinePool::retire(std::unique_ptr<remote::MachineConnection> &connection)
{
    if (!connection)
        return;
    connection->end();
    m_ending.push_back(std::move(connection));
}

void MachinePool::discard(const std::string &sweepFolder)
{
    std::error_code error;
    std::vector<std::string> names;  // connecting may forget machines that were removed
    for (const auto &[name, known] : m_machines) {
        if (!isHere(name) && (known.connection || std::filesystem::exists(m_workspace.root / "hosts" / name, error)))
            names.push_back(name);
    }
    for (const std::string &name : names) {
        if (remote::MachineConnection *const found = connection(name))
            found->discard(sweepFolder);
    }
}

/// Returns whether it is new. A machine whose definition is changed is connected to anew; one that was removed stays until
/// its trials have ended. If the file cannot be read, the machines stay as they were.
bool MachinePool::readMachinesFile()
{
    std::error_code error;
    const auto written = std::filesystem::last_write_time(m_workspace.machinesFile(), error);
    if (written == m_readTime)
        return false;
    m_readTime = written;
    const auto machines = remote::readMachines(m_workspace.machinesFile());
    const std::string problem = machines ? std::string() : machines.error().message;
    if (!problem.empty() && problem != m_problem)
        log(LogLevel::Warning, "machines", problem);
    m_problem = problem;
    if (!machines)
        return false;
    std::set<std::string> names;
    for (const remote::Machine &machine : *machines) {
        if (isHere(machine.name) && !machine.slurm)
            continue;
        names.insert(machine.name);
        define(machine);
    }
    for (auto &[name, known] : m_machines) {
        known.isRemoved = !names.contains(name);
        if (known.isRemoved && m_scheduler.machines()[name].allocator.holderCount() > 0)
            log(LogLevel::Info, "machines", name + " was removed; its running trials continue until they finish");
    }
    return true;
}

void MachinePool::define(const remote::Machine &machine)
{
    Known &known = m_machines[machine.name];
    if (known.machine == machine && known.isInScheduler)
        return;
    if (!known.isInScheduler || isOtherConnection(known.machine, machine)) {
        retire(known.connection);
        known = {.machine = machine, .cluster = std::move(known.cluster)};
        known.isInScheduler = true;
        known.hasRest = hasRest(m_workspace.root / "hosts" / machine.name);
        m_scheduler.machines()[machine.name].unavailable =
            isHere(machine.name) ? Code::ClusterAsked : Code::MachineConnecting;
    }
    known.machine = machine;
    known.refusesUntil = {};
    m_scheduler.machines()[machine.name].concurrent = machine.concurrent;
    if (known.cluster && machine.slurm) {
        known.cluster->use(machine.ssh);
        known.cluster->use(*machine.slurm);
    }
}

bool MachinePool::isHere(const std::string &machine)
{
    return machine == sweep::thisMachine;
}

std::shared_ptr<Cluster> MachinePool::cluster(const std::string &machine)
{
    const bool isKnown = m_machines.contains(machine);
    if (!isKnown && !isHere(machine))
        return nullptr;
    Known &known = m_machines[machine];
    if (!isKnown) {  // its table was removed while no engine ran
        known.machine.name = machine;
        known.isRemoved = true;
    }
    if (!known.cluster)
        known.cluster = std::make_shared<Cluster>(isHere(machine) ? std::nullopt : std::optional(known.machine.ssh),
                                                  known.machine.slurm.value_or(slurm::Settings()));
    return known.cluster;
}

std::vector<std::string> MachinePool::clusters() const
{
    std::vector<std::string> names;
    for (const auto &[name, known] : m_machines) {
        if (known.machine.slurm && !known.isRemoved)
            names.push_back(name);
    }
    return names;
}

void MachinePool::reload()
{
    if (readMachinesFile())
        m_changed();
    m_nextRead = steady_clock::now() + readEvery;
}

void MachinePool::poll(const std::set<std::string> &wanted)
{
    const auto now = steady_clock::now();
    std::erase_if(m_ending, [](const auto &connection) { return connection->isDone(); });
    if (now >= m_nextRead)
        reload();
    bool isAnyOver = false;
    for (auto known = m_machines.begin(); known != m_machines.end();) {
        const bool isOver =
            known->second.isRemoved && m_scheduler.machines()[known->first].allocator.holderCount() == 0;
        if (isOver) {
            retire(known->second.connection);
            m_scheduler.machines().erase(known->first);
            isAnyOver = true;
        }
        known = isOver ? m_machines.erase(known) : std::next(known);
    }
    if (isAnyOver)
        m_changed();
    for (auto &[name, known] : m_machines) {
        const bool isWanted = known.hasRest || wanted.contains(name) || wanted.contains(sweep::allMachines);
        if (!known.connection && isWanted && !isHere(name))
            known.connection = std::make_unique<remote::MachineConnection>(
                known.machine, remote::MachineConnection::Place{m_workspace.root, m_share});
        if (known.connection || isHere(name))
            update(name, known);
    }
}

/// Returns whether they are new.
bool MachinePool::takeDevices(const std::string &name, Known &known, const node::Machine &devices)
{
    if (known.devices == devices)
        return false;
    known.devices = devices;
    schedule::Allocator &allocator = m_scheduler.machines()[name].allocator;
    std::map<std::string, schedule::GpuState> states;
    for (const auto &[id, fact] : devices.unusable)
        states[sweep::deviceOn(name, id)].unusable = factIn(fact);
    for (const auto &[id, fact] : devices.leases) {
        if (allocator.holders(sweep::deviceOn(name, id)).empty())
            states[sweep::deviceOn(name, id)].unusable = factIn(fact);
    }
    allocator.setDevices(offeredOf(devicesOn(name, devices)), coresOf(devices));
    allocator.setTopology(topologyOn(name, devices));
    allocator.setStates(std::move(states));
    return true;
}

/// None: trials can start there.
Fact MachinePool::unavailabilityOf(const Known &known, const remote::MachineStatus &status)
{
    const std::string &name = known.machine.name;
    if (known.cluster && (known.isRemoved || !known.machine.slurm))
        return Code::ClusterRemoved;
    if (known.isRemoved)
        return Fact(Code::MachineUnknown).with(Field::Machine, name);
    if (!isHere(name) && !status.isConnected)
        return status.problem.empty() ? Fact(Code::MachineConnecting)
                                      : Fact(Code::MachineUnreachable).with(Field::Detail, status.problem);
    if (!known.cluster && !known.devices)
        return Code::MachineConnecting;
    if (status.disk.total > 0
        && DiskSpace{static_cast<std::uint64_t>(status.disk.free), static_cast<std::uint64_t>(status.disk.total)}
               .isFull())
        return Fact(Code::MachineDiskFull).with(Field::Machine, name).with(Field::Device, status.welcome.folder);
    if (steady_clock::now() < known.refusesUntil)
        return known.refusal;
    return known.cluster ? known.cluster->unavailable() : Fact();
}

void MachinePool::update(const std::string &name, Known &known)
{
    schedule::Scheduler::Machine &there = m_scheduler.machines()[name];
    if (known.cluster && !known.machine.slurm && !known.isRemoved && there.allocator.holderCount() == 0)
        known.cluster.reset();  // trials run on the machine itself again
    if (known.machine.slurm && !known.cluster)
        cluster(name);
    const remote::MachineStatus status = known.connection ? known.connection->status() : remote::MachineStatus();
    if (known.cluster) {
        there.cluster = known.cluster->offered();
        if (status.isConnected && !known.reported.isConnected)
            known.cluster->desk().retry();
    } else {
        there.cluster.reset();
        if (status.isConnected && status.devices && takeDevices(name, known, *status.devices))
            m_changed();
    }
    Fact unavailable = unavailabilityOf(known, status);
    const bool isNews = unavailable != there.unavailable || status.isConnected != known.reported.isConnected
                        || isOtherClock(status, known.reported);
    there.unavailable = std::move(unavailable);
    if (isNews) {
        known.reported = status;
        m_changed();
    }
}

bool MachinePool::isBusy() const
{
    return std::ranges::any_of(
        m_machines, [](const auto &item) { return item.second.connection && item.second.connection->isBusy(); });
}

remote::MachineConnection *MachinePool::connection(const std::string &machine)
{
    auto known = m_machines.find(machine);
    if (known == m_machines.end() || isHere(machine))
        return nullptr;
    if (!known->second.connection) {
        poll({machine});
        known = m_machines.find(machine);
    }
    return known != m_machines.end() ? known->second.connection.get() : nullptr;
}

std::optional<std::chrono::seconds> MachinePool::lostAfter(const std::string &machine) const
{
    const auto known = m_machines.find(machine);
    return known != m_machines.end() ? known->second.machine.lostAfter : std::nullopt;
}

void MachinePool::noteRefusal(const std::string &machine, const facts::Fact &reason)
{
    const auto known = m_machines.find(machine);
    if (known == m_machines.end())
        return;
    known->second.pause = std::clamp(2 * known->second.pause, firstRefusal, longestRefusal);
    known->second.refusesUntil = steady_clock::now() + known->second.pause;
    known->second.refusal = reason;
    update(machine, known->second);
    m_changed();
}

bool MachinePool::knows(const std::string &machine) const
{
    const auto known = m_machines.find(machine);
    return known != m_machines.end() && !known->second.isRemoved && !isHere(machine);
}

std::vector<std::string> MachinePool::names() const
{
    std::vector<std::string> names;
    for (const auto &[name, known] : m_machines) {
        if (!known.isRemoved && !isHere(name))
            names.push_back(name);
    }
    return names;
}

void MachinePool::noteStart(const std::string &machine)
{
    const auto known = m_machines.find(machine);
    if (known != m_machines.end())
        known->second.pause = 0s;
}

std::vector<protocol::MachineStatus>
MachinePool::statuses(const std::function<protocol::DeviceHolder(const std::string &)> &holderOf) const
{
    std::vector<protocol::MachineStatus> statuses;
    for (const auto &[name, known] : m_machines) {
        const auto scheduled = m_scheduler.machines().find(name);
        if (scheduled != m_scheduler.machines().end() && !isHere(name))
            statuses.push_back(machineStatus(known.machine,
                                             known.connection ? known.connection->status() : remote::MachineStatus(),
                                             known.connection != nullptr, scheduled->second, holderOf));
    }
    return statuses;
}

}  // namespace sweepscope::engine
