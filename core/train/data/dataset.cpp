#include "train/data/dataset.h"

#include "base/installation.h"
#include "train/data/cifar10.h"
#include "train/data/csvfile.h"
#include "train/data/digits.h"
#include "train/data/mnist.h"
#include "train/data/npyfile.h"
#include "train/data/randomsplit.h"
#include "train/data/tensorfile.h"
#include "train/data/textfile.h"

#include <algorithm>
#include <cstdlib>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Enough images to know the mean pixel; all of MNIST would cost start-up time and change the third digit.
constexpr std::int64_t imagesForStatistics = 4096;

/// data_folder, or the folder that an environment variable names.
Expected<std::filesystem::path> folderOf(const TrainSettings &settings, const char *variable, const char *files)
{
    if (!settings.dataFolder.empty())
        return std::filesystem::path(settings.dataFolder);
    if (const char *folder = std::getenv(variable); folder != nullptr && *folder != '\0')
        return std::filesystem::path(folder);
    return makeError(ErrorCode::BadInput, "data_folder: dataset " + settings.dataset + " needs the folder with its "
                                              + files + "; name it in data_folder or in the environment variable "
                                              + variable + " (docs/training.md says where to get them)");
}

Expected<std::filesystem::path> fileOf(const TrainSettings &settings)
{
    if (settings.dataFile.empty())
        return makeError(ErrorCode::BadInput,
                         "data_file: dataset " + settings.dataset + " needs the file with the data; name it there");
    return std::filesystem::path(settings.dataFile);
}

Expected<Dataset> loadImages(const TrainSettings &settings)
{
    Dataset dataset;
    dataset.outputs = 10;
    if (settings.dataset == "digits") {
        Expected<Samples> digits = readDigits(shareFolder() / "data" / "digits.csv.gz");
        if (!digits)
            return tl::unexpected(digits.error());
        dataset.samples = std::move(*digits);
        dataset.largest = 16;
        return dataset;
    }
    const bool cifar = settings.dataset == "cifar10";
    const char *variable = cifar                                 ? "SWEEPSCOPE_CIFAR10"
                           : settings.dataset == "fashion_mnist" ? "SWEEPSCOPE_FASHION_MNIST"
                                                                 : "SWEEPSCOPE_MNIST";
    const Expected<std::filesystem::path> folder =
        folderOf(settings, variable, cifar ? "six binary files" : "four IDX files, plain or gzipped");
    if (!folder)
        return tl::unexpected(folder.error());
    Expected<TrainAndTest> parts = cifar ? readCifar10(*folder) : readMnist(*folder);
    if (!parts)
        return tl::unexpected(parts.error());
    dataset.samples = std::move(parts->train);
    dataset.test = std::move(parts->test);
    return dataset;
}

Expected<Dataset> loadFile(const TrainSettings &settings)
{
    const Expected<std::filesystem::path> file = fileOf(settings);
    if (!file)
        return tl::unexpected(file.error());
    if (settings.dataset == "csv")
        return readCsv(*file, settings.target, settings.task);
    if (settings.dataset == "npy")
        return readNpyPair(*file, settings.targetFile, settings.task);
    if (settings.dataset == "tensors")
        return readTensors(*file, settings.task);
    return readText(*file, settings.context);
}

Normalisation measure(const TrainSettings &settings, const Dataset &dataset, const Samples &train)
{
    if (dataset.kind == SampleKind::Tokens)
        return {};
    const bool image = dataset.kind == SampleKind::Image;
    if (!settings.standardize)
        return {torch::zeros({1}), torch::full({1}, image ? dataset.largest : 1.0)};
    if (!image) {
        torch::Tensor deviation = train.inputs.std(0, /*unbiased=*/false);
        deviation.masked_fill_(deviation == 0, 1);
        return {train.inputs.mean(0), deviation};
    }
    const torch::Tensor pixels =
        train.inputs.narrow(0, 0, std::min(train.size(), imagesForStatistics)).to(torch::kFloat32);
    if (pixels.size(1) == 1) {
        const double deviation = pixels.std(/*unbiased=*/false).item<double>();
        return {pixels.mean().view({1}), torch::full({1}, deviation > 0 ? deviation : 1)};
    }
    torch::Tensor deviation = pixels.std({0, 2, 3}, /*unbiased=*/false, /*keepdim=*/true).squeeze(0);
    deviation.masked_fill_(deviation == 0, 1);
    return {pixels.mean({0, 2, 3}, /*keepdim=*/true).squeeze(0), deviation};
}

Split drawSplit(const TrainSettings &settings, const Dataset &dataset)
{
    const double validation = settings.validationFraction;
    const double test = settings.testFraction;
    if (dataset.test.size() > 0) {
        const auto parts = randomSplit(dataset.samples.size(), {1 - validation, validation}, settings.seed);
        return {parts[0], parts[1], {}};
    }
    const auto parts = randomSplit(dataset.samples.size(), {1 - validation - test, validation, test}, settings.seed);
    return {parts[0], parts[1], parts[2]};
}

}  // namespace

Samples Samples::select(const torch::Tensor &indices) const
{
    return {inputs.index_select(0, indices), targets.index_select(0, indices)};
}

Samples Samples::to(torch::Device device) const
{
    return {inputs.to(device), targets.to(device)};
}

Expected<Dataset> loadDataset(const TrainSettings &settings)
{
    const bool images = settings.dataset == "digits" || settings.dataset == "mnist"
                        || settings.dataset == "fashion_mnist" || settings.dataset == "cifar10";
    return images ? loadImages(settings) : loadFile(settings);
}

Expected<TrialData> splitDataset(const TrainSettings &settings, Dataset dataset)
{
    if (dataset.test.size() == 0 && settings.validationFraction + settings.testFraction >= 1)
        return makeError(ErrorCode::BadInput, "validation_fraction, test_fraction: together they leave nothing to "
                                              "train on; their sum must be below 1");
    TrialData data;
    data.split = drawSplit(settings, dataset);
    if (settings.trainSamples > 0 && settings.trainSamples < data.split.train.size(0))
        data.split.train = data.split.train.narrow(0, 0, settings.trainSamples);
    if (data.split.train.size(0) == 0)
        return makeError(ErrorCode::BadInput, "dataset " + settings.dataset + ": no sample is left to train on");
    data.train = dataset.samples.select(data.split.train);
    data.validation = dataset.samples.select(data.split.validation);
    data.test = data.split.test.defined() ? dataset.samples.select(data.split.test) : dataset.test;
    data.kind = dataset.kind;
    data.task = dataset.task;
    data.outputs = dataset.outputs;
    data.vocabulary = dataset.vocabulary;
    data.normalisation = measure(settings, dataset, data.train);
    return data;
}

Expected<TrialData> loadTrialData(const TrainSettings &settings)
{
    Expected<Dataset> dataset = loadDataset(settings);
    if (!dataset)
        return tl::unexpected(dataset.error());
    return splitDataset(settings, std::move(*dataset));
}

}  // namespace sweepscope::train
