#pragma once

#include "train/data/dataset.h"
#include "train/parallel/moment.h"

#include <c10/core/Stream.h>
#include <cstdint>
#include <optional>

namespace sweepscope::train {

/// What a model takes: normalised inputs and their targets, on one device.
struct Batch {
    /// A copy from the CPU's memory to a GPU, in a separate stream from the computation.
    struct Copy {
        Moment begin;
        Moment end;
    };

    torch::Tensor inputs;
    torch::Tensor targets;
    std::optional<Copy> copy{};
    Moment made{};  ///< when it is complete

    std::int64_t size() const { return targets.size(0); }
    /// Before it is used: what the calling thread queues from now on comes after the copy. The host does not wait.
    void awaitCopy() const;
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
    /// in the CPU's memory), normalised, on the device. Samples in the CPU's memory go to a GPU through pinned memory,
    /// which LibTorch keeps for the next batch, in a stream of their own.
    Batch make(const Samples &from, const torch::Tensor &indices,
               const std::optional<Augmentation> &augmentation = std::nullopt) const;

private:
    void normalise(Batch &batch) const;
    Batch copied(const Samples &rows) const;

    SampleKind m_kind;
    Normalisation m_normalisation;
    torch::Device m_device;
    std::optional<c10::Stream> m_copying;
    bool m_channelsLast;
};

}  // namespace sweepscope::train
