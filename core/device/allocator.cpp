#include "device/allocator.h"

#include <algorithm>
#include <cstdint>

namespace sweepscope::device {

namespace {

std::string count(std::int64_t number, const std::string &singular)
{
    return std::to_string(number) + " " + singular + (number == 1 ? "" : "s");
}

std::string inUse(std::int64_t number)
{
    return std::to_string(number) + (number == 1 ? " is in use" : " are in use");
}

/// "4 GPUs (2 ranks with 2 each)"
std::string need(const Request &request, std::int64_t needed, const std::string &what)
{
    return count(needed, what) + " (" + count(request.ranks, "rank") + " with " + std::to_string(request.perRank)
           + " each)";
}

Allocation dealOut(const std::vector<std::string> &ids, const Request &request)
{
    Allocation allocation;
    auto next = ids.begin();
    for (int rank = 0; rank < request.ranks; ++rank) {
        allocation.perRank.emplace_back(next, next + request.perRank);
        next += request.perRank;
    }
    return allocation;
}

}  // namespace

std::vector<std::string> Allocation::all() const
{
    std::vector<std::string> ids;
    for (const auto &rank : perRank)
        ids.insert(ids.end(), rank.begin(), rank.end());
    return ids;
}

Allocator::Allocator(std::vector<Device> devices) : m_devices(std::move(devices)) {}

Expected<Allocation> Allocator::allocate(const std::string &holder, const Request &request)
{
    if (request.ranks < 1 || request.perRank < 1)
        return makeError(ErrorCode::BadInput, "a trial needs at least one rank (run.ranks) and one device per rank "
                                              "(devices.per_rank)");
    if (request.cpuSlots < 0)
        return makeError(ErrorCode::BadInput, "devices.cpu_slots cannot be negative; 0 means one per core");
    if (std::any_of(m_held.begin(), m_held.end(), [&](const Holding &held) { return held.holder == holder; }))
        return makeError(ErrorCode::AlreadyExists, holder + " has its devices already");

    const auto hasGpu = [](const Device &device) { return device.kind == Kind::Gpu; };
    const bool gpus =
        request.kind == sweep::DeviceKind::Gpu
        || (request.kind == sweep::DeviceKind::Auto && std::any_of(m_devices.begin(), m_devices.end(), hasGpu));
    auto ids = gpus ? chooseGpus(request) : chooseCpuSlots(request);
    if (!ids)
        return tl::unexpected(ids.error());
    Allocation allocation = dealOut(*ids, request);
    m_held.push_back({holder, std::move(*ids)});
    return allocation;
}

Expected<std::vector<std::string>> Allocator::chooseGpus(const Request &request) const
{
    const std::int64_t needed = std::int64_t{request.ranks} * request.perRank;
    std::int64_t total = 0;
    std::vector<std::string> free;
    for (const Device &device : m_devices) {
        if (device.kind != Kind::Gpu)
            continue;
        ++total;
        if (holders(device.id).empty())
            free.push_back(device.id);
    }
    if (needed > total)
        return makeError(ErrorCode::BadInput, "needs " + need(request, needed, "GPU") + ", but this machine has "
                                                  + (total == 0 ? "none" : std::to_string(total))
                                                  + ": lower run.ranks or devices.per_rank, or set devices.kind to "
                                                    "\"cpu\"");
    const auto available = static_cast<std::int64_t>(free.size());
    if (needed > available)
        return makeError(ErrorCode::Unavailable, "waits for " + std::to_string(needed) + " of " + count(total, "GPU")
                                                     + ": " + inUse(total - available));
    free.resize(static_cast<std::size_t>(needed));
    return free;
}

Expected<std::vector<std::string>> Allocator::chooseCpuSlots(const Request &request) const
{
    struct Core {
        const std::string *id;
        std::int64_t users;
    };
    std::vector<Core> cores;
    std::int64_t used = 0;
    for (const Device &device : m_devices) {
        if (device.kind != Kind::Cpu)
            continue;
        const auto users = static_cast<std::int64_t>(holders(device.id).size());
        cores.push_back({&device.id, users});
        used += users;
    }
    if (cores.empty())
        return makeError(ErrorCode::BadInput, "needs CPU cores, but none is known on this machine");

    const std::int64_t slots = request.cpuSlots > 0 ? request.cpuSlots : static_cast<std::int64_t>(cores.size());
    const std::int64_t needed = std::int64_t{request.ranks} * request.perRank;
    if (needed > slots)
        return makeError(ErrorCode::BadInput,
                         "needs " + need(request, needed, "CPU slot") + ", but there " + (slots == 1 ? "is " : "are ")
                             + std::to_string(slots)
                             + (request.cpuSlots > 0 ? " (devices.cpu_slots)" : " (one per core)")
                             + ": lower run.ranks or devices.per_rank, or raise devices.cpu_slots, so that ranks share "
                               "cores");
    if (needed > slots - used)
        return makeError(ErrorCode::Unavailable, "waits for " + std::to_string(needed) + " of "
                                                     + count(slots, "CPU slot") + ": " + inUse(used));

    // The least used core next, the first of equals: with more slots than cores this goes round and round.
    std::vector<std::string> chosen;
    for (std::int64_t slot = 0; slot < needed; ++slot) {
        const auto core = std::min_element(cores.begin(), cores.end(),
                                           [](const Core &a, const Core &b) { return a.users < b.users; });
        chosen.push_back(*core->id);
        ++core->users;
    }
    return chosen;
}

void Allocator::adopt(const std::string &holder, const std::vector<std::string> &deviceIds)
{
    m_held.push_back({holder, deviceIds});
}

void Allocator::release(const std::string &holder)
{
    std::erase_if(m_held, [&](const Holding &held) { return held.holder == holder; });
}

std::vector<std::string> Allocator::holders(const std::string &deviceId) const
{
    std::vector<std::string> found;
    for (const Holding &held : m_held) {
        const auto times = std::count(held.deviceIds.begin(), held.deviceIds.end(), deviceId);
        found.insert(found.end(), static_cast<std::size_t>(times), held.holder);
    }
    return found;
}

}  // namespace sweepscope::device
