// Newer functions: later versions of old functions, MIG, events, counters, GPM.
#include "symbols.h"

#include <cmath>

using namespace fakenvml;

namespace {

struct GpmSampleOfFake {
    const Gpu *gpu = nullptr;
};

}  // namespace

extern "C" {

struct FakeMemoryV2 {
    unsigned version;
    std::uint64_t total, reserved, free, used;
};
struct FakeTemperature {
    unsigned version, sensor;
    int celsius;
};
struct FakeFieldValue {
    unsigned field, scope;
    std::int64_t timestamp, latency;
    unsigned type;
    int code;
    std::uint64_t value;
};
struct FakeEventData {
    const void *device;
    std::uint64_t type, data;
    unsigned gpuInstance, computeInstance;
};
struct FakeGpmSupport {
    unsigned version, supported;
};
struct FakeGpmMetric {
    unsigned id;
    int code;
    double value;
    const char *names[3];
};
struct FakeGpmMetrics {
    unsigned version, count;
    GpmSampleOfFake *first, *second;
    FakeGpmMetric metrics[1];
};

int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    *version = 13010;
    return success;
}

int nvmlDeviceGetMemoryInfo_v2(const void *device, FakeMemoryV2 *memory)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    if (memory->version != (sizeof(FakeMemoryV2) | 2u << 24))
        return versionMismatch;
    if (gpu->memory == 0)
        return notSupported;
    memory->total = gpu->memory;
    memory->reserved = static_cast<std::uint64_t>(gpu->value("memory_reserved").value_or(0));
    memory->used = static_cast<std::uint64_t>(gpu->value("memory_used").value_or(0));
    memory->free = memory->total - memory->used - memory->reserved;
    return success;
}

int nvmlDeviceGetTemperatureV(const void *device, FakeTemperature *temperature)
{
    if (temperature->version != (sizeof(FakeTemperature) | 1u << 24))
        return versionMismatch;
    return answer(__func__, device, "temperature", &temperature->celsius);
}

int nvmlDeviceGetCurrentClocksEventReasons(const void *device, std::uint64_t *reasons)
{
    return answer(__func__, device, "throttle_reasons", reasons);
}

int nvmlDeviceGetComputeRunningProcesses_v3(const void *device, unsigned *count, void *records)
{
    return listProcesses(__func__, device, count, records, script()->processBytes);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(const void *device, unsigned *count, void *)
{
    if (const auto code = enter(__func__, gpuOf(device)))
        return *code;
    *count = 0;
    return success;
}

// Counters of bytes (PCIe) and KiB (NVLink) that grow at the scripted speed: each call adds the time since the last
// one.
int nvmlDeviceGetFieldValues(const void *device, int count, FakeFieldValue *values)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    for (int i = 0; i < count; ++i) {
        const char *quantity = values[i].field == 197   ? "pcie_tx"
                               : values[i].field == 198 ? "pcie_rx"
                               : values[i].field == 138 ? "nvlink_tx"
                               : values[i].field == 139 ? "nvlink_rx"
                                                        : "";
        const auto speed = gpu->value(quantity);
        values[i].code = speed ? success : notSupported;
        values[i].type = 3;
        const double unit = values[i].field < 190 ? 1024 : 1;
        values[i].value = speed ? static_cast<std::uint64_t>(1e9 + gpu->counters.rise(quantity, *speed) / unit) : 0;
    }
    return success;
}

int nvmlDeviceGetMigMode(const void *device, unsigned *current, unsigned *pending)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(__func__, gpu))
        return *code;
    *current = *pending = gpu->split ? 1 : 0;
    return success;
}

int nvmlDeviceGetMaxMigDeviceCount(const void *device, unsigned *count)
{
    *count = static_cast<unsigned>(gpuOf(device)->instances.size());
    return success;
}

int nvmlDeviceGetMigDeviceHandleByIndex(const void *device, unsigned index, const void **instance)
{
    const Gpu *gpu = gpuOf(device);
    if (index >= gpu->instances.size() || !gpu->instances[index])
        return notFound;
    *instance = gpu->instances[index].get();
    return success;
}

int nvmlDeviceGetGpuInstanceId(const void *device, unsigned *id)
{
    if (!gpuOf(device)->isMig)
        return notSupported;
    *id = gpuOf(device)->instance;
    return success;
}

int nvmlEventSetWait_v2(const void *, FakeEventData *event, unsigned)
{
    for (const auto &gpu : script()->gpus) {
        const std::size_t taken = gpu->xidsTaken.load(std::memory_order_relaxed);  // one thread takes them
        if (taken >= gpu->xids.size())
            continue;
        gpu->xidsTaken.store(taken + 1, std::memory_order_relaxed);
        *event = {gpu.get(), 8, gpu->xids[taken], ~0u, ~0u};
        return success;
    }
    return timedOut;
}

int nvmlGpmQueryDeviceSupport(const void *device, FakeGpmSupport *support)
{
    if (support->version != 1)
        return versionMismatch;
    const Gpu *gpu = gpuOf(device);
    const auto hasActivity = [](const Gpu &any) { return any.curves.count("sm_activity") != 0; };
    support->supported = hasActivity(*gpu) ? 1 : 0;
    for (const auto &instance : gpu->instances) {
        if (instance && hasActivity(*instance))
            support->supported = 1;
    }
    return success;
}

int nvmlGpmSampleAlloc(GpmSampleOfFake **sample)
{
    *sample = new GpmSampleOfFake;
    return success;
}

int nvmlGpmSampleFree(GpmSampleOfFake *sample)
{
    delete sample;
    return success;
}

int nvmlGpmSampleGet(const void *device, GpmSampleOfFake *sample)
{
    if (const auto code = enter(__func__, gpuOf(device)))
        return *code;
    if (gpuOf(device)->split)
        return notSupported;
    sample->gpu = gpuOf(device);
    return success;
}

int nvmlGpmMigSampleGet(const void *device, unsigned instance, GpmSampleOfFake *sample)
{
    for (const auto &part : gpuOf(device)->instances) {
        if (!part || part->instance != instance)
            continue;
        sample->gpu = part.get();
        return success;
    }
    return notFound;
}

int nvmlGpmMetricsGet(FakeGpmMetrics *metrics)
{
    if (metrics->version != 1)
        return versionMismatch;
    if (metrics->first == nullptr || metrics->second == nullptr || metrics->first->gpu != metrics->second->gpu)
        return invalidArgument;
    for (unsigned i = 0; i < metrics->count; ++i) {
        FakeGpmMetric *metric = metrics->metrics + i;
        const auto value = metrics->second->gpu->value(metric->id == 2    ? "sm_activity"
                                                       : metric->id == 10 ? "dram_activity"
                                                                          : "");
        metric->code = value ? success : notSupported;
        metric->value = value.value_or(std::nan(""));
    }
    return success;
}

}  // extern "C"
