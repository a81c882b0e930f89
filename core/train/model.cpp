#include "train/model.h"

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

}  // namespace

torch::nn::Sequential makeModel(const TrainSettings &settings, const ModelShape &shape)
{
    torch::nn::Sequential model;
    std::int64_t features = shape.height * shape.width;
    if (settings.model == "cnn") {
        addConvolution(model, 1, 16);
        addConvolution(model, 16, 32);
        model->push_back(torch::nn::Flatten());
        features = 32 * (shape.height / 4) * (shape.width / 4);
        addHidden(model, features, settings);
        features = settings.hidden;
    } else {
        model->push_back(torch::nn::Flatten());
        for (std::int64_t i = 0; settings.model == "mlp" && i < settings.layers; ++i) {
            addHidden(model, features, settings);
            features = settings.hidden;
        }
    }
    model->push_back(torch::nn::Linear(features, shape.classes));
    return model;
}

}  // namespace sweepscope::train
