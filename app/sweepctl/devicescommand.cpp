#include "devicetext.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "machinetext.h"
#include "othermachines.h"
#include "subcommand.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "device/sources.h"
#include "engine/devicelist.h"
#include "process/cpulist.h"
#include "schedule/leasefolder.h"
#include "wording/sentence.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace sweepscope::ctl {

namespace {

using Sources = std::vector<std::unique_ptr<device::Source>>;

/// Rates and utilisation are differences between two readings.
constexpr std::chrono::milliseconds betweenReadings{250};

/// The cost of reading all devices once.
struct ReadingCost {
    double seconds = 0;
    double cpuSeconds = 0;
    std::uint64_t calls = 0;
    std::string slowestCall;
    double slowestSeconds = 0;
};

/// The devices of this machine and their current readings.
struct ThisMachine {
    std::vector<device::Device> devices;
    std::map<std::string, device::Reading> readings;
    facts::Facts conditions;
    std::string note;
    std::string driver;
    device::GpuTopology topology;
    std::map<std::string, std::vector<schedule::LeaseHolder>> leases;
    ReadingCost cost;
};

double processCpuSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t callsOf(const Sources &sources)
{
    std::uint64_t calls = 0;
    for (const auto &source : sources)
        calls += source->cost().calls;
    return calls;
}

void sample(const Sources &sources, ThisMachine &machine)
{
    const auto begun = std::chrono::steady_clock::now();
    const double cpu = processCpuSeconds();
    const std::uint64_t calls = callsOf(sources);
    for (const auto &source : sources) {
        for (const device::DeviceReading &reading : source->sample())
            machine.readings[reading.deviceId].update(reading.reading);
    }
    machine.cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    machine.cost.cpuSeconds = processCpuSeconds() - cpu;
    machine.cost.calls = callsOf(sources) - calls;
    for (const auto &source : sources) {
        const device::SamplingCost cost = source->cost();
        const double seconds = std::chrono::duration<double>(cost.slowest).count();
        if (!cost.slowestCall.empty() && seconds >= machine.cost.slowestSeconds) {
            machine.cost.slowestCall = cost.slowestCall;
            machine.cost.slowestSeconds = seconds;
        }
    }
}

void readLeases(ThisMachine &machine)
{
    std::vector<std::string> gpus;
    for (const device::Device &device : machine.devices) {
        if (device.kind == device::Kind::Gpu)
            gpus.push_back(device.id);
    }
    if (gpus.empty())
        return;
    auto leases = schedule::LeaseFolder::readLeases(schedule::LeaseFolder::ofThisMachine(), gpus);
    if (leases)
        machine.leases = std::move(*leases);
    else
        machine.note += (machine.note.empty() ? "" : " ") + leases.error().message;
}

ThisMachine readMachine()
{
    const Sources sources = device::makeSources();
    ThisMachine machine;
    machine.devices = device::devicesOf(sources);
    sample(sources, machine);
    std::this_thread::sleep_for(betweenReadings);
    sample(sources, machine);
    machine.note = device::notesOf(sources);
    machine.conditions = device::conditionsOf(sources);
    for (const facts::Fact &condition : machine.conditions) {
        if (condition.text(facts::Field::Device).empty())  // it could not be opened and is not listed
            machine.note += (machine.note.empty() ? "" : " ") + wording::sentence(condition) + ".";
    }
    machine.topology = device::topologyOf(sources);
    readLeases(machine);
    for (const auto &source : sources) {
        const std::string driver = source->driver();
        machine.driver += (machine.driver.empty() || driver.empty() ? "" : ", ") + driver;
    }
    return machine;
}

Json jsonOf(const std::vector<device::DeviceProcess> &processes)
{
    Json list = Json::array();
    for (const device::DeviceProcess &process : processes)
        list.push_back({{"pid", process.pid},
                        {"user", orNull(process.user)},
                        {"name", orNull(process.name)},
                        {"memory_bytes", orNull(process.memoryBytes)}});
    return list;
}

Json jsonOf(const std::vector<schedule::LeaseHolder> &holders)
{
    Json list = Json::array();
    for (const schedule::LeaseHolder &holder : holders) {
        list.push_back({{"user", holder.user},
                        {"pid", holder.pid},
                        {"workspace", holder.workspace},
                        {"sweep", holder.trial.sweep},
                        {"trial", holder.trial.number}});
    }
    return list;
}

/// Returns an entry for each pair of GPUs.
Json topologyAsJson(const ThisMachine &machine)
{
    Json pairs = Json::array();
    const std::vector<device::Device> gpus = device::wholeGpus(machine.devices);
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        for (std::size_t b = a + 1; b < gpus.size(); ++b) {
            const device::GpuLink link = machine.topology.between(gpus[a].id, gpus[b].id);
            const bool isKnown = link.path != device::GpuPath::Unknown;
            pairs.push_back({{"a", gpus[a].id},
                             {"b", gpus[b].id},
                             {"path", isKnown ? Json(device::shortName(link)) : Json(nullptr)}});
        }
    }
    return pairs;
}

