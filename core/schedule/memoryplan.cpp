#include "schedule/memoryplan.h"

#include "base/lineprogram.h"
#include "schedule/gpuchoice.h"
#include "sweep/command.h"
#include "sweep/parameter.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace sweepscope::schedule {

namespace {

using sweep::Dimension;
using sweep::ParameterSet;
using sweep::ParameterValue;

constexpr std::size_t mostPoints = 4;
constexpr std::chrono::seconds patience{20};  // a large data set is read first

bool isOneOf(std::string_view name, const auto &names)
{
    return std::ranges::find(names, name) != names.end();
}

/// Parameters of which the largest value needs the most memory.
bool isSize(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> names{"batch_size", "hidden",   "layers",  "heads",
                                                           "context",    "momentum", "dropout", "accumulate"};
    return isOneOf(name, names);
}

/// Parameters whose values cannot be compared without measuring.
bool isKind(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> names{"model",     "dataset",     "model_file",
                                                           "data_file", "target_file", "data_folder"};
    return isOneOf(name, names);
}

ParameterValue largestOf(const Dimension &dimension)
{
    const auto number = [](const ParameterValue &value) { return sweep::numberOf(value).value_or(0); };
    if (!dimension.values.empty())
        return *std::ranges::max_element(dimension.values, {}, number);
    return sweep::isWhole(dimension.kind) ? ParameterValue(static_cast<std::int64_t>(dimension.high))
                                          : ParameterValue(dimension.high);
}

/// The one that keeps most per parameter (Optimizer::stateNames), or float32.
std::optional<ParameterValue> heaviestChoice(const Dimension &dimension)
{
    static constexpr std::array<std::string_view, 5> optimizers{"adam", "adamw", "rmsprop", "adagrad", "sgd"};
    static constexpr std::array<std::string_view, 2> precisions{"float32", "bf16"};
    const auto first = [&](const auto &order) -> std::optional<ParameterValue> {
        for (const std::string_view name : order) {
            const ParameterValue value{std::string(name)};
            if (std::ranges::find(dimension.values, value) != dimension.values.end())
                return value;
        }
        return std::nullopt;
    };
    if (dimension.name == "optimizer")
        return first(optimizers);
    return dimension.name == "precision" ? first(precisions) : std::nullopt;
}

std::vector<MemorySupply> suppliesOf(const sweep::SweepSpec &spec, const MachineNow &machine, const SweepPlan &plan)
{
    GpuWishes wishes;
    wishes.pin = spec.devices.pin;
    wishes.exclude = spec.devices.exclude;
    std::vector<MemorySupply> supplies;
    for (const device::Device &device : machine.devices) {
        if (spec.devices.kind == sweep::DeviceKind::Cpu || device.kind != device::Kind::Gpu || !device.offered
            || device.memoryBytes == 0 || !mayHave(wishes, device))
            continue;
        const std::uint64_t share = device.memoryBytes / static_cast<std::uint64_t>(std::max(1, spec.devices.perGpu));
        MemorySupply supply{device.simulated ? device.name + ", simulated" : device.name, true,
                            spec.devices.memoryBytes > 0 ? spec.devices.memoryBytes : share};
        if (std::ranges::find(supplies, supply) == supplies.end())
            supplies.push_back(std::move(supply));
    }
    if (supplies.empty() && spec.devices.kind != sweep::DeviceKind::Gpu && machine.memoryBytes > 0)
        supplies.push_back({"this machine", false, machine.memoryBytes, std::max(1, plan.atOnce)});
    return supplies;
}

}  // namespace

MemoryMeasurement measurementBy(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                const std::filesystem::path &baseFolder, const std::atomic<bool> &cancelled)
{
    return [worker, &spec, &baseFolder, &cancelled](const ParameterSet &point) -> Expected<sweep::MemoryProfile> {
        std::error_code error;
        if (!std::filesystem::exists(worker, error))
            return makeError(ErrorCode::NotFound, worker.string() + " is missing: this build has no LibTorch");
        std::vector<std::string> command = sweep::builtinArguments(spec, point, spec.seed, baseFolder);
        command.insert(command.begin(), {worker.string(), "memory"});
        // The measurement is for the CPU, and must not load the driver of a GPU that trials use.
        Expected<LineProgram> program = LineProgram::start(
            {.command = std::move(command), .folder = baseFolder, .environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
        if (!program)
            return tl::unexpected(program.error());
        const Expected<std::string> line = program->read(patience, cancelled);
        if (!line) {
            // The worker's last line names the mistake in the settings or the data.
            std::string words = program->lastWords();
            if (words.starts_with("error: "))
                words.erase(0, std::string_view("error: ").size());
            return makeError(line.error().code, words.empty() ? line.error().message : words);
        }
        return sweep::parseMemoryProfile(*line);
    };
}

std::vector<ParameterSet> heaviestPoints(const sweep::SweepSpec &spec)
{
    std::vector<ParameterSet> points{{}};
    for (const Dimension &dimension : spec.space) {
        const bool isBuiltinSize = isSize(dimension.name) || dimension.name == "ranks" || dimension.name == "stages";
        std::vector<ParameterValue> values;
        if (isBuiltinSize)
            values = {largestOf(dimension)};
        else if (const std::optional<ParameterValue> heaviest = heaviestChoice(dimension))
            values = {*heaviest};
        else if (isKind(dimension.name) || dimension.name == "parallel")
            values = dimension.values;
        if (values.empty())
            continue;
        std::vector<ParameterSet> extended;
        for (const ParameterSet &point : points) {
            for (const ParameterValue &value : values) {
                extended.push_back(point);
                extended.back().emplace_back(dimension.name, value);
            }
        }
        points = std::move(extended);
        points.resize(std::min(points.size(), mostPoints));
    }
    return points;
}

Expected<MemoryPlan> planMemory(const sweep::SweepSpec &spec, const MachineNow &machine, const SweepPlan &plan,
                                const MemoryMeasurement &measure)
{
    if (spec.run.worker != sweep::WorkerKind::Builtin)
        return makeError(ErrorCode::Unsupported, "the memory of a command is not known before it runs");
    const std::vector<MemorySupply> supplies = suppliesOf(spec, machine, plan);
    if (supplies.empty())
        return makeError(ErrorCode::Unavailable, "the memory of the sweep's devices is not known");
    std::optional<MemoryPlan> largest;
    for (const ParameterSet &point : heaviestPoints(spec)) {
        Expected<sweep::MemoryProfile> profile = measure(point);
        if (!profile)
            return tl::unexpected(profile.error());
        const std::vector<ParallelLayout> layouts = layoutsOf(spec, point);
        MemoryPlan candidate{point, std::move(*profile), {}};
        for (const ParallelLayout &layout : layouts) {
            for (const MemorySupply &supply : supplies)
                candidate.estimates.push_back(estimateMemory(candidate.profile, layout, supply));
        }
        if (!largest || candidate.estimates.front().needed > largest->estimates.front().needed)
            largest = std::move(candidate);
    }
    return std::move(*largest);
}

}  // namespace sweepscope::schedule
