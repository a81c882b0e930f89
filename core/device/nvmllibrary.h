#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>

/// NVML as we use it. Its header is not needed to build: the few structures and numbers are declared here, as the
/// NVML reference manual (docs.nvidia.com/deploy/nvml-api) lays them out.
namespace sweepscope::device::nvml {

using Return = int;
using DeviceHandle = struct OpaqueDevice *;

inline constexpr Return success = 0;
inline constexpr Return errorNoPermission = 4;
inline constexpr Return errorDriverNotLoaded = 9;
inline constexpr Return errorFunctionNotFound = 13;
inline constexpr Return errorGpuIsLost = 15;
inline constexpr Return errorVersionMismatch = 18;

inline constexpr unsigned nameBytes = 96;
inline constexpr int temperatureGpu = 0;
inline constexpr int clockSm = 1;
inline constexpr int clockMemory = 2;

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
static_assert(sizeof(MemoryV2) == 40);
/// Versioned structures say their own size and version: sizeof | version << 24.
inline constexpr std::uint32_t memoryV2Version = 40u | 2u << 24;

struct TemperatureV1 {
    std::uint32_t version;
    std::uint32_t sensor;
    std::int32_t celsius;
};
static_assert(sizeof(TemperatureV1) == 12);
inline constexpr std::uint32_t temperatureV1Version = 12u | 1u << 24;

/// The symbols, under their real, suffixed names. Those before `errorString` are required; each of the others may be
/// null in an older or newer driver, and then its field is not known.
struct Functions {
    Return (*init)() = nullptr;
    Return (*shutdown)() = nullptr;
    Return (*count)(unsigned *) = nullptr;
    Return (*handleByIndex)(unsigned, DeviceHandle *) = nullptr;
    Return (*name)(DeviceHandle, char *, unsigned) = nullptr;
    Return (*uuid)(DeviceHandle, char *, unsigned) = nullptr;

    const char *(*errorString)(Return) = nullptr;
    Return (*utilization)(DeviceHandle, Utilization *) = nullptr;
    Return (*memoryV2)(DeviceHandle, MemoryV2 *) = nullptr;
    Return (*memory)(DeviceHandle, Memory *) = nullptr;
    Return (*clock)(DeviceHandle, int, unsigned *) = nullptr;
    Return (*power)(DeviceHandle, unsigned *milliwatt) = nullptr;
    Return (*temperatureV)(DeviceHandle, TemperatureV1 *) = nullptr;
    Return (*temperature)(DeviceHandle, int, unsigned *) = nullptr;
    Return (*migMode)(DeviceHandle, unsigned *current, unsigned *pending) = nullptr;
};

/// The library, loaded and initialised, for as long as this lives.
class Library {
public:
    /// `path` empty: the driver's libnvidia-ml.so.1. Unavailable, with the reason in words, when it is not there, is
    /// only the toolkit's stub, lacks a required symbol or cannot be initialised.
    static Expected<Library> load(const std::string &path);

    Library(Library &&other) noexcept;
    Library &operator=(Library &&other) noexcept;
    ~Library();

    const Functions &functions() const { return m_functions; }
    /// The library's own words for a return code.
    std::string describe(Return code) const;

private:
    Library() = default;
    void close() noexcept;

    void *m_handle = nullptr;
    bool m_initialised = false;
    Functions m_functions;
};

}  // namespace sweepscope::device::nvml