Json jsonOf(const device::Reading &reading)
{
    Json json = Json::object();
    for (const device::Quantity &quantity : device::quantities()) {
        if (quantity.key != nullptr)
            json[quantity.key] = orNull(reading.*quantity.value);
    }
    json["throttle"] = reading.throttleReasons
                           ? Json(device::throttleWords(static_cast<std::uint64_t>(*reading.throttleReasons)))
                           : Json(nullptr);
    json["processes"] = reading.processes ? jsonOf(*reading.processes) : Json(nullptr);
    return json;
}

Json jsonOf(const device::Device &device, const ThisMachine &machine)
{
    const bool gpu = device.kind == device::Kind::Gpu;
    const auto text = [](const std::string &words) { return words.empty() ? Json(nullptr) : Json(words); };
    Json json{{"id", device.id},
              {"kind", gpu ? "gpu" : "cpu"},
              {"index", device.index},
              {"name", device.name},
              {"memory_bytes", gpu && device.memoryBytes > 0 ? Json(device.memoryBytes) : Json(nullptr)},
              {"simulated", device.simulated},
              {"pci_bus_id", text(device.pciBusId)},
              {"part_of", text(device.parentId)},
              {"offered", device.offered}};
    if (gpu) {
        const auto leases = machine.leases.find(device.id);
        json["leases"] = leases != machine.leases.end() ? jsonOf(leases->second) : Json::array();
        json["leased"] = leases != machine.leases.end();
        json["near_cpus"] = text(process::cpuListText({device.nearCpus.begin(), device.nearCpus.end()}));
    }
    json["conditions"] = Json::array();
    for (const facts::Fact &condition : machine.conditions) {
        if (condition.text(facts::Field::Device) == device.id)
            json["conditions"].push_back(Json::parse(facts::toJson(condition)));
    }
    const auto reading = machine.readings.find(device.id);
    const device::Reading known = reading != machine.readings.end() ? reading->second : device::Reading();
    json["reading"] = gpu ? jsonOf(known) : Json{{"utilization_percent", orNull(known.utilizationPercent)}};
    return json;
}

Json jsonOf(const protocol::MachineStatus &machine)
{
    const protocol::MachineUse use = protocol::useOf(machine.devices);
    const auto known = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
    Json devices = Json::array();
    for (const protocol::DeviceStatus &device : machine.devices) {
        Json holders = Json::array();
        for (const protocol::DeviceHolder &holder : device.holders)
            holders.push_back({{"sweep", holder.sweepId}, {"trial", holder.trial}});
        devices.push_back({{"id", device.id.toStdString()},
                           {"kind", device.gpu ? "gpu" : "cpu"},
                           {"index", device.index},
                           {"name", device.name.toStdString()},
                           {"memory_bytes", device.gpu ? known(device.memoryBytes) : Json(nullptr)},
                           {"simulated", device.simulated},
                           {"offered", device.offered},
                           {"holders", std::move(holders)}});
    }
    return {{"name", machine.name.toStdString()},
            {"ssh", machine.address.toStdString()},
            {"connected", machine.isConnected},
            {"since", machine.since > 0 ? Json(localTimeInWords(machine.since)) : Json(nullptr)},
            {"unavailable", machine.isUsed ? reasonJson(machine.unavailable) : Json(nullptr)},
            {"trials", use.trials},
            {"gpus", use.gpus},
            {"free_gpus", use.freeGpus},
            {"cores", use.cores},
            {"free_cores", use.freeCores},
            {"memory_bytes", known(machine.memoryBytes)},
            {"free_disk_bytes", known(machine.freeBytes)},
            {"clock_offset_seconds", machine.clockError > 0 ? Json(machine.clockOffset) : Json(nullptr)},
            {"clock_error_seconds", known(machine.clockError)},
            {"note", machine.note.toStdString()},
            {"devices", std::move(devices)}};
}

