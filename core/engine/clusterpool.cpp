#include "engine/clusterpool.h"

#include "remote/machines.h"
#include "slurm/localcommand.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

constexpr auto readClustersEvery = 1s;
constexpr std::chrono::seconds firstPauseOfRefusal = 10s;
constexpr std::chrono::seconds longestPauseOfRefusal = 300s;

}  // namespace

ClusterPool::ClusterPool(WorkspaceLayout workspace, schedule::Scheduler &scheduler, std::function<void()> changed)
    : m_workspace(std::move(workspace)), m_scheduler(scheduler), m_changed(std::move(changed))
{
    readMachinesFile();
    updateScheduler();
}

/// Returns whether it is new. Trials of a cluster whose table was removed go on to their end; no further one is submitted.
bool ClusterPool::readMachinesFile()
{
    std::error_code error;
    const auto written = std::filesystem::last_write_time(m_workspace.machinesFile(), error);
    if (written == m_readTime)
        return false;
    m_readTime = written;
    const auto machines = remote::readMachines(m_workspace.machinesFile());
    if (!machines)
        return false;  // MachinePool reports it
    const auto here = std::ranges::find(*machines, std::string(sweep::thisMachine), &remote::Machine::name);
    m_isHere = here != machines->end() && here->slurm;
    if (m_isHere && (m_settings != *here->slurm || !m_desk)) {
        m_settings = *here->slurm;
        m_refusesUntil = {};
        desk().useSettings(m_settings);
    }
    return true;
}

slurm::JobDesk &ClusterPool::desk()
{
    if (!m_desk)
        m_desk = std::make_unique<slurm::JobDesk>(slurm::runHere, m_settings);
    return *m_desk;
}

void ClusterPool::poll()
{
    const auto now = steady_clock::now();
    const bool isNew = now >= m_nextRead && readMachinesFile();
    if (now >= m_nextRead)
        m_nextRead = now + readClustersEvery;
    updateScheduler();
    if (isNew)
        m_changed();
}

void ClusterPool::updateScheduler()
{
    auto &machines = m_scheduler.machines();
    if (!m_isHere) {
        const auto left = machines.find(sweep::thisMachine);
        if (left != machines.end() && left->second.allocator.holderCount() == 0)
            machines.erase(left);  // trials run on this machine itself again
        else if (left != machines.end())
            left->second.unavailable = Code::ClusterRemoved;
        return;
    }
    schedule::Scheduler::Machine &cluster = machines[sweep::thisMachine];
    const slurm::ClusterNews news = desk().cluster();
    cluster.cluster = schedule::Scheduler::Cluster{news.hasGpus, m_settings.waiting};
    if (steady_clock::now() < m_refusesUntil)
        cluster.unavailable = m_refusal;
    else if (!news.isKnown)
        cluster.unavailable = news.problem ? news.problem : Fact(Code::ClusterAsked);
    else
        cluster.unavailable = {};
}

void ClusterPool::noteRefusal(const facts::Fact &reason)
{
    m_pause = std::clamp(2 * m_pause, firstPauseOfRefusal, longestPauseOfRefusal);
    m_refusesUntil = steady_clock::now() + m_pause;
    m_refusal = reason;
    updateScheduler();
    m_changed();
}

}  // namespace sweepscope::engine
