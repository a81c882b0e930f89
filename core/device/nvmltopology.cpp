#include "device/nvmltopology.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace sweepscope::device::nvml {

namespace {

constexpr std::size_t affinityWords = 64;  // 4096 CPUs
constexpr unsigned bitsOfWord = 8 * sizeof(unsigned long);
constexpr int remoteIsSwitch = 2;

/// A GPU's NVLinks that work: how many end at which PCI bus, and how many at an NVSwitch, which leads to all others.
struct Links {
    std::map<std::string, int> byBus;
    int toSwitches = 0;
};

std::string busOf(const PciInfo &pci)
{
    return {std::begin(pci.busId), std::find(std::begin(pci.busId), std::end(pci.busId), '\0')};
}

Links readLinks(CallMeter &meter, const Functions &functions, DeviceHandle handle)
{
    Links links;
    for (unsigned link = 0; link < mostNvlinks; ++link) {
        unsigned active = 0;
        const Return code = functions.nvlinkState(meter, handle, link, &active);
        if (code == errorInvalidArgument || (link == 0 && code != success))
            break;
        if (code != success || active == 0)
            continue;
        int type = 0;
        PciInfo pci{};
        if (functions.nvlinkRemoteType(meter, handle, link, &type) == success && type == remoteIsSwitch)
            ++links.toSwitches;
        else if (functions.nvlinkRemotePci(meter, handle, link, &pci) == success)
            ++links.byBus[busOf(pci)];
    }
    return links;
}

int linksBetween(const Links &from, const Links &to, const std::string &toBus)
{
    const auto direct = from.byBus.find(toBus);
    return (direct != from.byBus.end() ? direct->second : 0) + std::min(from.toSwitches, to.toSwitches);
}

GpuPath pathOf(int commonAncestor)
{
    switch (commonAncestor) {
    case 0:
        return GpuPath::Board;
    case 10:
        return GpuPath::Switch;
    case 20:
        return GpuPath::Switches;
    case 30:
        return GpuPath::HostBridge;
    case 40:
        return GpuPath::Node;
    case 50:
        return GpuPath::System;
    default:
        return GpuPath::Unknown;
    }
}

}  // namespace

GpuTopology readTopology(CallMeter &meter, const Functions &functions, const std::vector<TopologyGpu> &gpus,
                         const std::string &root)
{
    GpuTopology topology;
    if (gpus.size() < 2)
        return topology;
    std::vector<Links> links;
    for (const TopologyGpu &gpu : gpus)
        links.push_back(readLinks(meter, functions, gpu.handle));
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        for (std::size_t b = a + 1; b < gpus.size(); ++b) {
            if (const int nvlinks = linksBetween(links[a], links[b], gpus[b].pciBusId); nvlinks > 0) {
                topology.set(gpus[a].id, gpus[b].id, {GpuPath::NvLink, nvlinks});
                continue;
            }
            int level = -1;
            GpuPath path = functions.commonAncestor(meter, gpus[a].handle, gpus[b].handle, &level) == success
                               ? pathOf(level)
                               : GpuPath::Unknown;
            if (path == GpuPath::Unknown)
                path = pathInSysfs(root, gpus[a].pciBusId, gpus[b].pciBusId);
            if (path != GpuPath::Unknown)
                topology.set(gpus[a].id, gpus[b].id, {path, 0});
        }
    }
    return topology;
}

std::set<int> readNearCpus(CallMeter &meter, const Functions &functions, DeviceHandle handle,
                           const std::string &pciBusId, const std::string &root)
{
    std::array<unsigned long, affinityWords> words{};
    std::set<int> cpus;
    if (functions.cpuAffinity(meter, handle, static_cast<unsigned>(words.size()), words.data()) == success) {
        for (unsigned cpu = 0; cpu < words.size() * bitsOfWord; ++cpu) {
            if ((words[cpu / bitsOfWord] >> (cpu % bitsOfWord) & 1UL) != 0)
                cpus.insert(static_cast<int>(cpu));
        }
    }
    if (cpus.empty()) {
        const std::vector<int> near = cpusNearPciDevice(root, pciBusId);
        cpus.insert(near.begin(), near.end());
    }
    return cpus;
}

}  // namespace sweepscope::device::nvml
