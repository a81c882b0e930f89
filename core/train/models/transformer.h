#pragma once

#include <cstdint>
#include <torch/nn/modules/container/sequential.h>

namespace sweepscope::train {

struct TransformerOptions {
    std::int64_t vocabulary = 0;
    std::int64_t context = 0;  ///< longest sequence
    std::int64_t width = 0;
    std::int64_t heads = 0;  ///< divides width
    std::int64_t blocks = 0;
    double dropout = 0;
};

/// A decoder that predicts the next token: N x T tokens (int64) in, N x T x vocabulary scores out. Token and position
/// embedding; blocks with layer norm before attention and before the MLP (the arrangement of GPT-2); layer norm,
/// linear. Names, in the order in which weights are drawn: 0.tokens, 0.positions; of a block norm1, qkv (linear to 3 *
/// width: queries, keys, values), out, norm2, up (linear to 4 * width, then GELU), down; the last norm; the last
/// linear.
torch::nn::Sequential makeTransformer(const TransformerOptions &options);

}  // namespace sweepscope::train
