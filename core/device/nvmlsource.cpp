#include "device/nvmllibrary.h"
#include "device/sources.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sweepscope::device {

namespace {

/// One GPU that NVML let us open.
struct Gpu {
    nvml::DeviceHandle handle = nullptr;
    Device device;
};

std::string textOf(const std::array<char, nvml::nameBytes> &untrusted)
{
    return {untrusted.begin(), std::find(untrusted.begin(), untrusted.end(), '\0')};
}

class NvmlSource : public Source {
public:
    std::vector<Device> devices() override;
    std::vector<DeviceReading> sample() override;
    std::string note() const override { return m_note; }

private:
    void enumerate();
    std::optional<Gpu> open(unsigned index);
    Reading read(const Gpu &gpu);
    std::optional<nvml::Memory> memory(nvml::DeviceHandle handle) const;
    std::optional<double> temperature(nvml::DeviceHandle handle) const;
    std::optional<double> clock(nvml::DeviceHandle handle, int type) const;
    void addNote(const std::string &sentence);

    std::optional<nvml::Library> m_library;
    bool m_simulated = false;
    std::vector<Gpu> m_gpus;
    std::string m_note;
};

/// Asked again after a failure: a driver may be loaded later.
std::vector<Device> NvmlSource::devices()
{
    enumerate();
    std::vector<Device> found;
    for (const Gpu &gpu : m_gpus)
        found.push_back(gpu.device);
    return found;
}

std::vector<DeviceReading> NvmlSource::sample()
{
    if (!m_library && m_note.empty())
        enumerate();
    std::vector<DeviceReading> readings;
    for (const Gpu &gpu : m_gpus)
        readings.push_back({gpu.device.id, read(gpu)});
    return readings;
}

void NvmlSource::enumerate()
{
    m_note.clear();
    m_gpus.clear();
    if (!m_library) {
        const char *given = std::getenv("SWEEPSCOPE_NVML");
        const std::string path = given != nullptr ? given : "";
        auto library = nvml::Library::load(path);
        if (!library) {
            m_note = library.error().message;
            return;
        }
        m_library = std::move(*library);
        m_simulated = !path.empty();
    }

    unsigned count = 0;
    const nvml::Return code = m_library->functions().count(&count);
    if (code != nvml::success) {
        m_note = "the GPUs cannot be counted: " + m_library->describe(code);
        return;
    }
    for (unsigned index = 0; index < count; ++index) {
        if (auto gpu = open(index))
            m_gpus.push_back(std::move(*gpu));
    }
    if (count == 0)
        m_note = "the NVIDIA driver is running, but finds no GPU";
}

std::optional<Gpu> NvmlSource::open(unsigned index)
{
    const nvml::Functions &f = m_library->functions();
    const std::string label = "GPU " + std::to_string(index);
    Gpu gpu;
    nvml::Return code = f.handleByIndex(index, &gpu.handle);
    if (code != nvml::success) {
        addNote(code == nvml::errorNoPermission ? label + " belongs to somebody else: this user may not open it"
                                                : label + " cannot be opened: " + m_library->describe(code));
        return std::nullopt;
    }

    std::array<char, nvml::nameBytes> text{};
    code = f.uuid(gpu.handle, text.data(), nvml::nameBytes);
    if (code != nvml::success || textOf(text).empty()) {
        addNote(label + " tells no UUID and cannot be given to a trial: " + m_library->describe(code));
        return std::nullopt;
    }
    gpu.device.id = textOf(text);
    gpu.device.kind = Kind::Gpu;
    gpu.device.index = static_cast<int>(index);
    gpu.device.simulated = m_simulated;

    text.fill('\0');
    gpu.device.name = f.name(gpu.handle, text.data(), nvml::nameBytes) == nvml::success ? textOf(text) : label;
    if (const auto bytes = memory(gpu.handle))
        gpu.device.memoryBytes = bytes->total;

    unsigned current = 0, pending = 0;
    if (f.migMode != nullptr && f.migMode(gpu.handle, &current, &pending) == nvml::success && current == 1)
        addNote(label + " is split into MIG instances; they are not offered one by one");
    return gpu;
}

Reading NvmlSource::read(const Gpu &gpu)
{
    const nvml::Functions &f = m_library->functions();
    Reading reading;

    nvml::Utilization utilization{};
    if (f.utilization != nullptr) {
        const nvml::Return code = f.utilization(gpu.handle, &utilization);
        if (code == nvml::success && utilization.gpu <= 100)
            reading.utilizationPercent = utilization.gpu;
        else if (code == nvml::errorGpuIsLost)
            addNote("GPU " + std::to_string(gpu.device.index) + " (" + gpu.device.name
                    + ") is lost: the driver no longer reaches it; reset it or restart this machine");
    }
    if (const auto bytes = memory(gpu.handle))
        reading.memoryUsedBytes = bytes->used;
    reading.smClockMhz = clock(gpu.handle, nvml::clockSm);
    reading.memoryClockMhz = clock(gpu.handle, nvml::clockMemory);
    unsigned milliwatt = 0;
    if (f.power != nullptr && f.power(gpu.handle, &milliwatt) == nvml::success)
        reading.powerWatt = milliwatt / 1000.0;
    reading.temperatureCelsius = temperature(gpu.handle);
    return reading;
}

/// The second version tells what the driver reserves apart from what is used; a driver that does not know it refuses
/// it.
std::optional<nvml::Memory> NvmlSource::memory(nvml::DeviceHandle handle) const
{
    const nvml::Functions &f = m_library->functions();
    nvml::MemoryV2 newer{nvml::memoryV2Version, 0, 0, 0, 0};
    nvml::Memory bytes{};
    if (f.memoryV2 != nullptr && f.memoryV2(handle, &newer) == nvml::success)
        bytes = {newer.total, newer.free, newer.used};
    else if (f.memory == nullptr || f.memory(handle, &bytes) != nvml::success)
        return std::nullopt;
    if (bytes.total == 0 || bytes.used > bytes.total)
        return std::nullopt;  // boards with unified memory have none of their own
    return bytes;
}

std::optional<double> NvmlSource::temperature(nvml::DeviceHandle handle) const
{
    const nvml::Functions &f = m_library->functions();
    nvml::TemperatureV1 newer{nvml::temperatureV1Version, nvml::temperatureGpu, 0};
    if (f.temperatureV != nullptr && f.temperatureV(handle, &newer) == nvml::success)
        return newer.celsius;
    unsigned celsius = 0;
    if (f.temperature != nullptr && f.temperature(handle, nvml::temperatureGpu, &celsius) == nvml::success)
        return celsius;
    return std::nullopt;
}

std::optional<double> NvmlSource::clock(nvml::DeviceHandle handle, int type) const
{
    const nvml::Functions &f = m_library->functions();
    unsigned megahertz = 0;
    if (f.clock == nullptr || f.clock(handle, type, &megahertz) != nvml::success)
        return std::nullopt;
    return megahertz;
}

void NvmlSource::addNote(const std::string &sentence)
{
    if (m_note.find(sentence) != std::string::npos)
        return;
    m_note += (m_note.empty() ? "" : "; ") + sentence;
}

}  // namespace

std::unique_ptr<Source> makeNvmlSource()
{
    return std::make_unique<NvmlSource>();
}

}  // namespace sweepscope::device
