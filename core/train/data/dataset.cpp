#include "train/data/dataset.h"

#include "base/installation.h"
#include "train/data/digits.h"
#include "train/data/mnist.h"
#include "train/data/randomsplit.h"

#include <algorithm>
#include <cstdlib>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Enough images to know the mean pixel; all of MNIST would cost start-up time and change the third digit.
constexpr std::int64_t imagesForStatistics = 4096;

void measurePixels(TrialData &data)
{
    const torch::Tensor pixels =
        data.train.images.narrow(0, 0, std::min(data.train.size(), imagesForStatistics)).to(torch::kFloat32);
    data.pixelMean = pixels.mean().item<double>();
    const double deviation = pixels.std(/*unbiased=*/false).item<double>();
    data.pixelDeviation = deviation > 0 ? deviation : 1;
}

Expected<std::filesystem::path> mnistFolder(const TrainSettings &settings)
{
    if (!settings.dataFolder.empty())
        return std::filesystem::path(settings.dataFolder);
    if (const char *folder = std::getenv("SWEEPSCOPE_MNIST"); folder != nullptr && *folder != '\0')
        return std::filesystem::path(folder);
    return makeError(
        ErrorCode::BadInput,
        "data_folder: dataset mnist needs the folder with its four IDX files, plain or gzipped; name it in "
        "data_folder or in the environment variable SWEEPSCOPE_MNIST (docs/training.md says where to get "
        "them)");
}

}  // namespace

LabelledImages LabelledImages::select(const torch::Tensor &indices) const
{
    return {images.index_select(0, indices), labels.index_select(0, indices)};
}

LabelledImages LabelledImages::to(torch::Device device) const
{
    return {images.to(device), labels.to(device)};
}

Expected<TrialData> loadTrialData(const TrainSettings &settings)
{
    TrialData data;
    const double validation = settings.validationFraction;
    const double test = settings.testFraction;
    torch::Tensor trainIndices;
    if (settings.dataset == "mnist") {
        const Expected<std::filesystem::path> folder = mnistFolder(settings);
        if (!folder)
            return tl::unexpected(folder.error());
        Expected<Mnist> mnist = readMnist(*folder);
        if (!mnist)
            return tl::unexpected(mnist.error());
        const auto parts = randomSplit(mnist->train.size(), {1 - validation, validation}, settings.seed);
        trainIndices = parts[0];
        data.train = mnist->train;
        data.validation = mnist->train.select(parts[1]);
        data.test = mnist->test;
    } else {
        if (validation + test >= 1)
            return makeError(ErrorCode::BadInput, "validation_fraction, test_fraction: together they leave nothing to "
                                                  "train on; their sum must be below 1");
        Expected<LabelledImages> digits = readDigits(shareFolder() / "data" / "digits.csv.gz");
        if (!digits)
            return tl::unexpected(digits.error());
        const auto parts = randomSplit(digits->size(), {1 - validation - test, validation, test}, settings.seed);
        trainIndices = parts[0];
        data.train = *digits;
        data.validation = digits->select(parts[1]);
        data.test = digits->select(parts[2]);
    }
    data.classes = 10;

    if (settings.trainSamples > 0 && settings.trainSamples < trainIndices.size(0))
        trainIndices = trainIndices.narrow(0, 0, settings.trainSamples);
    if (trainIndices.size(0) == 0)
        return makeError(ErrorCode::BadInput, "dataset " + settings.dataset + ": no image is left to train on");
    data.train = data.train.select(trainIndices);
    measurePixels(data);
    return data;
}

}  // namespace sweepscope::train
