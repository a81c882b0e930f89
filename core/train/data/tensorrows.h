#pragma once

#include "base/error.h"
#include "data/rowfile.h"
#include "train/data/dataset.h"
#include "train/data/rowchoice.h"

#include <cstdint>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// A tensor whose values lie in a file, row by row; `rows.count` is shape[0].
struct TensorRows {
    data::RowFile rows;
    std::vector<std::int64_t> shape;
    torch::ScalarType type = torch::kFloat32;
};

/// The values of `shape` rows as they lie in `path` from `start` on, without gaps.
TensorRows tensorRows(const std::filesystem::path &path, std::uint64_t start, std::vector<std::int64_t> shape,
                      torch::ScalarType type);

/// The rows `wanted`, in that order.
Expected<torch::Tensor> readTensorRows(const TensorRows &tensor, const std::vector<std::int64_t> &wanted);

/// The rows that `choice` wants of `inputs` and `targets`. The targets are looked through once, a few at a time, since
/// task and number of classes depend on all of them. With `inMemory` false the inputs stay in their file, which is mapped,
/// and are not looked through (no `choice` then): float32, or images of uint8.
Expected<Dataset> readTable(const TensorRows &inputs, const TensorRows &targets, const RowChoice &choice,
                            const std::string &task, const std::string &source, bool inMemory = true);

}  // namespace sweepscope::train
