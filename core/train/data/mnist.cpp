#include "train/data/mnist.h"

#include "data/idxfile.h"
#include "data/mnistfiles.h"

#include <algorithm>
#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

torch::Tensor toTensor(const data::IdxArray &array, const std::vector<std::int64_t> &shape)
{
    return torch::from_blob(const_cast<std::uint8_t *>(array.values.data()), shape, torch::kUInt8).clone();
}

Expected<Samples> readPart(const data::MnistPart &part)
{
    const Expected<data::IdxArray> images = data::readIdxFile(part.images, 3);
    if (!images)
        return tl::unexpected(images.error());
    const Expected<data::IdxArray> labels = data::readIdxFile(part.labels, 1);
    if (!labels)
        return tl::unexpected(labels.error());
    if (const Expected<void> fit = data::checkMnistShapes(part, images->shape, labels->shape); !fit)
        return tl::unexpected(fit.error());
    const std::vector<std::int64_t> &shape = images->shape;
    const auto largest = std::max_element(labels->values.begin(), labels->values.end());
    if (*largest > 9)
        return makeError(ErrorCode::BadInput, part.labels.string() + ": expected labels from 0 to 9, found "
                                                  + std::to_string(*largest) + " as label "
                                                  + std::to_string(largest - labels->values.begin()));
    return Samples{toTensor(*images, {shape[0], 1, shape[1], shape[2]}),
                   toTensor(*labels, {shape[0]}).to(torch::kInt64)};
}

}  // namespace

Expected<TrainAndTest> readMnist(const std::filesystem::path &folder)
{
    const Expected<data::MnistFiles> files = data::findMnist(folder);
    if (!files)
        return makeError(files.error().code, "data_folder: " + files.error().message);
    Expected<Samples> train = readPart(files->train);
    if (!train)
        return tl::unexpected(train.error());
    Expected<Samples> test = readPart(files->test);
    if (!test)
        return tl::unexpected(test.error());
    if (train->inputs.sizes().slice(1) != test->inputs.sizes().slice(1))
        return makeError(ErrorCode::BadInput,
                         folder.string()
                             + ": the images of train-* and t10k-* differ in size; they must be of the same set");
    return TrainAndTest{std::move(*train), std::move(*test)};
}

}  // namespace sweepscope::train
