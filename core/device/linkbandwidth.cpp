#include "device/linkbandwidth.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sweepscope::device {

namespace {

constexpr double giga = 1e9;

struct NamedBandwidth {
    std::string_view name;  ///< a part of the GPU's name
    double bandwidth;
};

}  // namespace

double nvlinkBandwidth(const std::string &gpuName)
{
    static constexpr std::array<NamedBandwidth, 4> others{
        {{"P100", 20 * giga}, {"B100", 50 * giga}, {"B200", 50 * giga}, {"B300", 50 * giga}}};
    for (const auto &[name, bandwidth] : others) {
        if (gpuName.find(name) != std::string::npos)
            return bandwidth;
    }
    return 25 * giga;
}

std::optional<double> pcieBandwidth(int generation, int lanes)
{
    static constexpr std::array<double, 6> perLane{2.5 * 8 / 10 / 8,     5.0 * 8 / 10 / 8,     8.0 * 128 / 130 / 8,
                                                   16.0 * 128 / 130 / 8, 32.0 * 128 / 130 / 8, 64.0 * 242 / 256 / 8};
    if (generation < 1 || static_cast<std::size_t>(generation) > perLane.size() || lanes < 1)
        return std::nullopt;
    return perLane[static_cast<std::size_t>(generation) - 1] * lanes * giga;
}

std::optional<double> bandwidthOf(const GpuLink &link, const Device &a, const Device &b)
{
    if (link.path == GpuPath::NvLink)
        return std::min(nvlinkBandwidth(a.name), nvlinkBandwidth(b.name)) * link.nvlinks;
    if (link.path == GpuPath::Unknown)
        return std::nullopt;
    const auto own = [](const Device &gpu) { return pcieBandwidth(gpu.pcieGeneration, gpu.pcieLanes); };
    return own(a) && own(b) ? std::optional(std::min(*own(a), *own(b))) : std::nullopt;
}

}  // namespace sweepscope::device
