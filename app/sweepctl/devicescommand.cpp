#include "exitcode.h"
#include "subcommand.h"

#include "device/sources.h"
#include "engine/devicelist.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <memory>
#include <vector>

namespace sweepscope::ctl {

namespace {

void printJson(const std::vector<device::Device> &devices, const std::string &note)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const device::Device &device : devices) {
        const bool gpu = device.kind == device::Kind::Gpu;
        list.push_back({{"id", device.id},
                        {"kind", gpu ? "gpu" : "cpu"},
                        {"index", device.index},
                        {"name", device.name},
                        {"memory_bytes", gpu ? nlohmann::ordered_json(device.memoryBytes) : nullptr},
                        {"simulated", device.simulated}});
    }
    const nlohmann::ordered_json json{{"devices", std::move(list)}, {"note", note}};
    std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void print(const std::vector<device::Device> &devices, const std::string &note)
{
    std::size_t width = 0;
    for (const device::Device &device : devices)
        width = std::max(width, device.id.size());
    for (const device::Device &device : devices) {
        std::cout << std::left << std::setw(static_cast<int>(width) + 2) << device.id << device.name;
        if (device.memoryBytes > 0)
            std::cout << "  " << device.memoryBytes / (1024 * 1024) << " MiB";
        std::cout << (device.simulated ? "  (simulated)" : "") << '\n';
    }
    if (!note.empty())
        std::cout << note << '\n';
}

int listDevices(bool json)
{
    std::vector<std::unique_ptr<device::Source>> sources;
    sources.push_back(device::makeNvmlSource());
    sources.push_back(device::makeCpuSource());
    const std::vector<device::Device> devices = engine::devicesOf(sources);
    if (json)
        printJson(devices, engine::notesOf(sources));
    else
        print(devices, engine::notesOf(sources));
    return good;
}

}  // namespace

Subcommand makeDevicesCommand(CLI::App &app)
{
    auto json = std::make_shared<bool>(false);
    CLI::App *command = app.add_subcommand("devices", "List the GPUs and CPU cores that trials can be given");
    command->add_flag("--json", *json, "For scripts");
    command->footer("Needs no engine.\n\nExamples:\n  sweepctl devices\n  sweepctl devices --json");
    return {command, [json] { return listDevices(*json); }};
}

}  // namespace sweepscope::ctl
