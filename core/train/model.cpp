#include "train/model.h"

#include "train/models/layerednetwork.h"
#include "train/models/replicatednetwork.h"
#include "train/models/resnet.h"
#include "train/models/scriptnetwork.h"
#include "train/models/transformer.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

void addHidden(torch::nn::Sequential &model, std::int64_t inputs, const TrainSettings &settings)
{
    model->push_back(torch::nn::Linear(inputs, settings.hidden));
    model->push_back(torch::nn::ReLU());
    if (settings.dropout > 0)
        model->push_back(torch::nn::Dropout(settings.dropout));
}

void addConvolution(torch::nn::Sequential &model, std::int64_t inputs, std::int64_t outputs)
{
    model->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, outputs, 3).padding(1)));
    model->push_back(torch::nn::ReLU());
    model->push_back(torch::nn::MaxPool2d(2));
}

torch::nn::Sequential makeCnn(const TrainSettings &settings, const ModelShape &shape)
{
    torch::nn::Sequential model;
    addConvolution(model, shape.channels, 16);
    addConvolution(model, 16, 32);
    model->push_back(torch::nn::Flatten());
    addHidden(model, 32 * (shape.height / 4) * (shape.width / 4), settings);
    model->push_back(torch::nn::Linear(settings.hidden, shape.outputs));
    return model;
}

torch::nn::Sequential makeMlp(std::int64_t layers, const TrainSettings &settings, const ModelShape &shape)
{
    torch::nn::Sequential model;
    std::int64_t features = shape.features();
    model->push_back(torch::nn::Flatten());
    for (std::int64_t i = 0; i < layers; ++i) {
        addHidden(model, features, settings);
        features = settings.hidden;
    }
    model->push_back(torch::nn::Linear(features, shape.outputs));
    return model;
}

std::unique_ptr<Network> makeSingle(const TrainSettings &settings, const ModelShape &shape,
                                    const std::vector<torch::Device> &devices, ProcessGroup *group)
{
    if (settings.model == "torchscript")
        return std::make_unique<ScriptNetwork>(settings.modelFile, devices.front());
    torch::manual_seed(settings.seed);
    return std::make_unique<LayeredNetwork>(
        makeLayers(settings, shape, settings.syncBatchNorm ? group : nullptr), devices,
        LayeredNetwork::Options{.recomputes = settings.activationCheckpointing, .bf16 = settings.precision == "bf16"});
}

}  // namespace

ModelShape shapeOf(const TrialData &data)
{
    ModelShape shape;
    const torch::Tensor &inputs = data.train.inputs;
    shape.kind = data.kind;
    shape.outputs = data.outputs;
    shape.vocabulary = data.vocabulary;
    if (data.kind == SampleKind::Image) {
        shape.channels = inputs.size(1);
        shape.height = inputs.size(2);
        shape.width = inputs.size(3);
    } else if (data.kind == SampleKind::Tokens) {
        shape.context = inputs.size(1);
    } else {
        shape.columns = inputs[0].numel();
    }
    return shape;
}

Expected<void> checkModel(const TrainSettings &settings, const ModelShape &shape)
{
    const auto refuse = [&](const std::string &why) {
        return makeError(ErrorCode::BadInput, "model: " + settings.model + " " + why);
    };
    if (settings.activationCheckpointing && (settings.model == "torchscript" || settings.findUnused))
        return makeError(
            ErrorCode::BadInput,
            settings.findUnused
                ? "activation_checkpointing: hides from find_unused which parameters are used; use one of them"
                : "activation_checkpointing: needs a model whose blocks are known, not torchscript");
    if (settings.model == "torchscript") {
        if (settings.modelFile.empty())
            return makeError(
                ErrorCode::BadInput,
                "model_file: is required for model torchscript; set it to a file written by torch.jit.save");
        if (settings.parallel == "model" || settings.parallel == "hybrid")
            return refuse("cannot be split into stages; use parallel = ddp or data_parallel");
        return {};
    }
    const bool convolutional = settings.model == "cnn" || settings.model == "resnet";
    if (convolutional && shape.kind != SampleKind::Image)
        return refuse("needs images, but dataset " + settings.dataset + " has none; use mlp or linear");
    if (settings.model == "cnn" && (shape.height < 4 || shape.width < 4))
        return refuse("needs images of at least 4 x 4 pixels");
    if ((settings.model == "transformer") != (shape.kind == SampleKind::Tokens))
        return refuse(shape.kind == SampleKind::Tokens ? "cannot be used with dataset text; use transformer"
                                                       : "needs dataset text");
    if (settings.model == "transformer" && settings.hidden % settings.heads != 0)
        return makeError(ErrorCode::BadInput, "heads: " + std::to_string(settings.heads)
                                                  + " does not divide hidden = " + std::to_string(settings.hidden));
    return {};
}

torch::nn::Sequential makeLayers(const TrainSettings &settings, const ModelShape &shape, ProcessGroup *group)
{
    if (settings.model == "cnn")
        return makeCnn(settings, shape);
    if (settings.model == "resnet")
        return makeResnet(shape.channels, settings.layers, shape.outputs, group);
    if (settings.model == "transformer")
        return makeTransformer({.vocabulary = shape.vocabulary,
                                .context = shape.context,
                                .width = settings.hidden,
                                .heads = settings.heads,
                                .blocks = settings.layers,
                                .dropout = settings.dropout});
    return makeMlp(settings.model == "mlp" ? settings.layers : 0, settings, shape);
}

std::unique_ptr<Network> makeNetwork(const TrainSettings &settings, const ModelShape &shape,
                                     const std::vector<torch::Device> &devices, ProcessGroup *group)
{
    if (settings.parallel != "data_parallel")
        return makeSingle(settings, shape,
                          settings.parallel == "ddp" ? std::vector<torch::Device>{devices.front()} : devices, group);
    std::vector<std::unique_ptr<Network>> replicas;
    for (const torch::Device &device : devices)
        replicas.push_back(makeSingle(settings, shape, {device}, nullptr));
    return std::make_unique<ReplicatedNetwork>(std::move(replicas), devices, settings.precision == "bf16");
}

std::vector<torch::Tensor> tensorsOf(const std::vector<NamedTensor> &named)
{
    std::vector<torch::Tensor> tensors;
    for (const NamedTensor &item : named)
        tensors.push_back(item.tensor);
    return tensors;
}

}  // namespace sweepscope::train
