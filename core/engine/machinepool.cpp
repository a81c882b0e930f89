#include "engine/machinepool.h"

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
    for (auto &[name, known] : m_machines) {
        if (known.connection || std::filesystem::exists(m_workspace.root / "hosts" / name, error))
            connection(name)->discard(sweepFolder);
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
        if (machine.name == sweep::thisMachine)
            continue;  // ClusterPool's
        names.insert(machine.name);
        Known &known = m_machines[machine.name];
        if (known.machine == machine && known.isInScheduler)
            continue;
        retire(known.connection);
        known = {machine};
        known.isInScheduler = true;
        known.hasRest = hasRest(m_workspace.root / "hosts" / machine.name);
        schedule::Scheduler::Machine &there = m_scheduler.machines()[machine.name];
        there.unavailable = Code::MachineConnecting;
        there.concurrent = machine.concurrent;
    }
    for (auto &[name, known] : m_machines) {
        known.isRemoved = !names.contains(name);
        if (known.isRemoved && m_scheduler.machines()[name].allocator.holderCount() > 0)
            log(LogLevel::Info, "machines", name + " was removed; its trials go on to their end");
    }
    return true;
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
        if (!known.connection && (known.hasRest || wanted.contains(name) || wanted.contains(sweep::allMachines)))
            known.connection = std::make_unique<remote::MachineConnection>(
                known.machine, remote::MachineConnection::Place{m_workspace.root, m_share});
        if (known.connection)
            update(name, known);
    }
}

void MachinePool::update(const std::string &name, Known &known)
{
    const remote::MachineStatus status = known.connection->status();
    schedule::Scheduler::Machine &there = m_scheduler.machines()[name];
    if (status.isConnected && status.devices && known.devices != status.devices) {
        known.devices = status.devices;
        std::map<std::string, schedule::GpuState> states;
        for (const auto &[id, fact] : status.devices->unusable)
            states[sweep::deviceOn(name, id)].unusable = factIn(fact);
        for (const auto &[id, fact] : status.devices->leases) {
            if (there.allocator.holders(sweep::deviceOn(name, id)).empty())
                states[sweep::deviceOn(name, id)].unusable = factIn(fact);
        }
        there.allocator.setDevices(offeredOf(devicesOn(name, *status.devices)), coresOf(*status.devices));
        there.allocator.setTopology(topologyOn(name, *status.devices));
        there.allocator.setStates(std::move(states));
        m_changed();
    }
    Fact unavailable;
    if (known.isRemoved)
        unavailable = Fact(Code::MachineUnknown).with(Field::Machine, name);
    else if (!status.isConnected && !status.problem.empty())
        unavailable = Fact(Code::MachineUnreachable).with(Field::Detail, status.problem);
    else if (!status.isConnected || !known.devices)
        unavailable = Code::MachineConnecting;
    else if (steady_clock::now() < known.refusesUntil)
        unavailable = known.refusal;
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
    const auto known = m_machines.find(machine);
    if (known == m_machines.end())
        return nullptr;
    if (!known->second.connection)
        poll({machine});
    return known->second.connection.get();
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
    return known != m_machines.end() && !known->second.isRemoved;
}

std::vector<std::string> MachinePool::names() const
{
    std::vector<std::string> names;
    for (const auto &[name, known] : m_machines) {
        if (!known.isRemoved)
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
        if (scheduled != m_scheduler.machines().end())
            statuses.push_back(machineStatus(known.machine,
                                             known.connection ? known.connection->status() : remote::MachineStatus(),
                                             known.connection != nullptr, scheduled->second, holderOf));
    }
    return statuses;
}

}  // namespace sweepscope::engine
