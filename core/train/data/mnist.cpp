#include "train/data/mnist.h"

#include "train/data/idxfile.h"

#include <algorithm>
#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

Expected<std::filesystem::path> findFile(const std::filesystem::path &folder, const std::string &name)
{
    for (const char *ending : {"", ".gz"}) {
        std::filesystem::path path = folder / (name + ending);
        std::error_code error;
        if (std::filesystem::exists(path, error))
            return path;
    }
    return makeError(ErrorCode::NotFound, "data_folder: there is no " + name + " and no " + name + ".gz in "
                                              + folder.string() + " (docs/training.md says where to get them)");
}

torch::Tensor toTensor(const IdxArray &array, const std::vector<std::int64_t> &shape)
{
    return torch::from_blob(const_cast<std::uint8_t *>(array.values.data()), shape, torch::kUInt8).clone();
}

Expected<LabelledImages> readPart(const std::filesystem::path &folder, const std::string &part)
{
    const Expected<std::filesystem::path> imageFile = findFile(folder, part + "-images-idx3-ubyte");
    if (!imageFile)
        return tl::unexpected(imageFile.error());
    const Expected<std::filesystem::path> labelFile = findFile(folder, part + "-labels-idx1-ubyte");
    if (!labelFile)
        return tl::unexpected(labelFile.error());
    const Expected<IdxArray> images = readIdxFile(*imageFile, 3);
    if (!images)
        return tl::unexpected(images.error());
    const Expected<IdxArray> labels = readIdxFile(*labelFile, 1);
    if (!labels)
        return tl::unexpected(labels.error());

    const std::vector<std::int64_t> &shape = images->shape;
    if (shape[0] != labels->shape[0])
        return makeError(ErrorCode::BadInput, imageFile->string() + " has " + std::to_string(shape[0]) + " images, but "
                                                  + labelFile->string() + " has " + std::to_string(labels->shape[0])
                                                  + " labels; they must be of the same set");
    if (shape[0] == 0 || shape[1] < 4 || shape[2] < 4)
        return makeError(ErrorCode::BadInput, imageFile->string() + ": expected images of at least 4 x 4 pixels, found "
                                                  + std::to_string(shape[0]) + " images of " + std::to_string(shape[1])
                                                  + " x " + std::to_string(shape[2]));
    const auto largest = std::max_element(labels->values.begin(), labels->values.end());
    if (*largest > 9)
        return makeError(ErrorCode::BadInput, labelFile->string() + ": expected labels from 0 to 9, found "
                                                  + std::to_string(*largest) + " as label "
                                                  + std::to_string(largest - labels->values.begin()));
    return LabelledImages{toTensor(*images, {shape[0], 1, shape[1], shape[2]}),
                          toTensor(*labels, {shape[0]}).to(torch::kInt64)};
}

}  // namespace

Expected<Mnist> readMnist(const std::filesystem::path &folder)
{
    Expected<LabelledImages> train = readPart(folder, "train");
    if (!train)
        return tl::unexpected(train.error());
    Expected<LabelledImages> test = readPart(folder, "t10k");
    if (!test)
        return tl::unexpected(test.error());
    if (train->images.sizes().slice(1) != test->images.sizes().slice(1))
        return makeError(ErrorCode::BadInput,
                         folder.string()
                             + ": the images of train-* and t10k-* differ in size; they must be of the same set");
    return Mnist{std::move(*train), std::move(*test)};
}

}  // namespace sweepscope::train
