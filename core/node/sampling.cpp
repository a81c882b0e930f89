#include "node/sampling.h"

#include "base/log.h"
#include "device/sources.h"

#include <chrono>
#include <utility>

namespace sweepscope::node {

namespace {

MachineDevice deviceOf(const device::Device &device)
{
    return {device.id,
            device.kind == device::Kind::Gpu ? "gpu" : "cpu",
            device.index,
            device.name,
            static_cast<std::int64_t>(device.memoryBytes),
            device.simulated,
            device.pciBusId,
            device.parentId,
            device.offered,
            {device.nearCpus.begin(), device.nearCpus.end()}};
}

std::map<std::string, std::string> asText(const std::map<std::string, facts::Fact> &facts)
{
    std::map<std::string, std::string> texts;
    for (const auto &[device, fact] : facts)
        texts[device] = facts::toJson(fact);
    return texts;
}

}  // namespace

void Sampling::set(bool on)
{
    m_isOn = on;
    if (m_sampler)
        m_sampler->setSampling(on);
    if (!on || m_sampler || m_finding.valid())
        return;
    m_finding = std::async(std::launch::async, [] {
        Found found{device::makeSources(device::NvidiaBy::Program), {}, {}, {}};
        found.devices = device::devicesOf(found.sources);
        found.topology = device::topologyOf(found.sources);
        found.note = device::notesOf(found.sources);
        return found;
    });
}

void Sampling::begin(Found found)
{
    m_found.note = found.note;
    for (const device::Device &device : found.devices)
        m_found.devices.push_back(deviceOf(device));
    const std::vector<device::Device> gpus = device::wholeGpus(found.devices);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        for (std::size_t j = i + 1; j < gpus.size(); ++j)
            m_found.links.push_back(
                {gpus[i].id, gpus[j].id, device::shortName(found.topology.between(gpus[i].id, gpus[j].id))});
    }
    std::error_code error;
    std::filesystem::create_directories(m_feed.parent_path(), error);
    auto sampler = DeviceSampler::start(std::move(found.sources), m_feed);
    if (sampler) {
        m_sampler = std::move(*sampler);
        m_sampler->setSampling(m_isOn);
    } else {
        log(LogLevel::Warning, "devices", sampler.error().message);
    }
}

std::optional<Machine> Sampling::news()
{
    if (m_finding.valid() && m_finding.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        begin(m_finding.get());
    if (m_found.devices.empty() && m_found.note.empty())
        return std::nullopt;
    Machine now = m_found;
    if (const auto remarks = m_sampler ? m_sampler->remarks() : std::nullopt) {
        now.leases = asText(remarks->leases);
        now.unusable = asText(m_sampler->snapshot().unusable);
    }
    if (m_reported == now)
        return std::nullopt;
    m_reported = now;
    return now;
}

}  // namespace sweepscope::node
