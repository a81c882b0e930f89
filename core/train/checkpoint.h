#pragma once

#include "base/error.h"
#include "train/network.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// The progress of a trial, without its weights.
struct Progress {
    std::int64_t step = 0;
    std::int64_t epoch = 0;  ///< finished ones
    std::int64_t batch = 0;  ///< of the epoch after these, per rank
    double bestLoss = std::numeric_limits<double>::infinity();
    std::int64_t epochsSinceBest = 0;
};

/// All that a trial needs to go on as if nothing had happened. In a file it is a dictionary as torch.save writes it, so
/// that Python reads it with torch.load: "model" (the state_dict), "optimizer" (LibTorch's archive, uint8), "random"
/// (the generators' states, rank by rank), "step", "epoch", "batch", "best_loss", "epochs_since_best", "seed", "ranks".
struct Checkpoint {
    Progress progress;
    std::uint64_t seed = 0;
    std::vector<NamedTensor> model;
    torch::Tensor optimizer;
    std::vector<torch::Tensor> random;
};

std::string packCheckpoint(const Checkpoint &checkpoint);
/// Corrupt when `bytes` are something else.
Expected<Checkpoint> unpackCheckpoint(const std::string &bytes);

/// The two files that are kept: "last.pt", and "best.pt" of the smallest val_loss.
class CheckpointFolder {
public:
    explicit CheckpointFolder(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Of an attempt: <attempt>/checkpoint.
    static CheckpointFolder ofAttempt(const std::filesystem::path &attemptFolder);

    std::filesystem::path last() const { return m_folder / "last.pt"; }
    std::filesystem::path best() const { return m_folder / "best.pt"; }

    /// Atomically: after a crash the file is the old one or the new one.
    Expected<void> write(const std::filesystem::path &file, const std::string &bytes) const;

private:
    std::filesystem::path m_folder;
};

/// The newest last.pt of this attempt or, going back, of the same trial's earlier ones (the sibling folders
/// with smaller numbers as names). Returns nullopt if there is none.
std::optional<std::filesystem::path> findCheckpoint(const std::filesystem::path &attemptFolder);

}  // namespace sweepscope::train
