#include "train/data/textfile.h"

#include "data/unpackedfile.h"
#include "train/data/tensorrows.h"

#include <algorithm>
#include <array>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// What the text is made of.
struct Alphabet {
    std::int64_t length = 0;  ///< of the text
    std::array<bool, 256> occurs{};
};

Expected<Alphabet> lookThrough(const std::filesystem::path &path)
{
    Alphabet alphabet;
    const Expected<void> read = data::unpackInPieces(path, [&alphabet](std::span<const std::uint8_t> piece) {
        alphabet.length += static_cast<std::int64_t>(piece.size());
        for (const std::uint8_t byte : piece)
            alphabet.occurs[byte] = true;
        return true;
    });
    if (!read)
        return tl::unexpected(read.error());
    return alphabet;
}

/// Samples that are chosen, each of context + 1 bytes.
Expected<torch::Tensor> readWindows(const std::filesystem::path &path, std::int64_t count, std::int64_t context,
                                    const RowChoice &choice)
{
    TensorRows windows = tensorRows(path, 0, {count, context + 1}, torch::kUInt8);
    windows.rows.stride = static_cast<std::uint64_t>(context);
    const Expected<std::vector<std::int64_t>> wanted = chosenRows(choice, count);
    if (!wanted)
        return tl::unexpected(wanted.error());
    return readTensorRows(windows, *wanted);
}

/// All samples, as windows of one piece of text.
Expected<torch::Tensor> readTogether(const std::filesystem::path &path, std::int64_t count, std::int64_t context)
{
    Expected<torch::Tensor> text = readTensorRows(tensorRows(path, 0, {1, count * context + 1}, torch::kUInt8), {0});
    if (text)
        text = text->view({-1}).unfold(0, context + 1, context);
    return text;
}

/// The same windows of tokens; windows that share memory go on to do so.
torch::Tensor toTokens(const torch::Tensor &windows, const std::array<std::int64_t, 256> &tokens)
{
    const torch::Tensor bytes =
        windows.is_contiguous()
            ? windows.view({-1})
            : windows.as_strided({(windows.size(0) - 1) * windows.stride(0) + windows.size(1)}, {1});
    const torch::Tensor text = torch::empty(bytes.sizes(), torch::kInt64);
    const auto *from = bytes.data_ptr<std::uint8_t>();
    auto *to = text.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < bytes.size(0); ++i)
        to[i] = tokens[from[i]];
    return text.as_strided(windows.sizes(), windows.strides());
}

}  // namespace

Expected<Dataset> readText(const std::filesystem::path &path, std::int64_t context, const RowChoice &choice)
{
    const Expected<Alphabet> alphabet = lookThrough(path);
    if (!alphabet)
        return tl::unexpected(alphabet.error());
    const std::int64_t count = (alphabet->length - 1) / context;
    if (count < 3)
        return makeError(ErrorCode::BadInput, path.string() + ": " + std::to_string(alphabet->length)
                                                  + " bytes are too few for samples of context = "
                                                  + std::to_string(context) + " to train, validate and test on");
    Dataset dataset;
    std::array<std::int64_t, 256> tokens{};
    for (std::size_t byte = 0; byte < tokens.size(); ++byte)
        tokens[byte] = alphabet->occurs[byte] ? dataset.vocabulary++ : 0;
    // A sample and the byte after it, which is the next one's first.
    const Expected<torch::Tensor> bytes =
        choice ? readWindows(path, count, context, choice) : readTogether(path, count, context);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const torch::Tensor text = toTokens(*bytes, tokens);
    dataset.samples.inputs = text.narrow(1, 0, context);
    dataset.samples.targets = text.narrow(1, 1, context);
    dataset.kind = SampleKind::Tokens;
    dataset.outputs = dataset.vocabulary;
    return dataset;
}

}  // namespace sweepscope::train
