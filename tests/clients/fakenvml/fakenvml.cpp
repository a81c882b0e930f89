// A small NVML for tests: two GPUs whose load rises and falls with the number of readings. It exports the symbols under
// their real, suffixed names. nvmlDeviceGetTemperatureV and nvmlDeviceGetMemoryInfo_v2 are missing, as in an older
// driver, and nvmlDeviceGetPowerUsage too, so that power is not known at all. FAKE_NVML_INIT makes nvmlInit_v2 answer
// that code; FAKE_NVML_LOST makes the second GPU fall off the bus.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int success = 0, invalidArgument = 2, notFound = 6, insufficientSize = 7, gpuIsLost = 15;
constexpr unsigned gpuCount = 2;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

struct FakeGpu {
    const char *name;
    const char *uuid;
    unsigned readings;
};
FakeGpu gpus[gpuCount] = {{"Fake H200", "GPU-00000000-1111-2222-3333-444444444444", 0},
                          {"Fake H200", "GPU-55555555-6666-7777-8888-999999999999", 0}};

FakeGpu *gpuOf(void *device)
{
    return static_cast<FakeGpu *>(device);
}

bool isLost(const FakeGpu *gpu)
{
    return gpu == &gpus[1] && std::getenv("FAKE_NVML_LOST") != nullptr;
}

int copy(const char *text, char *buffer, unsigned size)
{
    return std::snprintf(buffer, size, "%s", text) < static_cast<int>(size) ? success : insufficientSize;
}

}  // namespace

extern "C" {

struct FakeUtilization {
    unsigned gpu, memory;
};
struct FakeMemory {
    std::uint64_t total, free, used;
};

int nvmlInit_v2()
{
    const char *code = std::getenv("FAKE_NVML_INIT");
    return code != nullptr ? std::atoi(code) : success;
}

int nvmlShutdown()
{
    return success;
}

const char *nvmlErrorString(int code)
{
    return code == gpuIsLost ? "GPU is lost" : code == 999 ? "Unknown Error" : "some error";
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = gpuCount;
    return success;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    if (index >= gpuCount)
        return notFound;
    *device = &gpus[index];
    return success;
}

int nvmlDeviceGetName(void *device, char *name, unsigned size)
{
    return copy(gpuOf(device)->name, name, size);
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size)
{
    return copy(gpuOf(device)->uuid, uuid, size);
}

// 0, 10, … 100, 90, … 0: the second GPU half a period behind the first.
int nvmlDeviceGetUtilizationRates(void *device, FakeUtilization *utilization)
{
    FakeGpu *gpu = gpuOf(device);
    if (isLost(gpu))
        return gpuIsLost;
    const unsigned phase = (gpu->readings++ + (gpu == &gpus[1] ? 10 : 0)) % 20;
    utilization->gpu = 10 * (phase <= 10 ? phase : 20 - phase);
    utilization->memory = utilization->gpu / 2;
    return success;
}

int nvmlDeviceGetMemoryInfo(void *device, FakeMemory *memory)
{
    if (isLost(gpuOf(device)))
        return gpuIsLost;
    *memory = {141 * gibibyte, 140 * gibibyte, gibibyte};
    return success;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *megahertz)
{
    if (isLost(gpuOf(device)))
        return gpuIsLost;
    if (type != 1 && type != 2)
        return invalidArgument;
    *megahertz = type == 1 ? 1980 : 3201;
    return success;
}

int nvmlDeviceGetTemperature(void *device, int, unsigned *celsius)
{
    if (isLost(gpuOf(device)))
        return gpuIsLost;
    *celsius = 41;
    return success;
}

}  // extern "C"
