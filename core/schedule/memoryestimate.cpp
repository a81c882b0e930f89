#include "schedule/memoryestimate.h"

#include "sweep/parameter.h"
#include "sweep/stages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace sweepscope::schedule {

namespace {

constexpr std::int64_t largestBatchTried = 1'000'000;  // the largest batch_size that the worker takes

template <class Value>
std::optional<Value> settingOf(const sweep::SweepSpec &spec, const sweep::ParameterSet &point, const std::string &name)
{
    const sweep::ParameterValue *found = sweep::find(point, name);
    if (const auto setting = spec.run.settings.find(name); found == nullptr && setting != spec.run.settings.end())
        found = &setting->second;
    const Value *value = found != nullptr ? std::get_if<Value>(found) : nullptr;
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::uint64_t rounded(double bytes)
{
    return bytes > 0 ? static_cast<std::uint64_t>(std::llround(bytes)) : 0;
}

/// Of the whole model on one device. Where memory grows faster at last than the peak of small batches shows, what the
/// layers keep is the lower bound.
double activationsOf(const sweep::MemoryProfile &profile, double samples)
{
    double kept = 0;
    for (const auto &layer : profile.layers)
        kept += layer.kept.at(samples);
    return std::max({profile.peak.at(samples), kept, static_cast<double>(profile.update)});
}

std::vector<DeviceMemory> replicas(const sweep::MemoryProfile &profile, int devices, std::int64_t batchSize)
{
    const double share = std::ceil(static_cast<double>(batchSize) / devices);
    DeviceMemory other;
    other.parameters = profile.parameters() + profile.buffers();
    other.gradients = profile.gradients;
    other.activations = rounded(activationsOf(profile, share));
    std::vector<DeviceMemory> all(static_cast<std::size_t>(devices), other);
    all.front().optimizer = profile.optimizer;
    if (devices > 1)
        all.front().activations += rounded(profile.inputPerSample * static_cast<double>(batchSize));
    return all;
}

std::vector<DeviceMemory> stages(const sweep::MemoryProfile &profile, int devices, std::int64_t batchSize)
{
    if (devices > 1 && (!profile.canBeSplit || profile.layers.size() < static_cast<std::size_t>(devices)))
        return {};
    std::vector<std::int64_t> weights;
    double keptByAll = 0;
    const auto samples = static_cast<double>(batchSize);
    for (const auto &layer : profile.layers) {
        weights.push_back(static_cast<std::int64_t>(layer.parameters));
        keptByAll += std::max(0.0, layer.kept.at(samples));
    }
    const double moment = std::max(0.0, activationsOf(profile, samples) - keptByAll);
    const std::vector<std::size_t> assigned = sweep::assignStages(weights, static_cast<std::size_t>(devices));
    const double all = static_cast<double>(std::max<std::uint64_t>(1, profile.parameters()));
    std::vector<DeviceMemory> memory(static_cast<std::size_t>(devices));
    std::vector<double> kept(memory.size());
    std::vector<double> parameters(memory.size());
    for (std::size_t i = 0; i < assigned.size(); ++i) {
        const auto &layer = profile.layers[i];
        memory[assigned[i]].parameters += layer.parameters + layer.buffers;
        parameters[assigned[i]] += static_cast<double>(layer.parameters);
        kept[assigned[i]] += std::max(0.0, layer.kept.at(samples));
    }
    for (std::size_t stage = 0; stage < memory.size(); ++stage) {
        const double share = parameters[stage] / all;
        memory[stage].gradients = rounded(static_cast<double>(profile.gradients) * share);
        memory[stage].optimizer = rounded(static_cast<double>(profile.optimizer) * share);
        memory[stage].activations =
            rounded(std::max(kept[stage] + moment, static_cast<double>(profile.update) * share));
    }
    return memory;
}

DeviceMemory sumOf(const std::vector<DeviceMemory> &devices)
{
    DeviceMemory sum;
    for (const DeviceMemory &device : devices) {
        sum.parameters += device.parameters;
        sum.gradients += device.gradients;
        sum.optimizer += device.optimizer;
        sum.activations += device.activations;
    }
    return sum;
}

/// The devices of a rank on the CPU share its memory. Replicas there are views of one set of weights.
DeviceMemory memoryOnCpu(const sweep::MemoryProfile &profile, const ParallelLayout &layout, std::int64_t batchSize)
{
    DeviceMemory rank = memoryOfRank(profile, {.parallel = "ddp"}, batchSize).front();
    if (layout.parallel == "data_parallel") {
        const std::vector<DeviceMemory> all = replicas(profile, layout.devices, batchSize);
        rank.gradients = sumOf(all).gradients;
    }
    return rank;
}

struct Need {
    DeviceMemory largest;
    std::uint64_t bytes = 0;
};

Need needOf(const sweep::MemoryProfile &profile, const ParallelLayout &layout, const MemorySupply &supply,
            std::int64_t batchSize)
{
    if (!supply.isGpu) {
        const DeviceMemory rank = memoryOnCpu(profile, layout, batchSize);
        const auto ranks = static_cast<std::uint64_t>(layout.ranks) * static_cast<std::uint64_t>(supply.trialsAtOnce);
        return {rank, ranks * (profile.process + profile.data + rank.total())};
    }
    const std::vector<DeviceMemory> devices = memoryOfRank(profile, layout, batchSize);
    const DeviceMemory largest = *std::ranges::max_element(devices, {}, &DeviceMemory::total);
    return {largest, gpuOverhead + largest.total()};
}

/// Of a rank: it has a share of the samples.
std::int64_t largestPossibleBatch(const sweep::MemoryProfile &profile, const ParallelLayout &layout)
{
    const std::int64_t ranks = std::max(layout.ranks, 1);
    return profile.samples > 0 ? (profile.samples + ranks - 1) / ranks : largestBatchTried;
}

/// 0 if not even one sample fits.
std::int64_t largestBatch(const sweep::MemoryProfile &profile, const ParallelLayout &layout, const MemorySupply &supply)
{
    std::int64_t fits = 0;
    std::int64_t tooLarge = largestPossibleBatch(profile, layout) + 1;
    while (tooLarge - fits > 1) {
        const std::int64_t middle = std::midpoint(fits, tooLarge);
        (needOf(profile, layout, supply, middle).bytes <= supply.bytes ? fits : tooLarge) = middle;
    }
    return fits;
}

}  // namespace

std::vector<ParallelLayout> layoutsOf(const sweep::SweepSpec &spec, const sweep::ParameterSet &point)
{
    const std::string parallel = settingOf<std::string>(spec, point, "parallel").value_or("ddp");
    const auto given = static_cast<int>(settingOf<std::int64_t>(spec, point, "stages").value_or(0));
    const auto wanted = settingOf<std::int64_t>(spec, point, "ranks");
    const int ranks = wanted ? static_cast<int>(*wanted) : spec.run.ranks;
    const bool isDdp = parallel == "ddp";
    const int perRank = isDdp ? 1 : given > 0 ? given : std::max(spec.devices.perRank, 2);
    std::vector<ParallelLayout> layouts{{parallel, ranks, perRank, /*isChosen=*/true}};
    const int devices = ranks * perRank;
    const auto add = [&](const char *name, int count) {
        if (parallel != name && count > 0)
            layouts.push_back({name, count, devices / count});
    };
    if (devices > 1) {
        add("ddp", devices);
        add("data_parallel", 1);
        add("model", 1);
    }
    if (devices > 2 && devices % 2 == 0)
        add("hybrid", devices / 2);
    return layouts;
}

std::vector<DeviceMemory> memoryOfRank(const sweep::MemoryProfile &profile, const ParallelLayout &layout,
                                       std::int64_t batchSize)
{
    return layout.parallel == "data_parallel"
               ? replicas(profile, layout.devices, batchSize)
               : stages(profile, layout.parallel == "ddp" ? 1 : layout.devices, batchSize);
}

MemoryEstimate estimateMemory(const sweep::MemoryProfile &profile, const ParallelLayout &layout,
                              const MemorySupply &supply)
{
    using facts::Code;
    using facts::Field;
    const auto fact = [&](Code code) {
        return facts::Fact(code)
            .with(Field::Parallel, layout.parallel)
            .with(Field::Count, layout.ranks)
            .with(Field::PerRank, layout.devices)
            .with(Field::Kind, std::string(supply.isGpu ? "gpu" : "cpu"));
    };
    MemoryEstimate estimate{.layout = layout};
    if (memoryOfRank(profile, layout, profile.batchSize).empty()) {
        estimate.verdict = fact(Code::ModelUnsplit);
        if (profile.canBeSplit)
            estimate.verdict =
                std::move(estimate.verdict).with(Field::Limit, static_cast<std::int64_t>(profile.layers.size()));
        return estimate;
    }
    const std::int64_t most = largestPossibleBatch(profile, layout);
    const Need need = needOf(profile, layout, supply, std::min(profile.batchSize, most));
    estimate.largest = need.largest;
    estimate.needed = need.bytes;
    const std::int64_t limit = largestBatch(profile, layout, supply);
    estimate.verdict = fact(need.bytes <= supply.bytes ? Code::MemoryFits : Code::MemoryShort)
                           .with(Field::NeededBytes, static_cast<std::int64_t>(need.bytes))
                           .with(Field::Bytes, static_cast<std::int64_t>(supply.bytes))
                           .with(Field::Device, supply.name);
    if (limit > 0 && (limit < most || profile.samples == 0))
        estimate.verdict = std::move(estimate.verdict).with(Field::Limit, limit);
    return estimate;
}

}  // namespace sweepscope::schedule
