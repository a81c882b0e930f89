#include "train/models/transformer.h"

#include <cmath>
#include <limits>
#include <torch/torch.h>
#include <torch/version.h>

namespace sweepscope::train {

namespace {

class EmbeddingsImpl : public torch::nn::Cloneable<EmbeddingsImpl> {
public:
    explicit EmbeddingsImpl(const TransformerOptions &options) : m_options(options) { EmbeddingsImpl::reset(); }

    void reset() override
    {
        m_tokens = register_module("tokens", torch::nn::Embedding(m_options.vocabulary, m_options.width));
        m_positions = register_module("positions", torch::nn::Embedding(m_options.context, m_options.width));
        m_dropout = register_module("dropout", torch::nn::Dropout(m_options.dropout));
    }

    torch::Tensor forward(const torch::Tensor &tokens)
    {
        const torch::Tensor places = torch::arange(tokens.size(1), tokens.options());
        return m_dropout->forward(m_tokens->forward(tokens) + m_positions->forward(places));
    }

private:
    TransformerOptions m_options;
    torch::nn::Embedding m_tokens{nullptr};
    torch::nn::Embedding m_positions{nullptr};
    torch::nn::Dropout m_dropout{nullptr};
};
TORCH_MODULE(Embeddings);

class TransformerBlockImpl : public torch::nn::Cloneable<TransformerBlockImpl> {
public:
    explicit TransformerBlockImpl(const TransformerOptions &options) : m_options(options)
    {
        TransformerBlockImpl::reset();
    }

    void reset() override
    {
        const std::int64_t width = m_options.width;
        m_norm1 = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
        m_qkv = register_module("qkv", torch::nn::Linear(width, 3 * width));
        m_out = register_module("out", torch::nn::Linear(width, width));
        m_norm2 = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
        m_up = register_module("up", torch::nn::Linear(width, 4 * width));
        m_down = register_module("down", torch::nn::Linear(4 * width, width));
        m_dropout = register_module("dropout", torch::nn::Dropout(m_options.dropout));
    }

    torch::Tensor forward(const torch::Tensor &inputs)
    {
        const torch::Tensor seen = inputs + m_dropout->forward(attend(m_norm1->forward(inputs)));
        const torch::Tensor inner = torch::gelu(m_up->forward(m_norm2->forward(seen)));
        return seen + m_dropout->forward(m_down->forward(inner));
    }

private:
    /// Scaled dot products; a token sees itself and those before it.
    torch::Tensor attend(const torch::Tensor &values)
    {
        const std::int64_t samples = values.size(0);
        const std::int64_t length = values.size(1);
        const std::int64_t perHead = m_options.width / m_options.heads;
        const auto heads =
            m_qkv->forward(values).view({samples, length, 3, m_options.heads, perHead}).permute({2, 0, 3, 1, 4});
        const torch::Tensor mixed = mix(heads[0], heads[1], heads[2]);
        return m_out->forward(mixed.transpose(1, 2).reshape({samples, length, m_options.width}));
    }

#if TORCH_VERSION_MAJOR >= 2
    torch::Tensor mix(const torch::Tensor &queries, const torch::Tensor &keys, const torch::Tensor &values)
    {
        return at::scaled_dot_product_attention(queries, keys, values, {}, is_training() ? m_options.dropout : 0,
                                                /*is_causal=*/true);
    }
#else
    torch::Tensor mix(const torch::Tensor &queries, const torch::Tensor &keys, const torch::Tensor &values)
    {
        const std::int64_t length = queries.size(-2);
        if (!m_future.defined() || m_future.size(0) != length || m_future.device() != queries.device())
            m_future =
                torch::ones({length, length}, torch::TensorOptions(queries.device()).dtype(torch::kBool)).triu(1);
        torch::Tensor scores =
            torch::matmul(queries / std::sqrt(static_cast<double>(queries.size(-1))), keys.transpose(-2, -1));
        scores.masked_fill_(m_future, -std::numeric_limits<float>::infinity());
        return torch::matmul(m_dropout->forward(scores.softmax(-1)), values);
    }

    torch::Tensor m_future;  ///< true where a token would see one after it
#endif

    TransformerOptions m_options;
    torch::nn::LayerNorm m_norm1{nullptr};
    torch::nn::Linear m_qkv{nullptr};
    torch::nn::Linear m_out{nullptr};
    torch::nn::LayerNorm m_norm2{nullptr};
    torch::nn::Linear m_up{nullptr};
    torch::nn::Linear m_down{nullptr};
    torch::nn::Dropout m_dropout{nullptr};
};
TORCH_MODULE(TransformerBlock);

}  // namespace

torch::nn::Sequential makeTransformer(const TransformerOptions &options)
{
    torch::nn::Sequential model;
    model->push_back(Embeddings(options));
    for (std::int64_t i = 0; i < options.blocks; ++i)
        model->push_back(TransformerBlock(options));
    model->push_back(torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.width})));
    model->push_back(torch::nn::Linear(options.width, options.vocabulary));
    return model;
}

}  // namespace sweepscope::train
