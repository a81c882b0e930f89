#include "train/inspect.h"

#include "train/data/dataset.h"
#include "train/data/moments.h"
#include "train/data/sampleorder.h"
#include "train/model.h"

#include <nlohmann/json.hpp>
#include <torch/torch.h>
#include <zlib.h>

namespace sweepscope::train {

namespace {

using Json = nlohmann::ordered_json;

Json indicesOf(const torch::Tensor &indices)
{
    if (!indices.defined())
        return nullptr;
    const torch::Tensor flat = indices.contiguous();
    return std::vector<std::int64_t>(flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel());
}

Json valuesOf(const torch::Tensor &tensor)
{
    if (!tensor.defined())
        return nullptr;
    const torch::Tensor flat = tensor.detach().to(torch::kFloat64).contiguous();
    return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
}

Json describe(const NamedTensor &item, bool values)
{
    const torch::Tensor bytes = item.tensor.detach().cpu().contiguous();
    const std::size_t size = static_cast<std::size_t>(bytes.numel()) * bytes.element_size();
    const uLong crc = crc32_z(crc32_z(0, nullptr, 0), static_cast<const Bytef *>(bytes.data_ptr()), size);
    Json described{{"name", item.name},
                   {"shape", item.tensor.sizes().vec()},
                   {"dtype", std::string(c10::toString(item.tensor.scalar_type()))},
                   {"crc32", static_cast<std::uint64_t>(crc)}};
    if (values)
        described["values"] = valuesOf(item.tensor);
    return described;
}

Json describeAll(const std::vector<NamedTensor> &tensors, bool values)
{
    Json all = Json::array();
    for (const NamedTensor &item : tensors)
        all.push_back(describe(item, values));
    return all;
}

Json describeData(const TrainSettings &settings, const TrialData &data)
{
    return {{"name", settings.dataset},
            {"task", data.task == Task::Regression ? "regression" : "classification"},
            {"input_shape", data.train.inputs.sizes().slice(1).vec()},
            {"outputs", data.outputs},
            {"mean", valuesOf(data.normalisation.mean)},
            {"deviation", valuesOf(data.normalisation.deviation)},
            {"train", data.sizes.train},
            {"validation", data.sizes.validation},
            {"test", data.sizes.test}};
}

/// The data of options.rank. Parts of it are loaded one rank after the other: their moments make the normalisation.
Expected<TrialData> loadAsTraining(const TrainSettings &settings, const InspectOptions &options)
{
    Expected<TrialData> data = loadTrialData(settings, {.rank = options.rank, .ranks = options.ranks});
    if (!data || !data->moments.defined())
        return data;
    std::vector<torch::Tensor> moments;
    for (int rank = 0; rank < options.ranks; ++rank) {
        const Expected<TrialData> other = loadTrialData(settings, {.rank = rank, .ranks = options.ranks});
        if (!other)
            return tl::unexpected(other.error());
        moments.push_back(other->moments);
    }
    data->normalisation = mergeMoments(moments, data->train.inputs, data->kind);
    return data;
}

}  // namespace

Expected<std::string> inspectTrial(const TrainSettings &settings, const InspectOptions &options)
{
    const Expected<TrialData> data = loadAsTraining(settings, options);
    if (!data)
        return tl::unexpected(data.error());
    if (const Expected<void> fits = checkSampling(settings, *data, options.ranks); !fits)
        return tl::unexpected(fits.error());
    if (const Expected<void> fits = checkModel(settings, shapeOf(*data)); !fits)
        return tl::unexpected(fits.error());
    const SampleOrder order(settings, data->sizes.train, options.ranks, options.rank, data->train.targets);
    const torch::Tensor indices = order.epoch(options.epoch);
    TrainSettings plain = settings;
    plain.parallel = "ddp";
    const std::unique_ptr<Network> network = makeNetwork(plain, shapeOf(*data), {torch::Device(torch::kCPU)});

    const std::int64_t batches = batchesPerEpoch(settings, order.size());
    const Json report{
        {"seed", settings.seed},
        {"world_size", options.ranks},
        {"rank", options.rank},
        {"epoch", options.epoch},
        {"dataset", describeData(settings, *data)},
        {"split",
         {{"train", indicesOf(data->split.train)},
          {"validation", indicesOf(data->split.validation)},
          {"test", indicesOf(data->split.test)}}},
        {"sampler",
         {{"sampling", settings.sampling},
          {"drop_last", settings.dropLast},
          {"indices", indicesOf(indices)},
          {"dataset_indices", indicesOf(data->split.train.index_select(0, indices))}}},
        {"batches_per_epoch", batches},
        {"steps_per_epoch", (batches + settings.accumulate - 1) / settings.accumulate},
        {"model", settings.model},
        {"parameters", describeAll(network->parameters(), options.values)},
        {"buffers", describeAll(network->buffers(), options.values)},
    };
    return report.dump(2);
}

}  // namespace sweepscope::train
