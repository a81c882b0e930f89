#include "train/data/dataset.h"

#include "base/installation.h"
#include "train/data/cifar10.h"
#include "train/data/csvfile.h"
#include "train/data/digits.h"
#include "train/data/mnist.h"
#include "train/data/moments.h"
#include "train/data/npyfile.h"
#include "train/data/randomsplit.h"
#include "train/data/safetensorsfile.h"
#include "train/data/sampleorder.h"
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
                                              + files + "; set data_folder or the environment variable " + variable
                                              + " (docs/training.md says where to get them)");
}

Expected<std::filesystem::path> fileOf(const TrainSettings &settings)
{
    if (settings.dataFile.empty())
        return makeError(ErrorCode::BadInput,
                         "data_file: dataset " + settings.dataset + " needs the file with the data");
    return std::filesystem::path(settings.dataFile);
}

Expected<Dataset> loadImages(const TrainSettings &settings, const RowChoices &choices)
{
    Dataset dataset;
    dataset.outputs = 10;
    if (settings.dataset == "digits") {
        Expected<Samples> digits = readDigits(shareFolder() / "data" / "digits.csv.gz");
        if (!digits)
            return tl::unexpected(digits.error());
        const auto wanted = chosenRows(choices.samples, digits->size());
        if (!wanted)
            return tl::unexpected(wanted.error());
        dataset.samples = choices.samples ? digits->select(torch::tensor(*wanted, torch::kInt64)) : std::move(*digits);
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
    Expected<TrainAndTest> parts = cifar ? readCifar10(*folder, choices) : readMnist(*folder, choices);
    if (!parts)
        return tl::unexpected(parts.error());
    dataset.samples = std::move(parts->train);
    dataset.test = std::move(parts->test);
    return dataset;
}

Expected<Dataset> loadFile(const TrainSettings &settings, const RowChoice &choice)
{
    const Expected<std::filesystem::path> file = fileOf(settings);
    if (!file)
        return tl::unexpected(file.error());
    if (settings.dataset == "csv")
        return readCsv(*file, settings.target, settings.task, choice);
    if (settings.dataset == "npy")
        return readNpyPair(*file, settings.targetFile, settings.task, choice, settings.inMemory);
    if (settings.dataset == "safetensors")
        return readSafetensorsPair(*file, settings.task, choice, settings.inMemory);
    if (settings.dataset == "tensors")
        return readTensors(*file, settings.task, choice);
    return readText(*file, settings.context, choice);
}

/// In the order of the file, which is read once, a part at a time.
Normalisation measureMapped(const Samples &train, SampleKind kind)
{
    constexpr std::int64_t blockBytes = std::int64_t{16} << 20U;
    const torch::Tensor rows = std::get<0>(train.rows.sort());
    const std::int64_t step =
        std::max<std::int64_t>(1, blockBytes / static_cast<std::int64_t>(train.inputs[0].nbytes()));
    std::vector<torch::Tensor> parts;
    for (std::int64_t start = 0; start < rows.size(0); start += step) {
        const torch::Tensor block = rows.narrow(0, start, std::min(step, rows.size(0) - start));
        parts.push_back(momentsOf(train.inputs.index_select(0, block), kind));
    }
    return mergeMoments(parts, train.inputs, kind);
}

Normalisation measure(const TrainSettings &settings, const Dataset &dataset, const Samples &train)
{
    if (dataset.kind == SampleKind::Tokens)
        return {};
    const bool image = dataset.kind == SampleKind::Image;
    if (!settings.standardize)
        return {torch::zeros({1}), torch::full({1}, image ? dataset.largest : 1.0)};
    if (!image && dataset.isMapped)
        return measureMapped(train, dataset.kind);
    if (!image) {
        torch::Tensor deviation = train.inputs.std(0, /*unbiased=*/false);
        deviation.masked_fill_(deviation == 0, 1);
        return {train.inputs.mean(0), deviation};
    }
    const torch::Tensor first = torch::arange(std::min(train.size(), imagesForStatistics), torch::kInt64);
    const torch::Tensor pixels = train.select(first).inputs.to(torch::kFloat32);
    if (pixels.size(1) == 1) {
        const double deviation = pixels.std(/*unbiased=*/false).item<double>();
        return {pixels.mean().view({1}), torch::full({1}, deviation > 0 ? deviation : 1)};
    }
    torch::Tensor deviation = pixels.std({0, 2, 3}, /*unbiased=*/false, /*keepdim=*/true).squeeze(0);
    deviation.masked_fill_(deviation == 0, 1);
    return {pixels.mean({0, 2, 3}, /*keepdim=*/true).squeeze(0), deviation};
}

bool hasOwnTest(const std::string &dataset)
{
    return dataset == "mnist" || dataset == "fashion_mnist" || dataset == "cifar10";
}

std::vector<std::int64_t> listOf(const torch::Tensor &indices)
{
    const torch::Tensor flat = indices.contiguous();
    return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

torch::Tensor everyNth(std::int64_t count, const Share &share)
{
    return torch::arange(std::min<std::int64_t>(share.rank, count), count, share.ranks, torch::kInt64);
}

/// Which samples are the part of one rank.
class PartOfRank {
public:
    PartOfRank(const TrainSettings &settings, const Share &share) : m_settings(settings), m_share(share) {}

    /// Training, validation and test samples of the rank, in this order.
    Expected<std::vector<std::int64_t>> choose(std::int64_t count)
    {
        const Expected<Split> split = drawSplit(m_settings, count, hasOwnTest(m_settings.dataset));
        if (!split)
            return tl::unexpected(split.error());
        m_split = *split;
        m_sizes.train = split->train.size(0);
        m_sizes.validation = split->validation.size(0);
        m_first = contiguousPartition(m_sizes.train, m_share.ranks, m_share.rank);
        std::vector<torch::Tensor> wanted{split->train.narrow(0, m_first.start, m_first.size),
                                          split->validation.index_select(0, everyNth(m_sizes.validation, m_share))};
        m_validation = wanted[1].size(0);
        if (split->test.defined()) {
            m_sizes.test = split->test.size(0);
            wanted.push_back(split->test.index_select(0, everyNth(m_sizes.test, m_share)));
        }
        return listOf(torch::cat(wanted));
    }

    /// For a data set with a separate test set.
    std::vector<std::int64_t> chooseTest(std::int64_t count)
    {
        m_sizes.test = count;
        return listOf(everyNth(count, m_share));
    }

    /// `dataset` holds what was chosen.
    TrialData cut(Dataset dataset) const
    {
        TrialData data;
        const auto part = [&dataset](std::int64_t start, std::int64_t length) {
            return Samples{dataset.samples.inputs.narrow(0, start, length),
                           dataset.samples.targets.narrow(0, start, length)};
        };
        const std::int64_t beforeTest = m_first.size + m_validation;
        data.train = part(0, m_first.size);
        data.validation = part(m_first.size, m_validation);
        data.test = m_split.test.defined() ? part(beforeTest, dataset.samples.size() - beforeTest) : dataset.test;
        data.sizes = m_sizes;
        data.split = m_split;
        data.isPart = true;
        if (dataset.kind != SampleKind::Tokens && m_settings.standardize) {
            const std::int64_t limit = dataset.kind == SampleKind::Image ? imagesForStatistics : m_sizes.train;
            const std::int64_t mine = std::clamp<std::int64_t>(limit - m_first.start, 0, m_first.size);
            data.moments = momentsOf(data.train.inputs.narrow(0, 0, mine), dataset.kind);
        } else {
            data.normalisation = measure(m_settings, dataset, data.train);
        }
        return data;
    }

private:
    const TrainSettings &m_settings;
    Share m_share;
    Split m_split{};
    SetSizes m_sizes{};
    Partition m_first{};
    std::int64_t m_validation = 0;
};

void describe(TrialData &data, const Dataset &dataset)
{
    data.kind = dataset.kind;
    data.task = dataset.task;
    data.outputs = dataset.outputs;
    data.vocabulary = dataset.vocabulary;
}

Expected<TrialData> loadPart(const TrainSettings &settings, const Share &share)
{
    PartOfRank part(settings, share);
    const Expected<Dataset> dataset =
        loadDataset(settings, {.samples = [&part](std::int64_t count) { return part.choose(count); },
                               .test = [&part](std::int64_t count) -> Expected<std::vector<std::int64_t>> {
                                   return part.chooseTest(count);
                               }});
    if (!dataset)
        return tl::unexpected(dataset.error());
    TrialData data = part.cut(*dataset);
    describe(data, *dataset);
    return data;
}

}  // namespace

torch::Tensor Samples::rowsOf(const torch::Tensor &indices) const
{
    return rows.defined() ? rows.index_select(0, indices) : indices;
}

Samples Samples::select(const torch::Tensor &indices) const
{
    return {inputs.index_select(0, rowsOf(indices)), targets.index_select(0, indices)};
}

Samples Samples::refer(const torch::Tensor &indices) const
{
    return {inputs, targets.index_select(0, indices), rowsOf(indices), file, changed};
}

Samples Samples::to(torch::Device device) const
{
    return {inputs.to(device), targets.to(device)};
}

Expected<Dataset> loadDataset(const TrainSettings &settings, const RowChoices &choices)
{
    const bool images = settings.dataset == "digits" || settings.dataset == "mnist"
                        || settings.dataset == "fashion_mnist" || settings.dataset == "cifar10";
    return images ? loadImages(settings, choices) : loadFile(settings, choices.samples);
}

Expected<Split> drawSplit(const TrainSettings &settings, std::int64_t count, bool ownTest)
{
    const double validation = settings.validationFraction;
    const double test = settings.testFraction;
    if (!ownTest && validation + test >= 1)
        return makeError(
            ErrorCode::BadInput,
            "validation_fraction, test_fraction: their sum must be below 1, so that there is something to train on");
    const std::vector<double> fractions = ownTest ? std::vector<double>{1 - validation, validation}
                                                  : std::vector<double>{1 - validation - test, validation, test};
    const auto parts = randomSplit(
        count, fractions, settings.splitSeed > 0 ? static_cast<std::uint64_t>(settings.splitSeed) : settings.seed);
    Split split{parts[0], parts[1], ownTest ? torch::Tensor() : parts[2]};
    if (settings.trainSamples > 0 && settings.trainSamples < split.train.size(0))
        split.train = split.train.narrow(0, 0, settings.trainSamples);
    if (split.train.size(0) == 0)
        return makeError(ErrorCode::BadInput, "dataset " + settings.dataset + ": no samples are left to train on");
    return split;
}

Expected<TrialData> splitDataset(const TrainSettings &settings, Dataset dataset)
{
    const Expected<Split> split = drawSplit(settings, dataset.samples.size(), dataset.test.size() > 0);
    if (!split)
        return tl::unexpected(split.error());
    TrialData data;
    data.split = *split;
    const auto part = [&dataset](const torch::Tensor &indices) {
        return dataset.isMapped ? dataset.samples.refer(indices) : dataset.samples.select(indices);
    };
    data.train = part(split->train);
    data.validation = part(split->validation);
    data.test = split->test.defined() ? part(split->test) : dataset.test;
    data.sizes = {data.train.size(), data.validation.size(), data.test.size()};
    data.normalisation = measure(settings, dataset, data.train);
    if (dataset.isMapped && data.normalisation.mean.defined() && !data.normalisation.mean.isfinite().all().item<bool>())
        return makeError(ErrorCode::BadInput, settings.dataFile + ": some inputs are not finite numbers");
    describe(data, dataset);
    return data;
}

Expected<TrialData> loadTrialData(const TrainSettings &settings, const Share &share)
{
    if (!settings.inMemory && settings.dataset != "npy" && settings.dataset != "safetensors")
        return makeError(ErrorCode::BadInput, "in_memory: dataset " + settings.dataset
                                                  + " is always in memory; npy and safetensors can stay in their file");
    if (!settings.inMemory && settings.sampling == "contiguous")
        return makeError(ErrorCode::BadInput, "in_memory: sampling = contiguous reads only the rank's part, and into "
                                              "memory; use in_memory = true");
    if (settings.sampling == "contiguous" && share.ranks > 1)
        return loadPart(settings, share);
    Expected<Dataset> dataset = loadDataset(settings);
    if (!dataset)
        return tl::unexpected(dataset.error());
    return splitDataset(settings, std::move(*dataset));
}

}  // namespace sweepscope::train
