#include "device/amdsource.h"

#include "base/files.h"
#include "device/sources.h"
#include "process/processowner.h"
#include "process/processstat.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace sweepscope::device {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostSysfsBytes = 64 * 1024;
constexpr std::chrono::seconds slowLane{5};
constexpr double microwattPerWatt = 1e6, millidegreePerDegree = 1e3;
constexpr const char *amdVendor = "0x1002";
constexpr const char *driverName = "amdgpu";

std::optional<std::string> textFrom(const fs::path &file)
{
    auto text = readFile(file, mostSysfsBytes);
    if (!text)
        return std::nullopt;
    while (!text->empty() && (text->back() == '\n' || text->back() == ' '))
        text->pop_back();
    return *text;
}

std::optional<double> numberIn(const std::string &text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0)
        return std::nullopt;
    return value;
}

std::optional<double> numberFrom(const fs::path &file, double unit = 1)
{
    const auto text = textFrom(file);
    const auto value = text ? numberIn(*text) : std::nullopt;
    return value ? std::optional(*value / unit) : std::nullopt;
}

std::optional<double> firstOf(std::optional<double> first, const std::optional<double> &second)
{
    return first ? first : second;
}

struct Clock {
    std::optional<double> now;
    std::optional<double> most;
};

/// "0: 500Mhz\n1: 2304Mhz *\n": the levels, the present one with a star.
Clock clockFrom(const fs::path &file)
{
    Clock clock;
    std::istringstream lines(textFrom(file).value_or(""));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        const auto value = colon != std::string::npos ? numberIn(line.substr(colon + 2)) : std::nullopt;
        if (!value)
            continue;
        clock.most = std::max(clock.most.value_or(0), *value);
        if (line.find('*') != std::string::npos)
            clock.now = value;
    }
    return clock;
}

/// "16.0 GT/s PCIe" -> 4
std::optional<double> generationFrom(const fs::path &file)
{
    const auto speed = numberFrom(file);
    if (!speed)
        return std::nullopt;
    constexpr double speeds[] = {2.5, 5, 8, 16, 32, 64};
    const auto *const found = std::find(std::begin(speeds), std::end(speeds), *speed);
    return found != std::end(speeds) ? std::optional<double>(found - std::begin(speeds) + 1) : std::nullopt;
}

std::vector<fs::path> entriesOf(const fs::path &folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        entries.push_back(entry->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// One open file of a process that is a GPU's (docs.kernel.org/gpu/drm-usage-stats.html).
struct Client {
    std::string pciAddress;
    std::string id;
    std::optional<std::uint64_t> memoryBytes;
};

std::optional<Client> clientFrom(const fs::path &fdinfo)
{
    Client client;
    std::string driver;
    std::istringstream lines(textFrom(fdinfo).value_or(""));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string key, value, unit;
        words >> key >> value >> unit;
        if (key == "drm-driver:")
            driver = value;
        else if (key == "drm-pdev:")
            client.pciAddress = value;
        else if (key == "drm-client-id:")
            client.id = value;
        else if (key == "drm-memory-vram:" || key == "drm-total-vram:") {
            const auto number = numberIn(value);
            const double factor = unit == "KiB" ? 1024 : unit == "MiB" ? 1024.0 * 1024 : 1;
            if (number)
                client.memoryBytes = static_cast<std::uint64_t>(*number * factor);
        }
    }
    return driver == driverName && !client.pciAddress.empty() ? std::optional(client) : std::nullopt;
}

}  // namespace

AmdSource::AmdSource(std::string root) : m_root(std::move(root)) {}

void AmdSource::findCards()
{
    m_cards.clear();
    for (const fs::path &entry : entriesOf(m_root + "/sys/class/drm")) {
        const std::string name = entry.filename().string();
        const bool isCard =
            name.size() > 4 && name.starts_with("card") && name.find_first_not_of("0123456789", 4) == std::string::npos;
        const fs::path folder = entry / "device";
        if (!isCard || textFrom(folder / "vendor") != amdVendor)
            continue;
        Card card;
        card.folder = folder;
        std::istringstream lines(textFrom(folder / "uevent").value_or(""));
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("PCI_SLOT_NAME="))
                card.pciAddress = line.substr(line.find('=') + 1);
        }
        card.id = "amd:" + (card.pciAddress.empty() ? name : card.pciAddress);
        const std::vector<fs::path> sensors = entriesOf(folder / "hwmon");
        if (!sensors.empty())
            card.sensors = sensors.front();
        m_cards.push_back(std::move(card));
    }
}

