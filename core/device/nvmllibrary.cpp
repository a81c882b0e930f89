#include "device/nvmllibrary.h"

#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <system_error>
#include <utility>
#include <vector>

namespace sweepscope::device::nvml {

namespace {

constexpr const char *driverLibrary = "libnvidia-ml.so.1";
/// Under WSL the driver is here and must win over a CUDA toolkit's stub.
constexpr const char *wslLibrary = "/usr/lib/wsl/lib/libnvidia-ml.so.1";

/// The first of `names` that the library has: newest suffix first.
template <typename Function>
void lookUp(void *handle, Function &function, const std::vector<const char *> &names)
{
    for (const char *name : names) {
        if (void *symbol = ::dlsym(handle, name)) {
            function = reinterpret_cast<Function>(symbol);
            return;
        }
    }
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

Expected<Library> Library::load(const std::string &path)
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

    void *handle = library.m_handle;
    Functions &f = library.m_functions;
    lookUp(handle, f.init, {"nvmlInit_v2"});
    lookUp(handle, f.shutdown, {"nvmlShutdown"});
    lookUp(handle, f.count, {"nvmlDeviceGetCount_v2"});
    lookUp(handle, f.handleByIndex, {"nvmlDeviceGetHandleByIndex_v2"});
    lookUp(handle, f.name, {"nvmlDeviceGetName"});
    lookUp(handle, f.uuid, {"nvmlDeviceGetUUID"});
    lookUp(handle, f.errorString, {"nvmlErrorString"});
    lookUp(handle, f.utilization, {"nvmlDeviceGetUtilizationRates"});
    lookUp(handle, f.memoryV2, {"nvmlDeviceGetMemoryInfo_v2"});
    lookUp(handle, f.memory, {"nvmlDeviceGetMemoryInfo"});
    lookUp(handle, f.clock, {"nvmlDeviceGetClockInfo"});
    lookUp(handle, f.power, {"nvmlDeviceGetPowerUsage"});
    lookUp(handle, f.temperatureV, {"nvmlDeviceGetTemperatureV"});
    lookUp(handle, f.temperature, {"nvmlDeviceGetTemperature"});
    lookUp(handle, f.migMode, {"nvmlDeviceGetMigMode"});

    if (!f.init || !f.shutdown || !f.count || !f.handleByIndex || !f.name || !f.uuid)
        return makeError(ErrorCode::Unavailable, "the NVIDIA driver is too old: its " + std::string(driverLibrary)
                                                     + " lacks functions that GPU monitoring needs");

    const Return code = f.init();
    if (code == errorVersionMismatch)
        return makeError(ErrorCode::Unavailable,
                         "the NVIDIA driver was updated while it was running (kernel module and "
                         "library differ): restart this machine");
    if (code == errorDriverNotLoaded)
        return makeError(ErrorCode::Unavailable,
                         "the NVIDIA driver is installed but not loaded: there is no GPU, or its "
                         "kernel module could not start");
    if (code != success)
        return makeError(ErrorCode::Unavailable, "the NVIDIA driver does not start: " + library.describe(code));
    library.m_initialised = true;
    return library;
}

Library::Library(Library &&other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr)),
      m_initialised(std::exchange(other.m_initialised, false)),
      m_functions(other.m_functions)
{}

Library &Library::operator=(Library &&other) noexcept
{
    if (this != &other) {
        close();
        m_handle = std::exchange(other.m_handle, nullptr);
        m_initialised = std::exchange(other.m_initialised, false);
        m_functions = other.m_functions;
    }
    return *this;
}

Library::~Library()
{
    close();
}

void Library::close() noexcept
{
    if (m_initialised)
        m_functions.shutdown();
    if (m_handle != nullptr)
        ::dlclose(m_handle);
    m_initialised = false;
    m_handle = nullptr;
}

std::string Library::describe(Return code) const
{
    const char *text = m_functions.errorString != nullptr ? m_functions.errorString(code) : nullptr;
    return (text != nullptr ? std::string(text) : std::string("NVML error")) + " (" + std::to_string(code) + ")";
}

}  // namespace sweepscope::device::nvml