void printJson(const ThisMachine &machine, const std::vector<protocol::MachineStatus> &others)
{
    Json machines = Json::array();
    for (const protocol::MachineStatus &other : others)
        machines.push_back(jsonOf(other));
    Json list = Json::array();
    for (const device::Device &device : machine.devices)
        list.push_back(jsonOf(device, machine));
    const ReadingCost &cost = machine.cost;
    const Json json{{"devices", std::move(list)},
                    {"topology", topologyAsJson(machine)},
                    {"machines", std::move(machines)},
                    {"note", machine.note},
                    {"driver", machine.driver.empty() ? Json(nullptr) : Json(machine.driver)},
                    {"sampling",
                     {{"seconds", cost.seconds},
                      {"cpu_seconds", cost.cpuSeconds},
                      {"cpu_percent_at_1_hz", cost.cpuSeconds * 100},
                      {"driver_calls", cost.calls},
                      {"slowest_call", cost.slowestCall.empty() ? Json(nullptr) : Json(cost.slowestCall)},
                      {"slowest_call_seconds", cost.slowestCall.empty() ? Json(nullptr) : Json(cost.slowestSeconds)}}}};
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print(const ThisMachine &machine)
{
    std::size_t width = 0;
    for (const device::Device &device : machine.devices)
        width = std::max(width, device.id.size());
    for (const device::Device &device : machine.devices) {
        std::cout << std::left << std::setw(static_cast<int>(width) + 2) << device.id << device.name;
        if (device.memoryBytes > 0)
            std::cout << "  " << device.memoryBytes / (1024 * 1024) << " MiB";
        if (!device.pciBusId.empty())
            std::cout << "  at " << device.pciBusId;
        std::cout << (device.simulated ? "  (simulated)" : "") << (device.offered ? "" : "  (not used for trials)")
                  << '\n';
        const auto reading = machine.readings.find(device.id);
        if (device.kind != device::Kind::Gpu)
            continue;
        for (const std::string &line :
             linesOf(device, reading != machine.readings.end() ? reading->second : device::Reading()))
            std::cout << "    " << line << '\n';
        for (const facts::Fact &condition : machine.conditions) {
            if (condition.text(facts::Field::Device) == device.id)
                std::cout << "    " << wording::predicate(condition) << '\n';
        }
        if (const auto leases = machine.leases.find(device.id); leases != machine.leases.end())
            std::cout << "    " << wording::clause(schedule::leasedTo(leases->second)) << '\n';
    }
    for (const std::string &line : topologyLines(machine.devices, machine.topology))
        std::cout << line << '\n';
    if (!machine.driver.empty())
        std::cout << machine.driver << '\n';
    if (!machine.note.empty())
        std::cout << machine.note << '\n';
    std::cout << std::fixed << std::setprecision(2) << "Sampling all devices takes " << machine.cost.seconds * 1e3
              << " ms, " << machine.cost.cpuSeconds * 1e3 << " ms of CPU time.\n";
}

int listDevices(const std::string &workspace, bool json)
{
    const ThisMachine machine = readMachine();
    const OtherMachines others = readOtherMachines(workspace);
    if (json) {
        printJson(machine, others.machines);
        return good;
    }
    print(machine);
    for (const protocol::MachineStatus &other : others.machines) {
        std::cout << '\n';
        if (others.engineRuns) {
            for (const std::string &line : linesOf(other))
                std::cout << line << '\n';
        } else {
            std::cout << other.name.toStdString() << "  " << other.address.toStdString()
                      << "  no engine runs in this workspace\n";
        }
    }
    return good;
}

}  // namespace

Subcommand makeDevicesCommand(CLI::App &app)
{
    auto json = std::make_shared<bool>(false);
    auto workspace = std::make_shared<std::string>();
    CLI::App *command = app.add_subcommand("devices", "List GPUs and CPU cores with their load, users and problems");
    command->add_flag("--json", *json, "Print JSON; unknown values are null");
    addWorkspaceOption(*command, *workspace);
    command->footer("Leases include those of other engines and users of this machine. Connections: NV4 is "
                    "NVLink with 4 links, PIX a\n"
                    "single PCIe switch, PXB several, PHB the PCIe host bridge, NODE one NUMA node, SYS the "
                    "link between NUMA nodes,\n"
                    "? unknown. Needs no engine, except for other\n"
                    "machines of the workspace (sweepctl machine).\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl devices\n"
                    "  sweepctl devices --json");
    return {command, [json, workspace] { return listDevices(*workspace, *json); }};
}

}  // namespace sweepscope::ctl
