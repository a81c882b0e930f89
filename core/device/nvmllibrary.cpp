#include "device/nvmllibrary.h"

#include <dlfcn.h>
#include <filesystem>
#include <initializer_list>
#include <link.h>
#include <system_error>
#include <utility>

namespace sweepscope::device::nvml {

namespace {

constexpr const char *driverLibrary = "libnvidia-ml.so.1";
/// Under WSL the driver is here and must win over a CUDA toolkit's stub.
constexpr const char *wslLibrary = "/usr/lib/wsl/lib/libnvidia-ml.so.1";

/// The first of `names` that the library has: newest suffix first.
template <typename Type>
void lookUp(void *handle, Function<Type> &function, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        if (void *symbol = ::dlsym(handle, name)) {
            function = {reinterpret_cast<Type *>(symbol), name};
            return;
        }
    }
}

void lookUp(void *handle, ListProcessesVersions &versions, const std::array<const char *, 3> &names)
{
    for (std::size_t i = 0; i < versions.size(); ++i)
        lookUp(handle, versions[i], {names[i]});
}

bool isStub(void *handle)
{
    link_map *map = nullptr;
    return ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr
           && std::string(map->l_name).find("/stubs/") != std::string::npos;
}

std::string lastDlError()
{
    const char *text = ::dlerror();
    return text != nullptr ? text : "unknown reason";
}

}  // namespace

Expected<Library> Library::load(const std::string &path, CallMeter &meter)
{
    Library library;
    if (!path.empty()) {
        library.m_handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (library.m_handle == nullptr)
            return makeError(ErrorCode::Unavailable, "SWEEPSCOPE_NVML cannot be loaded: " + lastDlError());
    } else {
        std::error_code error;
        if (std::filesystem::exists(wslLibrary, error))
            library.m_handle = ::dlopen(wslLibrary, RTLD_LAZY | RTLD_LOCAL);
        if (library.m_handle == nullptr)
            library.m_handle = ::dlopen(driverLibrary, RTLD_LAZY | RTLD_LOCAL);
        if (library.m_handle == nullptr)
            return makeError(ErrorCode::Unavailable,
                             "no NVIDIA driver is installed (" + std::string(driverLibrary) + " was not found)");
        if (isStub(library.m_handle))
            return makeError(ErrorCode::Unavailable, "no NVIDIA driver is installed: only the CUDA toolkit's stub of "
                                                         + std::string(driverLibrary) + " was found");
    }

    library.lookUpFunctions();
    const Functions &f = library.m_functions;
    if (!f.init || !f.shutdown || !f.count || !f.handleByIndex || !f.uuid)
        return makeError(ErrorCode::Unavailable, "the NVIDIA driver is too old: its " + std::string(driverLibrary)
                                                     + " lacks functions that GPU monitoring needs");

    const Return code = f.init(meter);
    if (code == errorVersionMismatch)
        return makeError(ErrorCode::Unavailable,
                         "the NVIDIA driver was updated while it was running (kernel module and "
                         "library differ): restart this machine, or load its module again");
    if (code == errorNoPermission)
        return makeError(ErrorCode::Unavailable,
                         "this user may not use the NVIDIA driver (no permission for /dev/nvidiactl); ask your "
                         "administrator");
    if (code == errorDriverNotLoaded)
        return makeError(ErrorCode::Unavailable,
                         "the NVIDIA driver is installed but not loaded: there is no GPU, or its "
                         "kernel module could not start");
    if (code != success)
        return makeError(ErrorCode::Unavailable, "the NVIDIA driver does not start: " + library.describe(code));
    library.m_initialised = true;
    return library;
}

