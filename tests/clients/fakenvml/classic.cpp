// Functions that drivers have had for many years, under their original names.
#include "symbols.h"

#include <algorithm>

using namespace fakenvml;

extern "C" {

struct FakeUtilization {
    unsigned gpu, memory;
};
struct FakeMemory {
    std::uint64_t total, free, used;
};
struct FakePciInfo {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char busId[32];
};

int nvmlSystemGetDriverVersion(char *buffer, unsigned size)
{
    return copyText(script()->driver, buffer, size);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, const void **device)
{
    for (const auto &gpu : script()->gpus) {
        if (gpu->uuid != uuid)
            continue;
        if (const auto code = enter(__func__, gpu.get()))
            return *code;
        *device = gpu.get();
        return gpu->open;
    }
    return notFound;
}

int nvmlDeviceGetName(const void *device, char *buffer, unsigned size)
{
    if (const auto code = enter(__func__, gpuOf(device)))
        return *code;
    return copyText(gpuOf(device)->name, buffer, size);
}

int nvmlDeviceGetPciInfo_v3(const void *device, FakePciInfo *info)
{
    if (const auto code = enter(__func__, gpuOf(device)))
        return *code;
    *info = {};
    const std::string &bus = gpuOf(device)->bus;
    std::snprintf(info->legacy, sizeof info->legacy, "%s", bus.size() > 4 ? bus.c_str() + 4 : "");
    return copyText(bus, info->busId, sizeof info->busId);
}

int nvmlDeviceGetUtilizationRates(const void *device, FakeUtilization *utilization)
{
    if (const int code = answer(__func__, device, "utilization", &utilization->gpu); code != success)
        return code;
    utilization->memory = static_cast<unsigned>(gpuOf(device)->value("memory_utilization").value_or(0));
    return success;
}

int nvmlDeviceGetMemoryInfo(const void *device, FakeMemory *memory)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (gpu->memory == 0)
        return notSupported;
    const auto reserved = static_cast<std::uint64_t>(gpu->value("memory_reserved").value_or(0));
    memory->total = gpu->memory;
    memory->used = static_cast<std::uint64_t>(gpu->value("memory_used").value_or(0)) + reserved;
    memory->free = memory->total - memory->used;
    return success;
}

int nvmlDeviceGetTemperature(const void *device, int sensor, unsigned *celsius)
{
    return sensor == 0 ? answer(__func__, device, "temperature", celsius) : invalidArgument;
}

int nvmlDeviceGetPowerUsage(const void *device, unsigned *milliwatt)
{
    return answer(__func__, device, "power", milliwatt, 1000);
}

int nvmlDeviceGetEnforcedPowerLimit(const void *device, unsigned *milliwatt)
{
    return answer(__func__, device, "power_limit", milliwatt, 1000);
}

int nvmlDeviceGetTotalEnergyConsumption(const void *device, std::uint64_t *millijoule)
{
    return answer(__func__, device, "energy", millijoule, 1000);
}

int nvmlDeviceGetClockInfo(const void *device, int type, unsigned *megahertz)
{
    return type == 1   ? answer(__func__, device, "sm_clock", megahertz)
           : type == 2 ? answer(__func__, device, "memory_clock", megahertz)
                       : invalidArgument;
}

int nvmlDeviceGetMaxClockInfo(const void *device, int type, unsigned *megahertz)
{
    return type == 1   ? answer(__func__, device, "sm_clock_max", megahertz)
           : type == 2 ? answer(__func__, device, "memory_clock_max", megahertz)
                       : invalidArgument;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(const void *device, std::uint64_t *reasons)
{
    return answer(__func__, device, "throttle_reasons", reasons);
}

int nvmlDeviceGetCurrPcieLinkGeneration(const void *device, unsigned *generation)
{
    return answer(__func__, device, "pcie_generation", generation);
}

int nvmlDeviceGetCurrPcieLinkWidth(const void *device, unsigned *width)
{
    return answer(__func__, device, "pcie_width", width);
}

int nvmlDeviceGetMaxPcieLinkGeneration(const void *device, unsigned *generation)
{
    return answer(__func__, device, "pcie_generation_max", generation);
}

int nvmlDeviceGetMaxPcieLinkWidth(const void *device, unsigned *width)
{
    return answer(__func__, device, "pcie_width_max", width);
}

int nvmlDeviceGetPcieThroughput(const void *device, int counter, unsigned *kilobytes)
{
    return answer(__func__, device, counter == 0 ? "pcie_tx" : "pcie_rx", kilobytes, 0.001);
}

int nvmlDeviceGetNvLinkState(const void *device, unsigned link, unsigned *state)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (gpu->nvlinks.empty())
        return notSupported;
    if (link >= gpu->nvlinks.size())
        return invalidArgument;
    *state = static_cast<unsigned>(gpu->nvlinks[link]);
    return success;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(const void *device, unsigned link, int *type)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (link >= gpu->nvlinkPeers.size())
        return notSupported;
    *type = gpu->nvlinkPeers[link] == "switch" ? 2 : 0;
    return success;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(const void *device, unsigned link, FakePciInfo *info)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (link >= gpu->nvlinkPeers.size())
        return notSupported;
    *info = {};
    for (const auto &other : script()->gpus) {
        if (other->uuid == gpu->nvlinkPeers[link])
            return copyText(other->bus, info->busId, sizeof info->busId);
    }
    return notFound;
}

int nvmlDeviceGetTopologyCommonAncestor(const void *one, const void *other, int *level)
{
    if (const auto code = enter(__func__, gpuOf(one)))
        return *code;
    const auto found = script()->ancestors.find({gpuOf(one)->uuid, gpuOf(other)->uuid});
    if (found == script()->ancestors.end())
        return notSupported;
    *level = found->second;
    return success;
}

int nvmlDeviceGetCpuAffinity(const void *device, unsigned words, unsigned long *mask)
{
    constexpr unsigned bits = 8 * sizeof(unsigned long);
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (!gpu->cpus)
        return notSupported;
    std::fill(mask, mask + words, 0UL);
    for (const int cpu : *gpu->cpus) {
        const auto number = static_cast<unsigned>(cpu);
        if (number < words * bits)
            mask[number / bits] |= 1UL << number % bits;
    }
    return success;
}

int nvmlDeviceGetTotalEccErrors(const void *device, int type, int, std::uint64_t *errors)
{
    return answer(__func__, device, type == 0 ? "ecc_corrected" : "ecc_uncorrected", errors);
}

int nvmlDeviceGetComputeRunningProcesses(const void *device, unsigned *count, void *records)
{
    return listProcesses(__func__, device, count, records, 16);
}

int nvmlEventSetCreate(const void **set)
{
    *set = script();
    return success;
}

int nvmlEventSetFree(const void *)
{
    return success;
}

int nvmlDeviceRegisterEvents(const void *device, std::uint64_t, const void *)
{
    return enter(__func__, gpuOf(device)).value_or(success);
}

}  // extern "C"
