#pragma once

#include <cstdint>
#include <filesystem>
#include <torch/types.h>

namespace sweepscope::train {

/// What a sample is: decides which models fit, what is normalised, and what the loss is.
enum class SampleKind {
    Image,     ///< inputs N x channels x height x width, uint8
    Features,  ///< inputs N x columns, float32
    Tokens,    ///< inputs and targets N x context, int64: predict the next character
};

enum class Task {
    Classification,  ///< targets int64: N (or N x context); cross-entropy
    Regression,      ///< targets float32, N x columns; mean squared error
};

/// Inputs with their targets, row by row.
struct Samples {
    torch::Tensor inputs;
    torch::Tensor targets;
    /// int64: the input of each sample is this row of `inputs`, which lie in a mapped file as a whole. Undefined: inputs
    /// and targets have the same rows.
    torch::Tensor rows{};
    std::filesystem::path file{};               ///< that is mapped
    std::filesystem::file_time_type changed{};  ///< when it was mapped

    std::int64_t size() const { return targets.defined() ? targets.size(0) : 0; }
    /// Which rows of `inputs` these samples have.
    torch::Tensor rowsOf(const torch::Tensor &indices) const;
    /// Rows in the order of `indices` (int64), in memory.
    Samples select(const torch::Tensor &indices) const;
    /// The same, but inputs stay in their file.
    Samples refer(const torch::Tensor &indices) const;
    Samples to(torch::Device device) const;
};

}  // namespace sweepscope::train
