#pragma once

#include "base/error.h"
#include "device/callmeter.h"
#include "device/nvmltypes.h"

#include <array>
#include <string>

namespace sweepscope::device::nvml {

/// A function under the name by which the library has it; null in an older or newer driver that does not.
template <typename Type>
struct Function {
    Type *pointer = nullptr;
    const char *name = "";

    explicit operator bool() const { return pointer != nullptr; }
    /// The answer, or errorFunctionNotFound where there is no such function.
    template <typename... Arguments>
    Return operator()(CallMeter &meter, Arguments... arguments) const
    {
        return pointer != nullptr ? meter.call(name, pointer, arguments...) : errorFunctionNotFound;
    }
};

/// Lists the processes on a device; errorInsufficientSize and the needed number if the array is too short. The size of
/// a record differs between drivers and is not documented; see nvmlprocesses.h.
using ListProcesses = Return(DeviceHandle, unsigned *, void *);

/// A function of which each driver has another newest version.
using ListProcessesVersions = std::array<Function<ListProcesses>, 3>;

/// The symbols, under their real, suffixed names. Those before `shutdown` and itself are required.
struct Functions {
    Function<Return()> init;
    Function<Return(unsigned *)> count;
    Function<Return(unsigned, DeviceHandle *)> handleByIndex;
    Function<Return(DeviceHandle, char *, unsigned)> uuid;
    Function<Return()> shutdown;

    Function<const char *(Return)> errorString;
    Function<Return(char *, unsigned)> driverVersion;
    Function<Return(char *, unsigned)> nvmlVersion;
    Function<Return(int *)> cudaVersion;

    Function<Return(const char *, DeviceHandle *)> handleByUuid;
    Function<Return(DeviceHandle, char *, unsigned)> deviceName;
    Function<Return(DeviceHandle, PciInfo *)> pciInfoV3;
    Function<Return(DeviceHandle, PciInfo *)> pciInfo;
    Function<Return(DeviceHandle, Utilization *)> utilization;
    Function<Return(DeviceHandle, MemoryV2 *)> memoryV2;
    Function<Return(DeviceHandle, Memory *)> memory;
    Function<Return(DeviceHandle, TemperatureV1 *)> temperatureV;
    Function<Return(DeviceHandle, int, unsigned *)> temperature;
    Function<Return(DeviceHandle, unsigned *)> power;        ///< mW
    Function<Return(DeviceHandle, unsigned *)> powerLimit;   ///< mW
    Function<Return(DeviceHandle, std::uint64_t *)> energy;  ///< mJ since the driver was loaded; Volta and newer
    Function<Return(DeviceHandle, int, unsigned *)> clock;
    Function<Return(DeviceHandle, int, unsigned *)> maxClock;
    Function<Return(DeviceHandle, std::uint64_t *)> throttleReasons;
    Function<Return(DeviceHandle, unsigned *)> pcieGeneration;
    Function<Return(DeviceHandle, unsigned *)> pcieWidth;
    Function<Return(DeviceHandle, unsigned *)> pcieGenerationMax;
    Function<Return(DeviceHandle, unsigned *)> pcieWidthMax;
    Function<Return(DeviceHandle, int, unsigned *)> pcieThroughput;  ///< KB/s; counts for 20 ms
    Function<Return(DeviceHandle, int, FieldValue *)> fieldValues;
    Function<Return(DeviceHandle, unsigned, unsigned *)> nvlinkState;
    Function<Return(DeviceHandle, unsigned, int *)> nvlinkRemoteType;
    Function<Return(DeviceHandle, unsigned, PciInfo *)> nvlinkRemotePci;
    Function<Return(DeviceHandle, DeviceHandle, int *)> commonAncestor;
    Function<Return(DeviceHandle, unsigned, unsigned long *)> cpuAffinity;
    Function<Return(DeviceHandle, int, int, std::uint64_t *)> eccErrors;
    ListProcessesVersions computeProcesses;  ///< newest first
    ListProcessesVersions graphicsProcesses;
    ListProcessesVersions mpsProcesses;

    Function<Return(DeviceHandle, unsigned *, unsigned *)> migMode;
    Function<Return(DeviceHandle, unsigned *)> migCount;
    Function<Return(DeviceHandle, unsigned, DeviceHandle *)> migHandle;
    Function<Return(DeviceHandle, unsigned *)> gpuInstanceId;

    Function<Return(EventSet *)> eventSetCreate;
    Function<Return(EventSet)> eventSetFree;
    Function<Return(DeviceHandle, std::uint64_t, EventSet)> registerEvents;
    Function<Return(EventSet, EventData *, unsigned)> eventSetWait;

    Function<Return(DeviceHandle, GpmSupport *)> gpmSupport;
    Function<Return(GpmSample *)> gpmAllocate;
    Function<Return(GpmSample)> gpmFree;
    Function<Return(DeviceHandle, GpmSample)> gpmSample;
    Function<Return(DeviceHandle, unsigned, GpmSample)> gpmMigSample;
    Function<Return(GpmMetrics *)> gpmMetrics;
};

/// The library, loaded and initialised, for as long as this lives.
class Library {
public:
    /// `path` empty: the driver's libnvidia-ml.so.1. Unavailable, with the reason in words, when it is not there, is
    /// only the toolkit's stub, lacks a required symbol or cannot be initialised.
    static Expected<Library> load(const std::string &path, CallMeter &meter);

    Library(Library &&other) noexcept;
    Library &operator=(Library &&) = delete;
    ~Library();

    const Functions &functions() const { return m_functions; }
    /// The library's own words for a return code.
    std::string describe(Return code) const;

private:
    Library() = default;
    void lookUpFunctions();

    void *m_handle = nullptr;
    bool m_initialised = false;
    Functions m_functions;
};

}  // namespace sweepscope::device::nvml
