#include "devicetext.h"

#include "process/cpulist.h"

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <optional>
#include <sstream>

namespace sweepscope::ctl {

namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

std::string number(double value, int digits = 0)
{
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value;
    return out.str();
}

/// Returns "612 of 700 W", or "612 W" if the maximum is unknown.
std::string ofMost(double value, const std::optional<double> &most, const std::string &unit)
{
    return number(value) + (most ? " of " + number(*most) : "") + unit;
}

/// Joins the parts of a line with commas.
class Line {
public:
    void add(const std::string &part) { m_text += (m_text.empty() ? "" : ", ") + part; }
    void addTo(std::vector<std::string> &lines) const
    {
        if (!m_text.empty())
            lines.push_back(m_text);
    }

private:
    std::string m_text;
};

Line load(const device::Device &device, const device::Reading &r)
{
    Line line;
    if (r.utilizationPercent)
        line.add("busy " + number(*r.utilizationPercent) + "%");
    if (r.smActivityPercent)
        line.add("SMs active " + number(*r.smActivityPercent) + "%");
    if (r.dramActivityPercent)
        line.add("DRAM active " + number(*r.dramActivityPercent) + "%");
    if (r.memoryUtilizationPercent)
        line.add("memory controller busy " + number(*r.memoryUtilizationPercent) + "%");
    if (r.memoryUsedBytes)
        line.add("memory " + gibibytes(*r.memoryUsedBytes) + " used"
                 + (device.memoryBytes > 0 ? " of " + gibibytes(static_cast<double>(device.memoryBytes)) : "")
                 + (r.memoryReservedBytes ? " (" + gibibytes(*r.memoryReservedBytes) + " reserved)" : ""));
    return line;
}

Line clocks(const device::Reading &r)
{
    Line line;
    if (r.temperatureCelsius)
        line.add(number(*r.temperatureCelsius) + " °C");
    if (r.powerWatt)
        line.add(ofMost(*r.powerWatt, r.powerLimitWatt, " W"));
    if (r.smClockMhz)
        line.add("SM clock " + ofMost(*r.smClockMhz, r.smClockMaxMhz, " MHz"));
    if (r.memoryClockMhz)
        line.add("memory clock " + ofMost(*r.memoryClockMhz, r.memoryClockMaxMhz, " MHz"));
    if (r.throttleReasons)
        line.add("throttled: " + device::throttleWords(static_cast<std::uint64_t>(*r.throttleReasons)));
    return line;
}

Line links(const device::Reading &r)
{
    Line line;
    if (r.pcieGeneration)
        line.add("PCIe generation " + ofMost(*r.pcieGeneration, r.pcieGenerationMax, ""));
    if (r.pcieWidth)
        line.add(ofMost(*r.pcieWidth, r.pcieWidthMax, " lanes"));
    if (r.pcieRxBytesPerSecond)
        line.add(number(*r.pcieRxBytesPerSecond / 1e6, 1) + " MB/s to the GPU");
    if (r.pcieTxBytesPerSecond)
        line.add(number(*r.pcieTxBytesPerSecond / 1e6, 1) + " MB/s from it");
    if (r.nvlinks && r.nvlinksActive)
        line.add("NVLink: " + number(*r.nvlinksActive) + " of " + number(*r.nvlinks) + " links active");
    if (r.nvlinkRxBytesPerSecond && r.nvlinkTxBytesPerSecond)
        line.add(number((*r.nvlinkRxBytesPerSecond + *r.nvlinkTxBytesPerSecond) / 1e6, 1) + " MB/s over NVLink");
    if (r.eccUncorrected)
        line.add("ECC errors not corrected: " + number(*r.eccUncorrected));
    if (r.eccCorrected)
        line.add("corrected: " + number(*r.eccCorrected));
    return line;
}

std::string textOf(const device::DeviceProcess &process)
{
    return "pid " + std::to_string(process.pid) + (process.name ? " " + *process.name : "")
           + (process.user ? " of " + *process.user : "")
           + (process.memoryBytes ? ", " + gibibytes(static_cast<double>(*process.memoryBytes)) : "");
}

}  // namespace

std::string gibibytes(double bytes)
{
    return number(bytes / gibibyte, 1) + " GiB";
}

std::vector<std::string> linesOf(const device::Device &device, const device::Reading &reading)
{
    std::vector<std::string> lines;
    load(device, reading).addTo(lines);
    clocks(reading).addTo(lines);
    links(reading).addTo(lines);
    if (reading.processes) {
        for (const device::DeviceProcess &process : *reading.processes)
            lines.push_back("used by " + textOf(process));
    }
    return lines;
}

std::vector<std::string> topologyLines(const std::vector<device::Device> &devices, const device::GpuTopology &topology)
{
    constexpr std::size_t width = 8;
    const auto cell = [&](std::string text) {
        text.resize(std::max(width, text.size() + 1), ' ');
        return text;
    };
    const std::vector<device::Device> gpus = device::wholeGpus(devices);
    if (gpus.size() < 2)
        return {};
    std::string header = cell("");
    for (const device::Device &gpu : gpus)
        header += cell("GPU " + std::to_string(gpu.index));
    const bool simulated = std::any_of(gpus.begin(), gpus.end(), [](const auto &gpu) { return gpu.simulated; });
    std::vector<std::string> lines{simulated ? "Connections (simulated):" : "Connections:", header + "near CPUs"};
    for (const device::Device &gpu : gpus) {
        std::string line = cell("GPU " + std::to_string(gpu.index));
        for (const device::Device &other : gpus)
            line += cell(other.id == gpu.id ? "X" : device::shortName(topology.between(gpu.id, other.id)));
        const std::string near = process::cpuListText({gpu.nearCpus.begin(), gpu.nearCpus.end()});
        lines.push_back(line + (near.empty() ? "?" : near));
    }
    return lines;
}

}  // namespace sweepscope::ctl
