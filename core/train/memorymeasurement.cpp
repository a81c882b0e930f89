#include "train/memorymeasurement.h"

#include "train/allocationmeter.h"
#include "train/data/dataset.h"
#include "train/data/moments.h"
#include "train/model.h"
#include "train/models/layerednetwork.h"
#include "train/models/recomputed.h"
#include "train/models/scriptnetwork.h"
#include "train/optimizer.h"
#include "train/stepper.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <torch/torch.h>
#include <unistd.h>

namespace sweepscope::train {

namespace {

std::uint64_t bytesOf(const std::vector<torch::Tensor> &tensors)
{
    std::uint64_t sum = 0;
    for (const torch::Tensor &tensor : tensors)
        sum += tensor.nbytes();
    return sum;
}

std::uint64_t bytesOf(const Samples &samples)
{
    if (samples.size() == 0)
        return 0;
    return (samples.rows.defined() ? samples.rows.nbytes() : samples.inputs.nbytes()) + samples.targets.nbytes();
}

std::uint64_t residentBytes()
{
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// 0 if unknown.
std::int64_t availableMemory()
{
    std::ifstream file("/proc/meminfo");
    for (std::string name, unit; file >> name;) {
        std::int64_t kibibytes = 0;
        if (name == "MemAvailable:" && file >> kibibytes)
            return kibibytes * 1024;
        std::getline(file, unit);
    }
    return 0;
}

/// A network whose activations are counted by layer.
class MeteredNetwork : public Network {
public:
    MeteredNetwork(const TrainSettings &settings, const ModelShape &shape, AllocationMeter &meter)
        : m_meter(meter), m_recomputes(settings.activationCheckpointing), m_bf16(settings.precision == "bf16")
    {
        const torch::Device device = torch::kCPU;
        if (settings.model == "torchscript") {
            m_network = std::make_unique<ScriptNetwork>(settings.modelFile, device);
            m_layers.push_back({bytesOf(tensorsOf(m_network->parameters())), bytesOf(tensorsOf(m_network->buffers()))});
        } else {
            torch::manual_seed(settings.seed);
            m_modules = makeLayers(settings, shape);
            m_network = std::make_unique<LayeredNetwork>(m_modules, std::vector<torch::Device>{device});
            for (const auto &child : m_modules->children())
                m_layers.push_back({bytesOf(child->parameters()), bytesOf(child->buffers())});
        }
        m_kept.resize(m_layers.size());
    }

    torch::Tensor forward(const torch::Tensor &inputs) override
    {
        torch::Tensor values = inputs;
        if (m_modules.is_empty()) {
            m_meter.setOwner(0);
            values = m_network->forward(values);
        } else {
            std::size_t index = 0;
            for (torch::nn::AnyModule &layer : *m_modules) {
                m_meter.setOwner(index++);
                const bool isRecomputed = m_recomputes && !layer.ptr()->children().empty();
                values = isRecomputed ? forwardRecomputed(layer, values, torch::kCPU, m_bf16) : layer.forward(values);
            }
        }
        m_meter.setOwner(AllocationMeter::noOwner);
        for (std::size_t i = 0; i < m_kept.size(); ++i)
            m_kept[i] = m_meter.liveOf(i);
        return values;
    }
    std::vector<NamedTensor> parameters() const override { return m_network->parameters(); }
    std::vector<NamedTensor> buffers() const override { return m_network->buffers(); }
    void train(bool on) override { m_network->train(on); }
    /// The stepper calls this between backward pass and update.
    void collectGradients() override
    {
        m_peakBeforeUpdate = m_meter.peak();
        m_meter.resetPeak();
    }

    const std::vector<sweep::MemoryProfile::Layer> &layers() const { return m_layers; }
    /// Of the last forward pass, by layer.
    const std::vector<std::int64_t> &kept() const { return m_kept; }
    std::int64_t peakBeforeUpdate() const { return m_peakBeforeUpdate; }

private:
    AllocationMeter &m_meter;
    bool m_recomputes;
    bool m_bf16;
    torch::nn::Sequential m_modules{nullptr};
    std::unique_ptr<Network> m_network;
    std::vector<sweep::MemoryProfile::Layer> m_layers;
    std::vector<std::int64_t> m_kept;
    std::int64_t m_peakBeforeUpdate = 0;
};

/// Of one step, above what stays between steps.
struct StepMemory {
    std::int64_t batchSize = 0;
    std::vector<std::int64_t> kept{};  ///< by layer
    std::int64_t peak = 0;             ///< of forward and backward pass
    std::int64_t update = 0;
    std::chrono::steady_clock::duration time{};
};

class StepMeasurement {
public:
    StepMeasurement(const TrainSettings &settings, const TrialData &data)
        : m_settings(settings),
          m_data(data),
          m_group(c10::intrusive_ptr<c10d::Store>(), 0, 1, {.backend = "gloo"}),
          m_network(settings, shapeOf(data), m_meter)
    {
        DistributedDataParallel::Options options;
        options.findUnused = settings.findUnused;
        const std::int64_t before = m_meter.live();
        m_parallel.emplace(m_network.parameters(), m_network.buffers(), m_group, options);
        m_gradients = m_meter.live() - before;
        m_optimizer.emplace(settings, m_network.parameters());
        m_stepper.emplace(settings, data.task, m_network, *m_parallel, *m_optimizer, m_group, Stepper::Figures::AtOnce);
        m_network.train(true);
    }

    StepMemory step(std::int64_t batchSize)
    {
        const BatchMaker maker(m_data.kind, m_data.normalisation, torch::kCPU, m_settings.channelsLast);
        const torch::Tensor rows = torch::arange(batchSize, torch::kInt64).remainder(m_data.train.size());
        const auto nextBatch = [&] { return maker.make(m_data.train, rows); };
        const std::int64_t batches = std::min<std::int64_t>(2, m_settings.accumulate);
        const auto start = std::chrono::steady_clock::now();
        const std::int64_t before = m_meter.live();
        m_meter.resetPeak();
        m_stepper->run(++m_steps, nextBatch, batches, m_settings.learningRate, false);
        // What the first steps leave behind, such as the optimizer's state, is no peak.
        const std::int64_t stays = m_meter.live();
        StepMemory memory{batchSize, m_network.kept(), m_network.peakBeforeUpdate() - before, m_meter.peak() - stays};
        memory.time = std::chrono::steady_clock::now() - start;
        return memory;
    }

    const std::vector<sweep::MemoryProfile::Layer> &layers() const { return m_network.layers(); }
    std::int64_t gradients() const { return m_gradients; }
    std::int64_t live() const { return m_meter.live(); }

private:
    const TrainSettings &m_settings;
    const TrialData &m_data;
    AllocationMeter m_meter;
    ProcessGroup m_group;
    MeteredNetwork m_network;
    std::optional<DistributedDataParallel> m_parallel;
    std::optional<Optimizer> m_optimizer;
    std::optional<Stepper> m_stepper;
    std::int64_t m_gradients = 0;
    std::int64_t m_steps = 0;
};

/// The two largest batches that can be measured: `wanted` and a smaller one, if time and memory allow. One sample alone
/// has no variance, which batch normalization needs.
std::pair<StepMemory, StepMemory> measureTwo(StepMeasurement &measurement, std::int64_t wanted,
                                             std::chrono::milliseconds limit)
{
    constexpr std::int64_t growth = 4;
    StepMemory smaller = measurement.step(2);
    StepMemory larger = measurement.step(wanted > 2 ? std::min(wanted, 2 * growth) : 2 * growth);
    while (larger.batchSize < wanted && larger.time * growth <= limit
           && larger.peak * growth < std::max<std::int64_t>(availableMemory() / 2, 1)) {
        smaller = std::move(larger);
        larger = measurement.step(std::min(wanted, smaller.batchSize * growth));
    }
    return {std::move(smaller), std::move(larger)};
}

/// Rounding and what comes with every batch may make the line fall or begin below zero; memory does neither.
sweep::BatchMemory lineThrough(std::int64_t firstSize, std::int64_t first, std::int64_t secondSize, std::int64_t second)
{
    const double perSample =
        std::max(0.0, static_cast<double>(second - first) / static_cast<double>(secondSize - firstSize));
    return {static_cast<double>(second) - perSample * static_cast<double>(secondSize), perSample};
}

}  // namespace

Expected<sweep::MemoryProfile> measureMemory(const TrainSettings &settings, std::chrono::milliseconds limit)
{
    sweep::MemoryProfile profile;
    profile.process = residentBytes();
    Expected<TrialData> data = loadTrialData(settings);
    if (!data)
        return tl::unexpected(data.error());
    if (const Expected<void> fits = checkModel(settings, shapeOf(*data)); !fits)
        return tl::unexpected(fits.error());
    if (settings.model == "torchscript") {
        if (const Expected<void> fits = checkScript(settings, *data); !fits)
            return tl::unexpected(fits.error());
    }
    if (data->moments.defined())
        data->normalisation = mergeMoments({data->moments}, data->train.inputs, data->kind);
    StepMeasurement measurement(settings, *data);
    const std::int64_t withoutState = measurement.live();
    measurement.step(2);  // makes the optimizer's state, and the buckets' final order
    profile.optimizer = static_cast<std::uint64_t>(std::max<std::int64_t>(0, measurement.live() - withoutState));
    if (settings.emaDecay > 0) {
        for (const sweep::MemoryProfile::Layer &layer : measurement.layers())
            profile.optimizer += layer.parameters;
    }
    const auto [smaller, larger] = measureTwo(measurement, settings.batchSize, limit);

    profile.layers = measurement.layers();
    for (std::size_t i = 0; i < profile.layers.size(); ++i)
        profile.layers[i].kept = lineThrough(smaller.batchSize, smaller.kept[i], larger.batchSize, larger.kept[i]);
    profile.peak = lineThrough(smaller.batchSize, smaller.peak, larger.batchSize, larger.peak);
    // In small batches something else than activations is the peak; in larger ones than were measured it is activations,
    // and in backward the gradients of as many.
    double keptPerSample = 0;
    for (const sweep::MemoryProfile::Layer &layer : profile.layers)
        keptPerSample += layer.kept.perSample;
    const double least = 2 * keptPerSample;
    if (larger.batchSize < settings.batchSize && profile.peak.perSample < least)
        profile.peak = {static_cast<double>(larger.peak) - least * static_cast<double>(larger.batchSize), least};
    profile.canBeSplit = settings.model != "torchscript";
    profile.gradients = static_cast<std::uint64_t>(std::max<std::int64_t>(0, measurement.gradients()));
    profile.update = static_cast<std::uint64_t>(std::max<std::int64_t>(0, larger.update));
    profile.inputPerSample = static_cast<double>(data->train.inputs[0].numel())
                             * (data->kind == SampleKind::Tokens ? sizeof(std::int64_t) : sizeof(float));
    profile.data = bytesOf(data->train) + bytesOf(data->validation) + bytesOf(data->test);
    profile.samples = data->train.size();
    profile.batchSize = settings.batchSize;
    profile.measuredSizes = {smaller.batchSize, larger.batchSize};
    return profile;
}

}  // namespace sweepscope::train
