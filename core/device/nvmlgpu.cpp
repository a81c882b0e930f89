#include "device/nvmlgpu.h"

#include "base/printable.h"
#include "device/nvmlprocesses.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

namespace sweepscope::device::nvml {

namespace {

constexpr double bytesPerKibibyte = 1024, bytesPerKilobyte = 1000, milliwattPerWatt = 1000;
constexpr double joulePerMillijoule = 1e-3;
constexpr unsigned mostPercent = 100, mostInstances = 64;
constexpr int mostCelsius = 200;
constexpr std::uint32_t largestPcieGeneration = 16, mostPcieLanes = 64;

template <std::size_t Size>
std::string textOf(const std::array<char, Size> &untrusted)
{
    return {untrusted.begin(), std::find(untrusted.begin(), untrusted.end(), '\0')};
}

std::optional<std::uint64_t> countOf(const FieldValue &value)
{
    enum { Double, UnsignedInt, UnsignedLong, UnsignedLongLong, SignedLongLong, SignedInt, UnsignedShort };
    if (value.code != success)
        return std::nullopt;
    switch (value.type) {
    case UnsignedInt:
        return value.value.u32;
    case UnsignedLong:
    case UnsignedLongLong:
        return value.value.u64;
    case SignedLongLong:
        return value.value.s64 >= 0 ? std::optional(static_cast<std::uint64_t>(value.value.s64)) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::optional<double> known(std::uint32_t number, double unit = 1)
{
    return number != notAvailable32 ? std::optional(number / unit) : std::nullopt;
}

std::optional<double> known(std::uint64_t number)
{
    return number != notAvailable64 ? std::optional(static_cast<double>(number)) : std::nullopt;
}

/// Which sensor, clock or direction a call asks for; 0 when it asks for none.
template <typename First, typename... Others>
int firstNumber(First first, Others...)
{
    if constexpr (std::is_same_v<First, int>)
        return first;
    return 0;
}

std::optional<double> times(const std::optional<double> &value, double factor)
{
    return value ? std::optional(*value * factor) : std::nullopt;
}

}  // namespace

std::optional<double> Rate::update(std::uint64_t count, SteadyTime now)
{
    const std::chrono::duration<double> seconds = now - m_lastTime;
    const bool comparable = m_last && count >= *m_last && seconds.count() > 0;
    const std::optional<double> rate =
        comparable ? std::optional(static_cast<double>(count - *m_last) / seconds.count()) : std::nullopt;
    m_last = count;
    m_lastTime = now;
    return rate;
}

Gpu::Gpu(std::shared_ptr<const Library> library, DeviceHandle handle, std::optional<Instance> instance)
    : m_library(library),
      m_handle(handle),
      m_instance(instance),
      m_activity(std::move(library), instance ? instance->whole : handle,
                 instance ? std::optional(instance->id) : std::nullopt)
{}

Return Gpu::identify(CallMeter &meter, Device &device) const
{
    const Functions &f = functions();
    std::array<char, textBytes> text{};
    if (const Return code = f.uuid(meter, m_handle, text.data(), textBytes); code != success)
        return code;
    if (textOf(text).empty())
        return errorNoData;
    device.id = printable(textOf(text));
    device.kind = Kind::Gpu;

    text.fill('\0');
    if (f.deviceName(meter, m_handle, text.data(), textBytes) == success)
        device.name = printable(textOf(text));
    Return ignored = success;
    if (const auto bytes = memory(meter, nullptr, ignored))
        device.memoryBytes = bytes->total;

    PciInfo pci{};
    std::array<char, sizeof pci.busId> busId{};
    if (f.pciInfoV3(meter, m_handle, &pci) == success)
        std::copy(std::begin(pci.busId), std::end(pci.busId), busId.begin());
    else if (f.pciInfo(meter, m_handle, &pci) == success)
        std::copy(std::begin(pci.busIdLegacy), std::end(pci.busIdLegacy), busId.begin());
    device.pciBusId = textOf(busId);
    unsigned number = 0;
    if (f.pcieGenerationMax(meter, m_handle, &number) == success && number <= largestPcieGeneration)
        device.pcieGeneration = static_cast<int>(number);
    if (f.pcieWidthMax(meter, m_handle, &number) == success && number <= mostPcieLanes)
        device.pcieLanes = static_cast<int>(number);
    return success;
}

std::optional<std::vector<Gpu::Instance>> Gpu::instances(CallMeter &meter, std::vector<DeviceHandle> &handles) const
{
    const Functions &f = functions();
    unsigned current = 0, pending = 0, count = 0;
    if (f.migMode(meter, m_handle, &current, &pending) != success || current != 1)
        return std::nullopt;
    std::vector<Instance> found;
    if (f.migCount(meter, m_handle, &count) != success)
        return found;
    // The indices have gaps.
    for (unsigned index = 0; index < std::min(count, mostInstances); ++index) {
        DeviceHandle handle = nullptr;
        unsigned id = 0;
        if (f.migHandle(meter, m_handle, index, &handle) != success || handle == nullptr)
            continue;
        if (f.gpuInstanceId(meter, handle, &id) != success)
            continue;
        handles.push_back(handle);
        found.push_back({m_handle, id});
    }
    return found;
}

template <typename Function, typename... Arguments>
bool Gpu::query(CallMeter &meter, const Function &function, Arguments... arguments)
{
    const std::pair<const void *, int> question(&function, firstNumber(arguments...));
    const bool isUnsupported = std::find(m_unsupported.begin(), m_unsupported.end(), question) != m_unsupported.end();
    if (!function || isUnsupported)
        return false;
    const Return code = function(meter, m_handle, arguments...);
    if (code == errorNotSupported)
        m_unsupported.push_back(question);
    return recordResult(code);
}

bool Gpu::recordResult(Return code)
{
    if (code == success || code == errorNotSupported)
        ++m_answers;
    else if (code == errorGpuIsLost || code == errorResetRequired || m_worst == success)
        m_worst = code;
    return code == success;
}

Return Gpu::trouble() const
{
    if (m_worst == errorGpuIsLost || m_worst == errorResetRequired)
        return m_worst;
    return m_answers == 0 ? m_worst : success;
}

Reading Gpu::read(CallMeter &meter, Lanes lanes, const std::string &procFolder)
{
    m_answers = 0;
    m_worst = success;
    if (lanes.slow)
        m_unsupported.clear();
    Reading reading;
    readFast(meter, reading);
    if (!lanes.slow)
        reading.memoryTotalBytes.reset();  // it comes with what is used, and stays the same
    if (lanes.middle)
        readMiddle(meter, reading, procFolder);
    if (lanes.slow)
        readSlow(meter, reading);
    return reading;
}

void Gpu::readFast(CallMeter &meter, Reading &reading)
{
    const Functions &f = functions();
    Utilization utilization{};
    if (query(meter, f.utilization, &utilization)) {
        if (utilization.gpu <= mostPercent)
            reading.utilizationPercent = utilization.gpu;
        if (utilization.memory <= mostPercent)
            reading.memoryUtilizationPercent = utilization.memory;
    }
    readMemory(meter, reading);
    readTemperature(meter, reading);
    unsigned number = 0;
    if (query(meter, f.power, &number))
        reading.powerWatt = known(number, milliwattPerWatt);
    if (query(meter, f.clock, clockSm, &number))
        reading.smClockMhz = known(number);
    if (query(meter, f.clock, clockMemory, &number))
        reading.memoryClockMhz = known(number);
    std::uint64_t bits = 0;
    if (query(meter, f.throttleReasons, &bits))
        reading.throttleReasons = known(bits);
    if (query(meter, f.energy, &bits))
        reading.energyJoule = times(known(bits), joulePerMillijoule);
    readCounters(meter, reading);
    m_activity.read(meter, reading);
}

void Gpu::readMiddle(CallMeter &meter, Reading &reading, const std::string &procFolder)
{
    const Functions &f = functions();
    unsigned number = 0;
    if (query(meter, f.pcieGeneration, &number) && number > 0 && number <= largestPcieGeneration)
        reading.pcieGeneration = number;
    if (query(meter, f.pcieWidth, &number) && number > 0 && number <= mostPcieLanes)
        reading.pcieWidth = number;
    reading.processes = readProcesses(f, meter, m_handle, procFolder);
    if (reading.processes)
        reading.processCount = static_cast<double>(reading.processes->size());
}

void Gpu::readSlow(CallMeter &meter, Reading &reading)
{
    const Functions &f = functions();
    unsigned number = 0;
    if (query(meter, f.powerLimit, &number))
        reading.powerLimitWatt = known(number, milliwattPerWatt);
    if (query(meter, f.maxClock, clockSm, &number))
        reading.smClockMaxMhz = known(number);
    if (query(meter, f.maxClock, clockMemory, &number))
        reading.memoryClockMaxMhz = known(number);
    if (query(meter, f.pcieGenerationMax, &number) && number > 0 && number <= largestPcieGeneration)
        reading.pcieGenerationMax = number;
    if (query(meter, f.pcieWidthMax, &number) && number > 0 && number <= mostPcieLanes)
        reading.pcieWidthMax = number;
    std::uint64_t errors = 0;
    if (query(meter, f.eccErrors, eccCorrected, eccSinceLoaded, &errors))
        reading.eccCorrected = known(errors);
    if (query(meter, f.eccErrors, eccUncorrected, eccSinceLoaded, &errors))
        reading.eccUncorrected = known(errors);
    readLinks(meter, reading);
    readThroughput(meter, reading);
}

/// The second version tells what the driver reserves apart from what is used; a driver that does not know it refuses
/// it.
std::optional<Memory> Gpu::memory(CallMeter &meter, std::optional<double> *reserved, Return &code) const
{
    const Functions &f = functions();
    MemoryV2 newer{versionOf<MemoryV2>(2), 0, 0, 0, 0};
    Memory bytes{};
    code = f.memoryV2(meter, m_handle, &newer);
    if (code == success) {
        bytes = {newer.total, newer.free, newer.used};
        if (reserved != nullptr && newer.reserved <= newer.total)
            *reserved = static_cast<double>(newer.reserved);
    } else if (code = f.memory(meter, m_handle, &bytes); code != success) {
        return std::nullopt;
    }
    if (bytes.total == 0 || bytes.used > bytes.total)
        return std::nullopt;  // boards with unified memory have none of their own
    return bytes;
}

void Gpu::readMemory(CallMeter &meter, Reading &reading)
{
    std::optional<double> reserved;
    Return code = success;
    if (const auto bytes = memory(meter, &reserved, code)) {
        reading.memoryUsedBytes = static_cast<double>(bytes->used);
        reading.memoryReservedBytes = reserved;
        reading.memoryTotalBytes = static_cast<double>(bytes->total);
    }
    if (code != errorFunctionNotFound)
        recordResult(code);
}

void Gpu::readTemperature(CallMeter &meter, Reading &reading)
{
    const Functions &f = functions();
    TemperatureV1 newer{versionOf<TemperatureV1>(1), temperatureGpu, 0};
    unsigned celsius = 0;
    if (query(meter, f.temperatureV, &newer) && newer.celsius >= -mostCelsius && newer.celsius <= mostCelsius)
        reading.temperatureCelsius = newer.celsius;
    else if (query(meter, f.temperature, temperatureGpu, &celsius) && celsius <= static_cast<unsigned>(mostCelsius))
        reading.temperatureCelsius = celsius;
}

void Gpu::readCounters(CallMeter &meter, Reading &reading)
{
    std::array<FieldValue, 4> values{};
    const std::array<std::uint32_t, 4> fields{fieldPcieTx, fieldPcieRx, fieldNvlinkTx, fieldNvlinkRx};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i].field = fields[i];
        values[i].code = errorNoData;
    }
    values[2].scope = values[3].scope = allLinks;
    if (!query(meter, functions().fieldValues, static_cast<int>(values.size()), values.data()))
        return;
    const SteadyTime now = std::chrono::steady_clock::now();
    const auto rate = [&](Rate &speed, const FieldValue &value) -> std::optional<double> {
        const auto count = countOf(value);
        return count ? speed.update(*count, now) : std::nullopt;
    };
    m_countsPcie = countOf(values[0]) && countOf(values[1]);
    reading.pcieTxBytesPerSecond = rate(m_pcieTx, values[0]);
    reading.pcieRxBytesPerSecond = rate(m_pcieRx, values[1]);
    reading.nvlinkTxBytesPerSecond = times(rate(m_nvlinkTx, values[2]), bytesPerKibibyte);
    reading.nvlinkRxBytesPerSecond = times(rate(m_nvlinkRx, values[3]), bytesPerKibibyte);
}

/// Where there are no counters: the driver counts itself, for 20 ms, and we wait for it.
void Gpu::readThroughput(CallMeter &meter, Reading &reading)
{
    if (m_countsPcie || m_instance)
        return;
    unsigned kilobytes = 0;
    if (query(meter, functions().pcieThroughput, pcieTx, &kilobytes))
        reading.pcieTxBytesPerSecond = times(known(kilobytes), bytesPerKilobyte);
    if (query(meter, functions().pcieThroughput, pcieRx, &kilobytes))
        reading.pcieRxBytesPerSecond = times(known(kilobytes), bytesPerKilobyte);
}

/// How many there can be is no constant: until the driver says that a number is none.
void Gpu::readLinks(CallMeter &meter, Reading &reading)
{
    unsigned links = 0, active = 0;
    for (unsigned link = 0; link < mostNvlinks; ++link) {
        unsigned state = 0;
        const Return code = functions().nvlinkState(meter, m_handle, link, &state);
        if (code == errorInvalidArgument || code == errorFunctionNotFound || code == errorGpuIsLost)
            break;
        if (code == errorNotSupported && link == 0)
            break;
        if (code != success)
            continue;
        ++links;
        active += state == 1 ? 1 : 0;
    }
    if (links == 0)
        return;
    reading.nvlinks = links;
    reading.nvlinksActive = active;
}

}  // namespace sweepscope::device::nvml
