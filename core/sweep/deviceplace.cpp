#include "sweep/deviceplace.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t longestName = 64;
constexpr const char *jobPrefix = "job:";

}  // namespace

bool isMachineName(const std::string &name)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
               || c == '.';
    };
    return !name.empty() && name.size() <= longestName && name != thisMachine && name.front() != '.'
           && name.front() != '-' && std::ranges::all_of(name, isAllowed);
}

bool usesThisMachine(const DevicesSection &devices)
{
    return devices.machines.empty() || std::ranges::any_of(devices.machines, [](const std::string &machine) {
               return machine == thisMachine || machine == allMachines;
           });
}

bool usesOtherMachines(const DevicesSection &devices)
{
    return std::ranges::any_of(devices.machines, [](const std::string &machine) { return machine != thisMachine; });
}

std::string deviceOn(const std::string &machine, const std::string &id)
{
    return machine.empty() ? id : id + "@" + machine;
}

std::string machineOf(std::string_view device)
{
    const std::size_t at = device.rfind('@');
    return std::string(at == std::string_view::npos ? std::string_view() : device.substr(at + 1));
}

std::string withoutMachine(std::string_view device)
{
    return std::string(device.substr(0, device.rfind('@')));
}

std::string jobDevice(int number, const std::string &machine)
{
    return deviceOn(machine, jobPrefix + std::to_string(number));
}

bool isJobDevice(std::string_view device)
{
    return device.starts_with(jobPrefix);
}

}  // namespace sweepscope::sweep
