#include "sweep/gpulists.h"

#include <algorithm>
#include <string>

namespace sweepscope::sweep {

namespace {

bool names(const std::vector<std::string> &list, const GpuIdentity &gpu)
{
    return std::any_of(list.begin(), list.end(), [&gpu](const std::string &entry) { return namesGpu(entry, gpu); });
}

void add(std::vector<std::string> &list, const GpuIdentity &gpu)
{
    if (!names(list, gpu))
        list.push_back(gpu.id);
}

void remove(std::vector<std::string> &list, const GpuIdentity &gpu, const std::vector<GpuIdentity> &machine)
{
    std::vector<const GpuIdentity *> stay;
    for (const GpuIdentity &other : machine) {
        if (other.id != gpu.id && names(list, other))
            stay.push_back(&other);
    }
    std::erase_if(list, [&gpu](const std::string &entry) { return namesGpu(entry, gpu); });
    for (const GpuIdentity *other : stay)
        add(list, *other);
}

}  // namespace

GpuRule gpuRule(const DevicesSection &devices, const GpuIdentity &gpu)
{
    if (names(devices.exclude, gpu))
        return GpuRule::Excluded;
    if (devices.pin.empty())
        return GpuRule::None;
    return names(devices.pin, gpu) ? GpuRule::Pinned : GpuRule::NotPinned;
}

DevicesSection withChange(DevicesSection devices, GpuListChange change, const GpuIdentity &gpu,
                          const std::vector<GpuIdentity> &machine)
{
    switch (change) {
    case GpuListChange::Exclude:
        add(devices.exclude, gpu);
        break;
    case GpuListChange::Include:
        remove(devices.exclude, gpu, machine);
        break;
    case GpuListChange::Pin:
        add(devices.pin, gpu);
        remove(devices.exclude, gpu, machine);
        break;
    case GpuListChange::Unpin:
        remove(devices.pin, gpu, machine);
        break;
    }
    return devices;
}

DevicesSection withOnly(DevicesSection devices, const std::vector<GpuIdentity> &chosen,
                        const std::vector<GpuIdentity> &machine)
{
    devices.pin.clear();
    devices.exclude.clear();
    if (chosen.size() < machine.size()) {
        for (const GpuIdentity &gpu : chosen)
            devices.pin.push_back(gpu.id);
    }
    return devices;
}

}  // namespace sweepscope::sweep
