#include "machinetext.h"

#include "devicetext.h"
#include "sweepwords.h"

#include "process/cpulist.h"
#include "sweep/deviceplace.h"
#include "wording/sentence.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace sweepscope::ctl {

namespace {

std::optional<int> coreOf(const std::string &id)
{
    constexpr std::string_view prefix = "cpu:";
    int number = 0;
    const char *end = id.data() + id.size();
    if (!id.starts_with(prefix))
        return std::nullopt;
    const auto [last, problem] = std::from_chars(id.data() + prefix.size(), end, number);
    return problem == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

std::string devicesOfMachine(const std::vector<std::string> &ids, const std::vector<protocol::DeviceStatus> &known)
{
    std::vector<int> cores;
    std::vector<int> gpus;
    std::string others;
    for (const std::string &id : ids) {
        const std::string name = sweep::withoutMachine(id);
        const auto gpu =
            std::ranges::find_if(known, [&id](const auto &device) { return device.id == QLatin1String(id); });
        if (const std::optional<int> core = coreOf(name))
            cores.push_back(*core);
        else if (gpu != known.end())
            gpus.push_back(gpu->index);
        else
            others += (others.empty() ? "" : ", ") + name;
    }
    std::string text;
    const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
    if (!gpus.empty())
        add("GPU " + process::cpuListText(gpus));
    if (!cores.empty()) {
        const std::string list = process::cpuListText(cores);
        add((list.find_first_of(",-") == std::string::npos ? "core " : "cores ") + list);
    }
    if (!others.empty())
        add(others);
    return text;
}

/// "clock +0.3 ms (± 0.2 ms)"
std::string clockInWords(const protocol::MachineStatus &machine)
{
    const auto milliseconds = [](double seconds) { return numberInWords(std::round(seconds * 1e5) / 100) + " ms"; };
    return "clock " + std::string(machine.clockOffset < 0 ? "" : "+") + milliseconds(machine.clockOffset) + " (± "
           + milliseconds(machine.clockError) + ")";
}

std::string connectionInWords(const protocol::MachineStatus &machine)
{
    if (machine.isConnected)
        return "connected";
    return machine.isUsed ? wording::clause(machine.unavailable) : "not connected: no running sweep uses it";
}

}  // namespace

std::string deviceListInWords(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known)
{
    std::map<std::string, std::vector<std::string>> machines;
    for (const std::string &id : devices)
        machines[sweep::machineOf(id)].push_back(id);
    std::string text;
    for (const auto &[machine, ids] : machines)
        text += (text.empty() ? "" : "; ") + (machine.empty() ? "" : machine + ": ") + devicesOfMachine(ids, known);
    return text;
}

std::vector<std::string> linesOf(const protocol::MachineStatus &machine)
{
    const std::string name = machine.name.toStdString();
    std::vector<std::string> lines{name + "  " + machine.address.toStdString() + "  " + connectionInWords(machine)};
    const protocol::MachineUse use = protocol::useOf(machine);
    std::string have;
    const auto add = [&have](const std::string &part) { have += (have.empty() ? "" : "  ") + part; };
    const auto freeOf = [](int free, int all) { return std::to_string(free) + " of " + std::to_string(all) + " free"; };
    if (use.gpus > 0)
        add("GPUs: " + freeOf(use.freeGpus, use.gpus));
    if (use.cores > 0)
        add("CPU cores: " + freeOf(use.freeCores, use.cores));
    if (machine.isConnected || use.trials > 0)
        add(use.trials == 1 ? "1 trial" : std::to_string(use.trials) + " trials");
    if (machine.memoryBytes > 0)
        add(gibibytes(machine.memoryBytes) + " memory");
    if (machine.freeBytes > 0)
        add(gibibytes(machine.freeBytes) + " free disk");
    if (machine.clockError > 0)
        add(clockInWords(machine));
    if (!have.empty())
        lines.push_back("    " + have);
    if (machine.isConnected && machine.unavailable)
        lines.push_back("    starts no trials now: " + wording::clause(machine.unavailable));
    if (!machine.note.isEmpty())
        lines.push_back("    " + machine.note.toStdString());
    if (machine.isUsed && !machine.isConnected)
        lines.push_back("    To find the cause: sweepctl machine check " + name);
    return lines;
}

}  // namespace sweepscope::ctl
