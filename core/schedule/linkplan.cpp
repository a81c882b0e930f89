#include "schedule/linkplan.h"

#include "device/linkbandwidth.h"

#include <algorithm>
#include <set>

namespace sweepscope::schedule {

namespace {

using device::Device;
using device::GpuLink;
using device::GpuPath;

std::string nameOf(const GpuLink &link, const Device &a, const Device &b)
{
    if (link.path == GpuPath::NvLink)
        return "NVLink (" + std::to_string(link.nvlinks) + (link.nvlinks == 1 ? " link)" : " links)");
    std::string name = "PCIe";
    const int generation = std::min(a.pcieGeneration, b.pcieGeneration);
    const int lanes = std::min(a.pcieLanes, b.pcieLanes);
    if (generation > 0 && lanes > 0)
        name += " " + std::to_string(generation) + " x" + std::to_string(lanes);
    return link.path == GpuPath::Unknown ? name : name + " (" + device::shortName(link) + ")";
}

}  // namespace

std::optional<sweep::LinkTest> plannedLinkTest(const std::vector<std::vector<std::string>> &perRank,
                                               const std::vector<Device> &devices, const device::GpuTopology &topology)
{
    std::vector<const Device *> first;
    std::set<std::string> different;
    for (const std::vector<std::string> &ids : perRank) {
        const auto found = ids.empty() ? devices.end() : std::ranges::find(devices, ids.front(), &Device::id);
        if (found == devices.end() || found->kind != device::Kind::Gpu || !found->parentId.empty()
            || !different.insert(found->id).second)
            return std::nullopt;
        first.push_back(&*found);
    }
    if (first.size() < 2)
        return std::nullopt;
    sweep::LinkTest test;
    for (const Device *gpu : first) {
        test.gpus.push_back({gpu->id, (gpu->simulated ? "simulated GPU " : "GPU ") + std::to_string(gpu->index)});
        test.simulated = test.simulated || gpu->simulated;
    }
    for (std::size_t a = 0; a < first.size(); ++a) {
        for (std::size_t b = a + 1; b < first.size(); ++b) {
            const GpuLink link = topology.between(first[a]->id, first[b]->id);
            test.pairs.push_back({static_cast<int>(a), static_cast<int>(b), nameOf(link, *first[a], *first[b]),
                                  device::bandwidthOf(link, *first[a], *first[b])});
        }
    }
    return test;
}

}  // namespace sweepscope::schedule
