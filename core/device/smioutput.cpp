#include "device/smioutput.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

namespace sweepscope::device::smi {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

constexpr std::array<const char *, 8> fieldsOfDevices{
    "index",           "uuid", "name", "memory.total", "pci.bus_id", "pcie.link.gen.max", "pcie.link.width.max",
    "mig.mode.current"};

struct Quantity {
    const char *field;
    std::optional<double> Reading::*value;
    double unit = 1;
};
/// A driver has one of the two names of throttle reasons, or both.
constexpr std::array<Quantity, 20> quantitiesOfReadings{{
    {"utilization.gpu", &Reading::utilizationPercent},
    {"utilization.memory", &Reading::memoryUtilizationPercent},
    {"memory.used", &Reading::memoryUsedBytes, mebibyte},
    {"memory.reserved", &Reading::memoryReservedBytes, mebibyte},
    {"memory.total", &Reading::memoryTotalBytes, mebibyte},
    {"temperature.gpu", &Reading::temperatureCelsius},
    {"power.draw", &Reading::powerWatt},
    {"enforced.power.limit", &Reading::powerLimitWatt},
    {"clocks.sm", &Reading::smClockMhz},
    {"clocks.max.sm", &Reading::smClockMaxMhz},
    {"clocks.mem", &Reading::memoryClockMhz},
    {"clocks.max.mem", &Reading::memoryClockMaxMhz},
    {"clocks_event_reasons.active", &Reading::throttleReasons},
    {"clocks_throttle_reasons.active", &Reading::throttleReasons},
    {"pcie.link.gen.current", &Reading::pcieGeneration},
    {"pcie.link.gen.max", &Reading::pcieGenerationMax},
    {"pcie.link.width.current", &Reading::pcieWidth},
    {"pcie.link.width.max", &Reading::pcieWidthMax},
    {"ecc.errors.corrected.volatile.total", &Reading::eccCorrected},
    {"ecc.errors.uncorrected.volatile.total", &Reading::eccUncorrected},
}};

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> valuesIn(std::string_view line)
{
    std::vector<std::string_view> values;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        values.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return values;
}

/// "72.5", "0x0000000000000004"; nullopt for "[N/A]".
std::optional<double> numberIn(std::string_view text)
{
    if (text.starts_with("0x")) {
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        return error == std::errc() && end == text.data() + text.size() ? std::optional(static_cast<double>(bits))
                                                                        : std::nullopt;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = error == std::errc() && end == text.data() + text.size() && value >= 0 && value < 1e15;
    return isNumber ? std::optional(value) : std::nullopt;
}

int wholeIn(std::string_view text)
{
    return static_cast<int>(std::min(numberIn(text).value_or(0), 1e6));
}

std::map<std::string_view, std::string_view> byField(std::string_view line, std::span<const std::string> fields)
{
    std::map<std::string_view, std::string_view> values;
    const std::vector<std::string_view> all = valuesIn(line);
    if (all.size() != fields.size())
        return values;
    for (std::size_t i = 0; i < all.size(); ++i)
        values[fields[i]] = all[i];
    return values;
}

/// What is between `begin` and `end`; empty if they are not there.
std::string_view between(std::string_view line, std::string_view begin, std::string_view end)
{
    const std::size_t from = line.find(begin);
    if (from == std::string_view::npos)
        return {};
    const std::size_t to = line.find(end, from + begin.size());
    return to == std::string_view::npos ? std::string_view()
                                        : line.substr(from + begin.size(), to - from - begin.size());
}

/// The words of a line, without the escape sequences that underline them.
std::vector<std::string> wordsIn(const std::string &line)
{
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b')
            i = std::min(line.find('m', i), line.size());
        else
            plain += line[i];
    }
    std::istringstream stream(plain);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

std::optional<std::size_t> gpuIn(std::string_view word)
{
    if (!word.starts_with("GPU") || word.size() < 4 || !numberIn(word.substr(3)))
        return std::nullopt;
    return static_cast<std::size_t>(wholeIn(word.substr(3)));
}

}  // namespace

std::span<const char *const> deviceFields()
{
    return fieldsOfDevices;
}

std::span<const char *const> readingFields()
{
    static const std::vector<const char *> fields = [] {
        std::vector<const char *> all{"uuid"};
        for (const Quantity &quantity : quantitiesOfReadings)
            all.push_back(quantity.field);
        return all;
    }();
    return fields;
}

std::optional<Device> deviceIn(std::string_view line, std::span<const std::string> fields)
{
    auto values = byField(line, fields);
    if (!values["uuid"].starts_with("GPU-"))
        return std::nullopt;
    Device device;
    device.id = values["uuid"];
    device.kind = Kind::Gpu;
    device.index = wholeIn(values["index"]);
    device.name = values["name"];
    device.memoryBytes = static_cast<std::uint64_t>(numberIn(values["memory.total"]).value_or(0) * mebibyte);
    device.pciBusId = values["pci.bus_id"];
    device.pcieGeneration = wholeIn(values["pcie.link.gen.max"]);
    device.pcieLanes = wholeIn(values["pcie.link.width.max"]);
    device.offered = values["mig.mode.current"] != "Enabled";
    return device;
}

std::optional<DeviceReading> readingIn(std::string_view line, std::span<const std::string> fields)
{
    auto values = byField(line, fields);
    if (!values["uuid"].starts_with("GPU-"))
        return std::nullopt;
    DeviceReading found{std::string(values["uuid"]), {}};
    for (const Quantity &quantity : quantitiesOfReadings) {
        const auto value = values.find(quantity.field);
        const auto number = value != values.end() ? numberIn(value->second) : std::nullopt;
        if (number)
            found.reading.*quantity.value = *number * quantity.unit;
    }
    return found;
}

std::string unknownField(std::string_view line)
{
    const bool isAboutField = line.find("is not a valid field to query") != std::string_view::npos;
    return isAboutField ? std::string(between(line, "Field \"", "\"")) : std::string();
}

std::vector<Device> instancesIn(const std::vector<std::string> &lines)
{
    std::vector<Device> instances;
    std::string parent;
    for (const std::string &line : lines) {
        const std::string_view text = trimmed(line);
        const std::string_view id = between(text, "(UUID: ", ")");
        if (text.starts_with("GPU "))
            parent = id;
        if (!text.starts_with("MIG ") || id.empty())
            continue;
        Device instance;
        instance.id = id;
        instance.kind = Kind::Gpu;
        instance.name = "MIG " + std::string(between(text, "MIG ", " "));
        instance.parentId = parent;
        instances.push_back(std::move(instance));
    }
    return instances;
}

std::optional<Process> processIn(std::string_view line)
{
    const std::vector<std::string_view> values = valuesIn(line);
    const auto pid = values.size() == 3 ? numberIn(values[1]) : std::nullopt;
    if (!pid || *pid < 1 || *pid > 1e9 || !values[0].starts_with("GPU-"))
        return std::nullopt;
    Process found{std::string(values[0]), {}};
    found.process.pid = static_cast<pid_t>(*pid);
    if (const auto memory = numberIn(values[2]))
        found.process.memoryBytes = static_cast<std::uint64_t>(*memory * mebibyte);
    return found;
}

GpuTopology topologyIn(const std::vector<std::string> &lines, const std::vector<std::string> &ids)
{
    GpuTopology topology;
    std::vector<std::size_t> columns;
    for (const std::string &line : lines) {
        const std::vector<std::string> words = wordsIn(line);
        const auto row = words.empty() ? std::nullopt : gpuIn(words.front());
        if (!row)
            continue;
        if (columns.empty()) {
            for (std::size_t i = 0; i < words.size() && gpuIn(words[i]); ++i)
                columns.push_back(*gpuIn(words[i]));
            continue;
        }
        for (std::size_t i = 0; i < columns.size() && i + 1 < words.size(); ++i) {
            const auto link = linkNamed(words[i + 1]);
            if (link && *row < ids.size() && columns[i] < ids.size() && *row != columns[i])
                topology.set(ids[*row], ids[columns[i]], *link);
        }
    }
    return topology;
}

}  // namespace sweepscope::device::smi