Device AmdSource::deviceOf(const Card &card, int index) const
{
    Device device;
    device.id = card.id;
    device.kind = Kind::Gpu;
    device.index = index;
    device.name = textFrom(card.folder / "product_name").value_or("");
    if (device.name.empty())
        device.name = "AMD GPU";
    device.memoryBytes = static_cast<std::uint64_t>(numberFrom(card.folder / "mem_info_vram_total").value_or(0));
    device.pciBusId = card.pciAddress;
    device.simulated = !m_root.empty();
    device.offered = false;
    return device;
}

std::vector<Device> AmdSource::devices()
{
    findCards();
    std::vector<Device> found;
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        found.push_back(deviceOf(m_cards[i], static_cast<int>(i)));
    return found;
}

std::vector<DeviceReading> AmdSource::sample()
{
    if (m_cards.empty())
        return {};
    const SteadyTime now = std::chrono::steady_clock::now();
    const bool slow = !m_lastSlow || now - *m_lastSlow >= slowLane;
    std::map<std::string, std::vector<DeviceProcess>> processes;
    if (slow) {
        m_lastSlow = now;
        processes = readProcesses();
    }
    std::vector<DeviceReading> readings;
    for (const Card &card : m_cards) {
        Reading reading = read(card);
        if (slow) {
            reading.memoryTotalBytes = numberFrom(card.folder / "mem_info_vram_total");
            reading.processes = processes[card.pciAddress];
            reading.processCount = static_cast<double>(reading.processes->size());
            if (!m_root.empty())
                reading.simulated = 1;
        }
        readings.push_back({card.id, std::move(reading)});
    }
    return readings;
}

Reading AmdSource::read(const Card &card) const
{
    Reading reading;
    const fs::path &folder = card.folder;
    reading.utilizationPercent = numberFrom(folder / "gpu_busy_percent");
    reading.memoryUtilizationPercent = numberFrom(folder / "mem_busy_percent");
    reading.memoryUsedBytes = numberFrom(folder / "mem_info_vram_used");
    const Clock core = clockFrom(folder / "pp_dpm_sclk"), memory = clockFrom(folder / "pp_dpm_mclk");
    reading.smClockMhz = core.now;
    reading.smClockMaxMhz = core.most;
    reading.memoryClockMhz = memory.now;
    reading.memoryClockMaxMhz = memory.most;
    reading.pcieGeneration = generationFrom(folder / "current_link_speed");
    reading.pcieGenerationMax = generationFrom(folder / "max_link_speed");
    reading.pcieWidth = numberFrom(folder / "current_link_width");
    reading.pcieWidthMax = numberFrom(folder / "max_link_width");
    if (card.sensors.empty())
        return reading;
    reading.temperatureCelsius = numberFrom(card.sensors / "temp1_input", millidegreePerDegree);
    reading.powerWatt = firstOf(numberFrom(card.sensors / "power1_average", microwattPerWatt),
                                numberFrom(card.sensors / "power1_input", microwattPerWatt));
    reading.powerLimitWatt = numberFrom(card.sensors / "power1_cap", microwattPerWatt);
    return reading;
}

std::unique_ptr<Source> makeAmdSource(const std::string &root)
{
    return std::make_unique<AmdSource>(root);
}

std::unique_ptr<Source> makeAmdSource()
{
    const char *given = std::getenv("SWEEPSCOPE_AMD_ROOT");
    return makeAmdSource(given != nullptr ? given : "");
}

/// By PCI address. A process may have a GPU open many times: its clients count once each.
std::map<std::string, std::vector<DeviceProcess>> AmdSource::readProcesses() const
{
    const std::string proc = m_root + "/proc";
    std::map<std::string, std::vector<DeviceProcess>> users;
    for (const pid_t pid : process::allProcesses(proc)) {
        const std::string folder = proc + "/" + std::to_string(pid);
        std::set<std::pair<std::string, std::string>> seen;
        std::map<std::string, std::optional<std::uint64_t>> memory;
        for (const fs::path &fdinfo : entriesOf(folder + "/fdinfo")) {
            const auto client = clientFrom(fdinfo);
            if (!client || !seen.emplace(client->pciAddress, client->id).second)
                continue;
            auto &known = memory[client->pciAddress];
            if (client->memoryBytes)
                known = known.value_or(0) + *client->memoryBytes;
        }
        for (const auto &[address, bytes] : memory)
            users[address].push_back(
                {pid, process::userOfProcess(pid, proc), process::nameOfProcess(pid, proc), bytes});
    }
    return users;
}

}  // namespace sweepscope::device
