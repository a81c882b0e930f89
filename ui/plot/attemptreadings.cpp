#include "ui/plot/attemptreadings.h"

#include "base/agentfolders.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Devices are sampled once a second: include the sample before the start.
constexpr WallNs deviceSlack = 2'000'000'000;

}  // namespace

bool storeResult(const Expected<bool> &result, std::string &problem)
{
    const std::string before = std::exchange(problem, result ? std::string() : result.error().message);
    return result.value_or(false) || problem != before;
}

void AttemptReadings::update(const TrialSource &source)
{
    m_attempt = source.files();
    m_ranks = source.ranks;
    m_hasEnded = source.ended > 0;
    findAgents();
    const WallNs end = m_hasEnded ? source.ended + deviceSlack : 0;
    for (const auto &[machine, file] : source.devicesFeeds) {
        std::vector<std::string> devices;
        for (const std::string &device : source.devices) {
            if (sweep::machineOf(device) == machine)
                devices.push_back(device);
        }
        const auto known = std::ranges::find(m_machines, file, &Machine::file);
        if (known != m_machines.end() && known->devices.devices() == devices) {
            known->devices.setEnd(end);
            continue;
        }
        if (known != m_machines.end())
            m_machines.erase(known);
        if (!devices.empty() && source.started > 0)
            m_machines.push_back({file, DeviceFeed(file, std::move(devices), source.started - deviceSlack, end)});
    }
}

/// The folders of agents on other machines may come later than the attempt's own.
void AttemptReadings::findAgents()
{
    for (const AttemptLayout &agent : agentFolders(m_attempt)) {
        if (std::ranges::find(m_hosts, agent.hostFeed(), &Host::file) == m_hosts.end())
            m_hosts.push_back({agent.hostFeed(), series::FeedSeries({agent.hostFeed(), {}, {}})});
    }
}

bool AttemptReadings::poll(std::uint64_t maxBytes)
{
    if (!m_hasEnded && m_ranks > 1 && ofRank(m_ranks - 1, "cpu") == nullptr)
        findAgents();
    bool changed = false;
    for (Host &host : m_hosts)
        changed |= storeResult(host.series.poll(maxBytes).map([](auto records) { return records > 0; }), host.problem);
    for (Machine &machine : m_machines)
        changed |= storeResult(machine.devices.poll(maxBytes), machine.problem);
    return changed;
}

const series::Series *AttemptReadings::ofRank(int rank, std::string_view quantity) const
{
    const std::string name = "rank" + std::to_string(rank) + "." + std::string(quantity);
    for (const Host &host : m_hosts) {
        if (const series::Series *series = host.series.find(name))
            return series;
    }
    return nullptr;
}

const series::Series *AttemptReadings::ofDevice(const std::string &device, std::string_view quantity) const
{
    for (const Machine &machine : m_machines) {
        if (std::ranges::find(machine.devices.devices(), device) != machine.devices.devices().end())
            return machine.devices.find(device, quantity);
    }
    return nullptr;
}

WallNs AttemptReadings::newestOfRanks() const
{
    WallNs newest = 0;
    for (const Host &host : m_hosts) {
        for (const series::Series &series : host.series.all())
            newest = std::max(newest, series.empty() ? 0 : series.back().timeNs);
    }
    return newest;
}

std::string AttemptReadings::problem() const
{
    for (const Host &host : m_hosts) {
        if (!host.problem.empty())
            return host.problem;
    }
    for (const Machine &machine : m_machines) {
        if (!machine.problem.empty())
            return machine.problem;
    }
    return {};
}

std::vector<std::filesystem::path> AttemptReadings::files() const
{
    std::vector<std::filesystem::path> files;
    for (const Host &host : m_hosts)
        files.push_back(host.file);
    for (const Machine &machine : m_machines) {
        if (!m_hasEnded)
            files.push_back(machine.file);
    }
    return files;
}

}  // namespace sweepscope::ui
