#include "train/parallel/flattening.h"

#include <map>
#include <string>
#include <torch/torch.h>
#include <utility>

namespace sweepscope::train {

namespace {

using Kind = std::pair<std::string, c10::ScalarType>;

/// By device and type, in their order.
std::map<Kind, std::vector<torch::Tensor>> byKind(const std::vector<torch::Tensor> &tensors)
{
    std::map<Kind, std::vector<torch::Tensor>> kinds;
    for (const torch::Tensor &tensor : tensors)
        kinds[{tensor.device().str(), tensor.scalar_type()}].push_back(tensor);
    return kinds;
}

}  // namespace

void takeFromRank0(const std::vector<torch::Tensor> &tensors, ProcessGroup &group)
{
    if (group.size() == 1)
        return;
    constexpr std::int64_t pieceBytes = std::int64_t{256} << 20U;
    const torch::NoGradGuard noGrad;
    for (const auto &[kind, all] : byKind(tensors)) {
        for (std::size_t first = 0; first < all.size();) {
            std::vector<torch::Tensor> piece;
            std::int64_t bytes = 0;
            for (; first < all.size() && (piece.empty() || bytes < pieceBytes); ++first) {
                piece.push_back(all[first].detach().reshape({-1}));
                bytes += static_cast<std::int64_t>(all[first].nbytes());
            }
            torch::Tensor flat = torch::cat(piece);
            group.broadcast(flat, 0);
            std::int64_t start = 0;
            for (std::size_t i = first - piece.size(); i < first; ++i) {
                all[i].detach().copy_(flat.narrow(0, start, all[i].numel()).view(all[i].sizes()));
                start += all[i].numel();
            }
        }
    }
}

std::vector<torch::Tensor> flattened(const std::vector<torch::Tensor> &tensors)
{
    const torch::NoGradGuard noGrad;
    std::vector<torch::Tensor> flats;
    for (const auto &[kind, all] : byKind(tensors)) {
        std::vector<torch::Tensor> parts;
        for (const torch::Tensor &tensor : all)
            parts.push_back(tensor.reshape({-1}));
        const torch::Tensor flat = torch::cat(parts);
        std::int64_t start = 0;
        for (torch::Tensor tensor : all) {
            const std::int64_t length = tensor.numel();
            tensor.set_data(flat.narrow(0, start, length).view(tensor.sizes()));
            start += length;
        }
        flats.push_back(flat);
    }
    return flats;
}

}  // namespace sweepscope::train