void Library::lookUpFunctions()
{
    void *handle = m_handle;
    Functions &f = m_functions;
    lookUp(handle, f.init, {"nvmlInit_v2", "nvmlInit"});
    lookUp(handle, f.count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
    lookUp(handle, f.handleByIndex, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
    lookUp(handle, f.uuid, {"nvmlDeviceGetUUID"});
    lookUp(handle, f.shutdown, {"nvmlShutdown"});
    lookUp(handle, f.errorString, {"nvmlErrorString"});
    lookUp(handle, f.driverVersion, {"nvmlSystemGetDriverVersion"});
    lookUp(handle, f.nvmlVersion, {"nvmlSystemGetNVMLVersion"});
    lookUp(handle, f.cudaVersion, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    lookUp(handle, f.handleByUuid, {"nvmlDeviceGetHandleByUUID"});
    lookUp(handle, f.deviceName, {"nvmlDeviceGetName"});
    lookUp(handle, f.pciInfoV3, {"nvmlDeviceGetPciInfo_v3"});
    lookUp(handle, f.pciInfo, {"nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"});
    lookUp(handle, f.utilization, {"nvmlDeviceGetUtilizationRates"});
    lookUp(handle, f.memoryV2, {"nvmlDeviceGetMemoryInfo_v2"});
    lookUp(handle, f.memory, {"nvmlDeviceGetMemoryInfo"});
    lookUp(handle, f.temperatureV, {"nvmlDeviceGetTemperatureV"});
    lookUp(handle, f.temperature, {"nvmlDeviceGetTemperature"});
    lookUp(handle, f.power, {"nvmlDeviceGetPowerUsage"});
    lookUp(handle, f.powerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
    lookUp(handle, f.energy, {"nvmlDeviceGetTotalEnergyConsumption"});
    lookUp(handle, f.clock, {"nvmlDeviceGetClockInfo"});
    lookUp(handle, f.maxClock, {"nvmlDeviceGetMaxClockInfo"});
    lookUp(handle, f.throttleReasons,
           {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    lookUp(handle, f.pcieGeneration, {"nvmlDeviceGetCurrPcieLinkGeneration"});
    lookUp(handle, f.pcieWidth, {"nvmlDeviceGetCurrPcieLinkWidth"});
    lookUp(handle, f.pcieGenerationMax, {"nvmlDeviceGetMaxPcieLinkGeneration"});
    lookUp(handle, f.pcieWidthMax, {"nvmlDeviceGetMaxPcieLinkWidth"});
    lookUp(handle, f.pcieThroughput, {"nvmlDeviceGetPcieThroughput"});
    lookUp(handle, f.fieldValues, {"nvmlDeviceGetFieldValues"});
    lookUp(handle, f.nvlinkState, {"nvmlDeviceGetNvLinkState"});
    lookUp(handle, f.nvlinkRemoteType, {"nvmlDeviceGetNvLinkRemoteDeviceType"});
    lookUp(handle, f.nvlinkRemotePci, {"nvmlDeviceGetNvLinkRemotePciInfo_v2"});
    lookUp(handle, f.commonAncestor, {"nvmlDeviceGetTopologyCommonAncestor"});
    lookUp(handle, f.cpuAffinity, {"nvmlDeviceGetCpuAffinity"});
    lookUp(handle, f.eccErrors, {"nvmlDeviceGetTotalEccErrors"});
    lookUp(handle, f.computeProcesses,
           {{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
             "nvmlDeviceGetComputeRunningProcesses"}});
    lookUp(handle, f.graphicsProcesses,
           {{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2",
             "nvmlDeviceGetGraphicsRunningProcesses"}});
    lookUp(handle, f.mpsProcesses,
           {{"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
             "nvmlDeviceGetMPSComputeRunningProcesses"}});
    lookUp(handle, f.migMode, {"nvmlDeviceGetMigMode"});
    lookUp(handle, f.migCount, {"nvmlDeviceGetMaxMigDeviceCount"});
    lookUp(handle, f.migHandle, {"nvmlDeviceGetMigDeviceHandleByIndex"});
    lookUp(handle, f.gpuInstanceId, {"nvmlDeviceGetGpuInstanceId"});
    lookUp(handle, f.eventSetCreate, {"nvmlEventSetCreate"});
    lookUp(handle, f.eventSetFree, {"nvmlEventSetFree"});
    lookUp(handle, f.registerEvents, {"nvmlDeviceRegisterEvents"});
    lookUp(handle, f.eventSetWait, {"nvmlEventSetWait_v2", "nvmlEventSetWait"});
    lookUp(handle, f.gpmSupport, {"nvmlGpmQueryDeviceSupport"});
    lookUp(handle, f.gpmAllocate, {"nvmlGpmSampleAlloc"});
    lookUp(handle, f.gpmFree, {"nvmlGpmSampleFree"});
    lookUp(handle, f.gpmSample, {"nvmlGpmSampleGet"});
    lookUp(handle, f.gpmMigSample, {"nvmlGpmMigSampleGet"});
    lookUp(handle, f.gpmMetrics, {"nvmlGpmMetricsGet"});
}

Library::Library(Library &&other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr)),
      m_initialised(std::exchange(other.m_initialised, false)),
      m_functions(other.m_functions)
{}

Library::~Library()
{
    if (m_initialised)
        m_functions.shutdown.pointer();
    if (m_handle != nullptr)
        ::dlclose(m_handle);
}

std::string Library::describe(Return code) const
{
    const char *text = m_functions.errorString ? m_functions.errorString.pointer(code) : nullptr;
    return (text != nullptr ? std::string(text) : std::string("NVML error")) + " (" + std::to_string(code) + ")";
}

}  // namespace sweepscope::device::nvml
