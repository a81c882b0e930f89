#include "train/data/mnist.h"

#include "data/idxfile.h"
#include "data/mnistfiles.h"
#include "train/data/tensorrows.h"

#include <algorithm>
#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// The images that `choice` wants, N x 1 x height x width.
Expected<torch::Tensor> readImages(const std::filesystem::path &path, const std::vector<std::int64_t> &shape,
                                   const std::vector<std::int64_t> &wanted)
{
    constexpr std::uint64_t header = 4 + 4 * 3;
    return readTensorRows(tensorRows(path, header, {shape[0], 1, shape[1], shape[2]}, torch::kUInt8), wanted);
}

Expected<Samples> readPart(const data::MnistPart &part, const RowChoice &choice)
{
    const Expected<std::vector<std::int64_t>> shape = data::checkIdxFile(part.images, 3);
    if (!shape)
        return tl::unexpected(shape.error());
    const Expected<data::IdxArray> labels = data::readIdxFile(part.labels, 1);
    if (!labels)
        return tl::unexpected(labels.error());
    if (const Expected<void> fit = data::checkMnistShapes(part, *shape, labels->shape); !fit)
        return tl::unexpected(fit.error());
    const auto largest = std::max_element(labels->values.begin(), labels->values.end());
    if (*largest > 9)
        return makeError(ErrorCode::BadInput, part.labels.string() + ": expected labels from 0 to 9, found "
                                                  + std::to_string(*largest) + " as label "
                                                  + std::to_string(largest - labels->values.begin()));
    const Expected<std::vector<std::int64_t>> wanted = chosenRows(choice, (*shape)[0]);
    if (!wanted)
        return tl::unexpected(wanted.error());
    const Expected<torch::Tensor> images = readImages(part.images, *shape, *wanted);
    if (!images)
        return tl::unexpected(images.error());
    const torch::Tensor classes = torch::tensor(labels->values, torch::kUInt8).to(torch::kInt64);
    return Samples{*images, classes.index_select(0, torch::tensor(*wanted, torch::kInt64))};
}

}  // namespace

Expected<TrainAndTest> readMnist(const std::filesystem::path &folder, const RowChoices &choices)
{
    const Expected<data::MnistFiles> files = data::findMnist(folder);
    if (!files)
        return makeError(files.error().code, "data_folder: " + files.error().message);
    Expected<Samples> train = readPart(files->train, choices.samples);
    if (!train)
        return tl::unexpected(train.error());
    Expected<Samples> test = readPart(files->test, choices.test);
    if (!test)
        return tl::unexpected(test.error());
    if (train->inputs.sizes().slice(1) != test->inputs.sizes().slice(1))
        return makeError(ErrorCode::BadInput,
                         folder.string()
                             + ": the images of train-* and t10k-* differ in size; they must be of the same set");
    return TrainAndTest{std::move(*train), std::move(*test)};
}

}  // namespace sweepscope::train
