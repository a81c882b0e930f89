#include "unit/schedule/sharedmachine.h"

#include <algorithm>
#include <tuple>

namespace sweepscope::schedule {

std::vector<const device::Device *> SharedMachine::gpus() const
{
    std::vector<const device::Device *> found;
    for (const device::Device &device : devices) {
        if (device.kind == device::Kind::Gpu)
            found.push_back(&device);
    }
    return found;
}

bool SharedMachine::wantsGpus(const SweepDemand &demand) const
{
    return demand.next.kind == sweep::DeviceKind::Gpu
           || (demand.next.kind == sweep::DeviceKind::Auto && !gpus().empty());
}

int SharedMachine::slotsOf(const SweepDemand &demand) const
{
    return demand.next.cpuSlots > 0 ? demand.next.cpuSlots : static_cast<int>(devices.size() - gpus().size());
}

bool SharedMachine::mayHave(const SweepDemand &demand, const device::Device &gpu)
{
    const auto names = [&gpu](const std::string &entry) {
        return entry == std::to_string(gpu.index) || (entry == "H200" && gpu.index % 2 == 0);
    };
    const auto &[pin, exclude] = std::tie(demand.next.gpus.pin, demand.next.gpus.exclude);
    return (pin.empty() || std::any_of(pin.begin(), pin.end(), names))
           && std::none_of(exclude.begin(), exclude.end(), names);
}

std::uint64_t SharedMachine::promise(const SweepDemand &demand, const device::Device &gpu)
{
    return demand.next.gpus.memoryBytes > 0 ? demand.next.gpus.memoryBytes
                                            : gpu.memoryBytes / static_cast<std::uint64_t>(demand.next.gpus.perGpu);
}

int SharedMachine::mostOn(const SweepDemand &demand, const device::Device &gpu)
{
    int most = demand.next.gpus.ranksShare ? demand.next.gpus.perGpu : 1;
    while (most > 0 && gpu.memoryBytes > 0 && promise(demand, gpu) * static_cast<std::uint64_t>(most) > gpu.memoryBytes)
        --most;
    return most;
}

SharedMachine::Load SharedMachine::loadOf(const Side &side, const device::Device &gpu) const
{
    Load load;
    for (const Running &running : side.running) {
        const std::vector<std::string> ids = running.start.devices.all();
        const auto ranks = static_cast<int>(std::count(ids.begin(), ids.end(), gpu.id));
        if (ranks == 0)
            continue;
        load.ranks += ranks;
        load.limit = std::min(load.limit, running.demand.next.gpus.perGpu);
        load.promised += promise(running.demand, gpu) * static_cast<std::uint64_t>(ranks);
    }
    return load;
}

int SharedMachine::slotsUsedBy(const Side &side) const
{
    int slots = 0;
    for (const Running &running : side.running)
        slots += wantsGpus(running.demand) ? 0 : static_cast<int>(running.start.devices.all().size());
    return slots;
}

const Side &SharedMachine::other(const Side &side) const
{
    return &side == &sides[0] ? sides[1] : sides[0];
}

GpuState SharedMachine::stateOf(const device::Device &gpu) const
{
    const auto found = states.find(gpu.id);
    return found != states.end() ? found->second : GpuState();
}

bool SharedMachine::isKeptFromSharing(const SweepDemand &demand, const device::Device &gpu) const
{
    const GpuState state = stateOf(gpu);
    return demand.next.gpus.foreign == sweep::ForeignPolicy::Avoid && state.foreign;
}

const SweepDemand &demandOf(const std::vector<SweepDemand> &demands, std::int64_t id)
{
    return *std::find_if(demands.begin(), demands.end(),
                         [id](const SweepDemand &demand) { return demand.sweepId == id; });
}

}  // namespace sweepscope::schedule
