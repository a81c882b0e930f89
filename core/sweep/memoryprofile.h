#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// Memory that grows with the number of samples in a batch, in bytes.
struct BatchMemory {
    double constant = 0;
    double perSample = 0;

    double at(double samples) const { return constant + perSample * samples; }
    bool operator==(const BatchMemory &) const = default;
};

/// Memory of one training step of the built-in worker on one device, as `sweepscope-worker memory` measures it: what
/// LibTorch allocates for tensors, in bytes.
struct MemoryProfile {
    struct Layer {
        std::uint64_t parameters = 0;
        std::uint64_t buffers = 0;
        BatchMemory kept{};  ///< activations between its forward and its backward pass

        bool operator==(const Layer &) const = default;
    };

    std::vector<Layer> layers;  ///< in order; a model that cannot be split is one layer
    bool canBeSplit = true;
    std::uint64_t gradients = 0;  ///< buckets
    std::uint64_t optimizer = 0;  ///< state that stays between steps
    std::uint64_t update = 0;     ///< peak of the update, above what stays between steps
    BatchMemory peak{};           ///< of forward and backward pass, above what stays between steps
    double inputPerSample = 0;
    std::uint64_t data = 0;     ///< the three parts of the data set
    std::int64_t samples = 0;   ///< for training: no batch has more; 0 = unknown
    std::uint64_t process = 0;  ///< resident before any tensor: code and tables of LibTorch
    std::int64_t batchSize = 0;
    std::vector<std::int64_t> measuredSizes;  ///< batch sizes of the measured steps

    std::uint64_t parameters() const;
    std::uint64_t buffers() const;
    bool operator==(const MemoryProfile &) const = default;
};

/// One line of JSON.
std::string toJson(const MemoryProfile &profile);
/// BadInput names the first field that is missing, or whose value is not a size.
Expected<MemoryProfile> parseMemoryProfile(const std::string &untrusted);

}  // namespace sweepscope::sweep
