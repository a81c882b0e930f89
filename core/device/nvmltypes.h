#pragma once

#include <cstddef>
#include <cstdint>

/// NVML's types and numbers as we use them. Its header is not needed to build: the few structures are declared here, as
/// the NVML reference manual (docs.nvidia.com/deploy/nvml-api) lays them out.
namespace sweepscope::device::nvml {

using Return = int;
using DeviceHandle = struct OpaqueDevice *;
using EventSet = struct OpaqueEventSet *;
using GpmSample = struct OpaqueGpmSample *;

inline constexpr Return success = 0;
inline constexpr Return errorInvalidArgument = 2;
inline constexpr Return errorNotSupported = 3;
inline constexpr Return errorNoPermission = 4;
inline constexpr Return errorNotFound = 6;
inline constexpr Return errorInsufficientSize = 7;
inline constexpr Return errorDriverNotLoaded = 9;
inline constexpr Return errorTimeout = 10;
inline constexpr Return errorFunctionNotFound = 13;
inline constexpr Return errorGpuIsLost = 15;
inline constexpr Return errorResetRequired = 16;
inline constexpr Return errorOperatingSystem = 17;
inline constexpr Return errorVersionMismatch = 18;
inline constexpr Return errorNoData = 21;
inline constexpr Return errorArgumentVersion = 25;
inline constexpr Return errorDeprecated = 26;
inline constexpr Return errorUnknown = 999;

/// NVML_VALUE_NOT_AVAILABLE: the function succeeded, but the value is unknown.
inline constexpr std::uint32_t notAvailable32 = 0xFFFFFFFF;
inline constexpr std::uint64_t notAvailable64 = 0xFFFFFFFFFFFFFFFF;

inline constexpr unsigned textBytes = 96;  ///< names, UUIDs, versions
inline constexpr int temperatureGpu = 0;
inline constexpr int clockSm = 1;
inline constexpr int clockMemory = 2;
inline constexpr int pcieTx = 0;
inline constexpr int pcieRx = 1;
inline constexpr int eccCorrected = 0;
inline constexpr int eccUncorrected = 1;
inline constexpr int eccSinceLoaded = 0;
inline constexpr unsigned mostNvlinks = 64;  ///< there are 36 today
inline constexpr std::uint64_t eventXid = 0x8;

/// Versioned structures say their own size and version.
template <typename Struct>
constexpr std::uint32_t versionOf(unsigned version)
{
    return static_cast<std::uint32_t>(sizeof(Struct)) | version << 24;
}

struct Utilization {
    unsigned gpu;
    unsigned memory;
};
static_assert(sizeof(Utilization) == 8);

struct Memory {
    std::uint64_t total, free, used;  ///< used includes what the driver reserves
};
static_assert(sizeof(Memory) == 24);

struct MemoryV2 {
    std::uint32_t version;
    std::uint64_t total, reserved, free, used;
};
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, total) == 8);

struct TemperatureV1 {
    std::uint32_t version;
    std::uint32_t sensor;
    std::int32_t celsius;
};
static_assert(sizeof(TemperatureV1) == 12);

/// Before _v3 the last field was something else.
struct PciInfo {
    char busIdLegacy[16];
    std::uint32_t domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, busId) == 36);

struct FieldValue {
    std::uint32_t field;
    std::uint32_t scope;
    std::int64_t timestamp;
    std::int64_t latency;
    std::uint32_t type;
    Return code;
    union {
        double f64;
        std::uint32_t u32;
        std::uint64_t u64;
        std::int64_t s64;
        std::int32_t s32;
        std::uint16_t u16;
    } value;
};
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, code) == 28 && offsetof(FieldValue, value) == 32);
inline constexpr std::uint32_t fieldNvlinkTx = 138, fieldNvlinkRx = 139;  ///< KiB so far
inline constexpr std::uint32_t fieldPcieTx = 197, fieldPcieRx = 198;      ///< bytes so far, may begin again at 0
inline constexpr std::uint32_t allLinks = 0xFFFFFFFF;

struct EventData {
    DeviceHandle device;
    std::uint64_t type;
    std::uint64_t data;
    std::uint32_t gpuInstance, computeInstance;
};
static_assert(sizeof(EventData) == 32);

struct GpmSupport {
    std::uint32_t version;
    std::uint32_t isSupported;
};
static_assert(sizeof(GpmSupport) == 8);

struct GpmMetric {
    std::uint32_t id;
    Return code;
    double value;
    const char *shortName, *longName, *unit;
};
static_assert(sizeof(GpmMetric) == 40);

/// The header declares an array of as many metrics as it knows (98 at first, hundreds later) under one version; we keep
/// room for all of them.
struct GpmMetrics {
    std::uint32_t version;
    std::uint32_t count;
    GpmSample first, second;
    GpmMetric metrics[512];
};
static_assert(offsetof(GpmMetrics, metrics) == 24);
inline constexpr std::uint32_t gpmVersion = 1;
inline constexpr std::uint32_t gpmSmUtilization = 2, gpmDramBandwidth = 10;

}  // namespace sweepscope::device::nvml
