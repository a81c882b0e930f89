#pragma once

#include "train/data/dataset.h"

#include <cstdint>
#include <optional>

namespace sweepscope::train {

/// What a model takes: normalised inputs and their targets, on one device.
struct Batch {
    torch::Tensor inputs;
    torch::Tensor targets;

    std::int64_t size() const { return targets.size(0); }
};

/// Random changes of training images. Each image's are drawn from seed, epoch and its place in the data set alone, so
/// that neither the number of ranks nor a resumed trial changes them.
struct Augmentation {
    bool flip = false;  ///< left and right exchanged, for half of the images
    bool crop = false;  ///< moved by up to an eighth of the side (4 pixels of 32), the frame filled with 0
    std::uint64_t seed = 0;
    std::int64_t epoch = 0;
};

/// Turns rows of a data set into batches. Stateless: any thread.
class BatchMaker {
public:
    BatchMaker(SampleKind kind, const Normalisation &normalisation, torch::Device device, bool channelsLast = false);

    /// The samples at `indices` (int64, on the samples' device), changed by `augmentation` where there is one (images
    /// in the CPU's memory), normalised, on the device.
    Batch make(const Samples &from, const torch::Tensor &indices,
               const std::optional<Augmentation> &augmentation = std::nullopt) const;

private:
    SampleKind m_kind;
    Normalisation m_normalisation;
    torch::Device m_device;
    bool m_channelsLast;
};

}  // namespace sweepscope::train
