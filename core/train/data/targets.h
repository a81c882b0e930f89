#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <limits>
#include <string>

namespace sweepscope::train {

/// What all targets of a data set have in common, collected block by block: a rank that holds a part of the samples
/// alone must come to the same task and number of classes as the others.
struct TargetFacts {
    std::int64_t count = 0;
    std::int64_t perSample = 1;
    bool finite = true;
    bool whole = true;  ///< whole numbers alone
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();

    /// `targets`: rows of numbers of any type.
    void add(const torch::Tensor &targets);
    /// One target of a single number.
    void add(double target);
};

/// A data set of features (or, for 4-dimensional uint8 inputs, images) and numeric targets of any type. `task`: auto,
/// classification or regression; auto is classification when all targets are whole numbers, one per sample. Classes
/// are 0 … largest target. `source` begins the sentence when something does not fit: "data.npy". `facts`: of all
/// targets, where `inputs` and `targets` are a part of the data set. ChecksInputs::No: without reading all of them to
/// find those that are not finite.
enum class ChecksInputs { Yes, No };
Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const TargetFacts &facts,
                              const std::string &task, const std::string &source,
                              ChecksInputs checks = ChecksInputs::Yes);
Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const std::string &task,
                              const std::string &source);

/// BadInput unless there are N inputs of at least one dimension and N targets, N > 0.
Expected<void> checkTableShapes(torch::IntArrayRef inputs, torch::IntArrayRef targets, const std::string &source);

}  // namespace sweepscope::train
