#include "trace.h"

#include "device/nvmlgpu.h"
#include "device/nvmllibrary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <thread>

using namespace sweepscope;
using namespace sweepscope::device;

namespace nvmlrecording {

namespace {

using nlohmann::json;

constexpr unsigned affinityWords = 64;
constexpr unsigned bitsOfWord = 8 * sizeof(unsigned long);
constexpr int remoteIsSwitch = 2;
constexpr double rateTolerance = 0.2;

struct Field {
    const char *quantity;  ///< of the fake driver
    std::optional<double> Reading::*value;
    bool isRate = false;
};
constexpr std::array fields{
    Field{"utilization", &Reading::utilizationPercent},
    Field{"memory_utilization", &Reading::memoryUtilizationPercent},
    Field{"memory_used", &Reading::memoryUsedBytes},
    Field{"memory_reserved", &Reading::memoryReservedBytes},
    Field{"temperature", &Reading::temperatureCelsius},
    Field{"power", &Reading::powerWatt},
    Field{"power_limit", &Reading::powerLimitWatt},
    Field{"energy", &Reading::energyJoule},
    Field{"sm_clock", &Reading::smClockMhz},
    Field{"sm_clock_max", &Reading::smClockMaxMhz},
    Field{"memory_clock", &Reading::memoryClockMhz},
    Field{"memory_clock_max", &Reading::memoryClockMaxMhz},
    Field{"throttle_reasons", &Reading::throttleReasons},
    Field{"pcie_generation", &Reading::pcieGeneration},
    Field{"pcie_generation_max", &Reading::pcieGenerationMax},
    Field{"pcie_width", &Reading::pcieWidth},
    Field{"pcie_width_max", &Reading::pcieWidthMax},
    Field{"pcie_tx", &Reading::pcieTxBytesPerSecond, true},
    Field{"pcie_rx", &Reading::pcieRxBytesPerSecond, true},
    Field{"nvlink_tx", &Reading::nvlinkTxBytesPerSecond, true},
    Field{"nvlink_rx", &Reading::nvlinkRxBytesPerSecond, true},
    Field{"ecc_corrected", &Reading::eccCorrected},
    Field{"ecc_uncorrected", &Reading::eccUncorrected},
    Field{"sm_activity", &Reading::smActivityPercent},
    Field{"dram_activity", &Reading::dramActivityPercent},
};

std::vector<double> valuesOf(const GpuTrace &gpu, const Field &field)
{
    std::vector<double> values;
    for (const Reading &reading : gpu.readings) {
        if (const auto &value = reading.*field.value)
            values.push_back(*value);
    }
    return values;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Records the error codes of functions that a driver may refuse; a missing function has no code.
void readErrors(const nvml::Functions &f, CallMeter &meter, nvml::DeviceHandle handle, GpuTrace &gpu)
{
    const auto note = [&gpu](const auto &function, nvml::Return code) {
        if (function && code != nvml::success && code != nvml::errorNotSupported)
            gpu.errors[function.name] = code;
    };
    nvml::Utilization utilization{};
    note(f.utilization, f.utilization(meter, handle, &utilization));
    unsigned number = 0;
    std::uint64_t bits = 0;
    note(f.power, f.power(meter, handle, &number));
    note(f.powerLimit, f.powerLimit(meter, handle, &number));
    note(f.energy, f.energy(meter, handle, &bits));
    note(f.throttleReasons, f.throttleReasons(meter, handle, &bits));
    note(f.pcieGeneration, f.pcieGeneration(meter, handle, &number));
    note(f.pcieWidth, f.pcieWidth(meter, handle, &number));
    note(f.eccErrors, f.eccErrors(meter, handle, nvml::eccCorrected, nvml::eccSinceLoaded, &bits));
    unsigned current = 0;
    unsigned pending = 0;
    gpu.isSplit = f.migMode(meter, handle, &current, &pending) == nvml::success && current == 1;
}

void readLinks(const nvml::Functions &f, CallMeter &meter, nvml::DeviceHandle handle, GpuTrace &gpu)
{
    for (unsigned link = 0; link < nvml::mostNvlinks; ++link) {
        unsigned state = 0;
        if (f.nvlinkState(meter, handle, link, &state) != nvml::success)
            break;
        gpu.nvlinks.push_back(static_cast<int>(state));
        int type = 0;
        nvml::PciInfo pci{};
        if (f.nvlinkRemoteType(meter, handle, link, &type) == nvml::success && type == remoteIsSwitch)
            gpu.nvlinkPeers.emplace_back("switch");
        else if (f.nvlinkRemotePci(meter, handle, link, &pci) == nvml::success)
            gpu.nvlinkPeers.emplace_back(std::begin(pci.busId),
                                         std::find(std::begin(pci.busId), std::end(pci.busId), '\0'));
        else
            gpu.nvlinkPeers.emplace_back();
    }
    std::array<unsigned long, affinityWords> mask{};
    if (f.cpuAffinity(meter, handle, affinityWords, mask.data()) != nvml::success)
        return;
    for (unsigned cpu = 0; cpu < affinityWords * bitsOfWord; ++cpu) {
        if ((mask[cpu / bitsOfWord] >> cpu % bitsOfWord & 1) != 0)
            gpu.cpus.push_back(static_cast<int>(cpu));
    }
}

json scriptOf(const GpuTrace &gpu, const std::vector<GpuTrace> &all)
{
    json script{{"uuid", gpu.device.id},
                {"name", gpu.device.name},
                {"bus", gpu.device.pciBusId},
                {"memory", gpu.device.memoryBytes},
                {"errors", gpu.errors}};
    for (const Field &field : fields) {
        std::vector<double> values = valuesOf(gpu, field);
        if (values.empty())
            continue;
        const std::string quantity = field.quantity;
        if (quantity == "memory_used" || quantity == "memory_reserved")
            values.insert(values.begin(), values.front());  // queried once when the GPU is opened, for its size
        if (field.isRate)
            values.insert(values.begin(), values.front());  // the first one has no predecessor
        script[quantity] = {{"curve", values}};
    }
    if (!gpu.nvlinks.empty())
        script["nvlinks"] = gpu.nvlinks;
    json peers = json::array();
    for (const std::string &peer : gpu.nvlinkPeers) {
        const auto other =
            std::find_if(all.begin(), all.end(), [&](const GpuTrace &each) { return each.device.pciBusId == peer; });
        peers.push_back(other != all.end() ? other->device.id : peer);
    }
    if (!peers.empty())
        script["nvlink_peers"] = std::move(peers);
    if (!gpu.cpus.empty())
        script["cpus"] = gpu.cpus;
    const auto &processes = gpu.readings.front().processes;
    if (processes) {
        script["processes"] = json::array();
        for (const DeviceProcess &process : *processes) {
            script["processes"].push_back({{"pid", process.pid}});
            if (process.memoryBytes)
                script["processes"].back()["memory"] = *process.memoryBytes;
        }
    }
    return script;
}

}  // namespace

Expected<Trace> record(const std::string &library, int readings, std::chrono::milliseconds every)
{
    CallMeter meter;
    Expected<nvml::Library> loaded = nvml::Library::load(library, meter);
    if (!loaded)
        return tl::unexpected<Error>(loaded.error());
    const auto nvml = std::make_shared<const nvml::Library>(std::move(*loaded));
    const nvml::Functions &f = nvml->functions();
    Trace trace;
    trace.isReal = library.empty();
    std::array<char, nvml::textBytes> version{};
    if (f.driverVersion(meter, version.data(), nvml::textBytes) == nvml::success)
        trace.driver = version.data();
    unsigned count = 0;
    if (f.count(meter, &count) != nvml::success || count == 0)
        return makeError(ErrorCode::Unavailable, "the driver has no GPU");

    std::vector<nvml::DeviceHandle> handles;
    std::vector<nvml::Gpu> gpus;
    for (unsigned index = 0; index < count; ++index) {
        nvml::DeviceHandle handle = nullptr;
        if (f.handleByIndex(meter, index, &handle) != nvml::success)
            continue;  // a foreign or lost GPU
        GpuTrace gpu;
        gpu.device.index = static_cast<int>(index);
        gpus.emplace_back(nvml, handle, std::nullopt);
        if (gpus.back().identify(meter, gpu.device) != nvml::success) {
            gpus.pop_back();
            continue;
        }
        handles.push_back(handle);
        readLinks(f, meter, handle, gpu);
        trace.gpus.push_back(std::move(gpu));
    }
    if (gpus.empty())
        return makeError(ErrorCode::Unavailable, "no GPU of the driver can be opened");
    for (std::size_t a = 0; a < handles.size(); ++a) {
        for (std::size_t b = a + 1; b < handles.size(); ++b) {
            int level = 0;
            if (f.commonAncestor(meter, handles[a], handles[b], &level) == nvml::success)
                trace.ancestors[{a, b}] = level;
        }
    }
    for (int reading = 0; reading < readings; ++reading) {
        for (std::size_t i = 0; i < gpus.size(); ++i)
            trace.gpus[i].readings.push_back(gpus[i].read(meter, {true, true}, "/proc"));
        std::this_thread::sleep_for(every);
    }
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        readErrors(f, meter, handles[i], trace.gpus[i]);  // last: each call consumes a replayed value
        gpus[i].release(meter);
    }
    return trace;
}

nlohmann::json scriptOf(const Trace &trace)
{
    json script{{"recorded_from", trace.isReal ? "NVIDIA driver " + trace.driver : "a fake driver"},
                {"driver", trace.driver},
                {"paths", json::array()},
                {"gpus", json::array()}};
    for (const GpuTrace &gpu : trace.gpus)
        script["gpus"].push_back(scriptOf(gpu, trace.gpus));
    for (const auto &[pair, level] : trace.ancestors)
        script["paths"].push_back({trace.gpus[pair.first].device.id, trace.gpus[pair.second].device.id, level});
    return script;
}

std::vector<std::string> differences(const Trace &recorded, const Trace &replayed)
{
    std::vector<std::string> found;
    if (recorded.gpus.size() != replayed.gpus.size() || recorded.ancestors != replayed.ancestors)
        return {"other GPUs, or connected otherwise"};
    for (std::size_t i = 0; i < recorded.gpus.size(); ++i) {
        const GpuTrace &before = recorded.gpus[i];
        const GpuTrace &after = replayed.gpus[i];
        const std::string label = before.device.id + ": ";
        const auto isEqual = [&](const char *what, bool equal) {
            if (!equal)
                found.push_back(label + what);
        };
        isEqual("identity", before.device.id == after.device.id && before.device.name == after.device.name
                                && before.device.pciBusId == after.device.pciBusId
                                && before.device.memoryBytes == after.device.memoryBytes);
        isEqual("links", before.nvlinks == after.nvlinks);
        isEqual("CPUs", before.cpus == after.cpus);
        isEqual("errors", before.errors == after.errors);
        const auto &processes = before.readings.front().processes;
        isEqual("processes", (processes ? processes->size() : 0)
                                 == (after.readings.front().processes ? after.readings.front().processes->size() : 0));
        for (const Field &field : fields) {
            const std::vector<double> was = valuesOf(before, field);
            const std::vector<double> is = valuesOf(after, field);
            const std::size_t both = std::min(was.size(), is.size());
            if (was.empty() != is.empty()) {
                found.push_back(label + field.quantity + (is.empty() ? " is not replayed" : " was never recorded"));
            } else if (field.isRate && both > 0) {
                const double expected = median(was);
                isEqual(field.quantity, std::abs(median(is) - expected) <= rateTolerance * std::max(1.0, expected));
            } else {
                isEqual(field.quantity,
                        std::equal(was.begin(), was.begin() + static_cast<std::ptrdiff_t>(both), is.begin(),
                                   [](double a, double b) { return std::abs(a - b) < 1e-6; }));
            }
        }
    }
    return found;
}

}  // namespace nvmlrecording
