#pragma once

#include "base/error.h"
#include "train/bestweights.h"
#include "train/bytesink.h"
#include "train/network.h"

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// The progress of a trial, without its weights.
struct Progress {
    std::int64_t step = 0;
    std::int64_t epoch = 0;             ///< finished ones
    std::int64_t batch = 0;             ///< of the epoch after these, per rank
    std::optional<double> bestScore{};  ///< see TrainSettings::bestBy
    std::int64_t sinceBest = 0;         ///< validations since then
};

/// What a checkpoint is of.
struct TrialIdentity {
    std::uint64_t seed = 0;
    int ranks = 1;
    std::map<std::string, std::string> settings{};  ///< see TrainSettings::texts
    std::string data{};                             ///< fingerprint of the training data
};

/// All that a trial needs to go on as if nothing had happened. In a file it is a dictionary as torch.save writes it, so
/// that Python reads it with torch.load: "model" and "optimizer" (Python's state_dict of both), "random" (the
/// generators' states, rank by rank), "step", "epoch", "batch", "best_score", "best_steps" (scores by step), "validations_since_best", "seed", "ranks",
/// "settings", "data" (a fingerprint), and with ema_decay "model_average".
struct Checkpoint {
    Progress progress;
    TrialIdentity trial;
    std::vector<NamedTensor> model;
    std::vector<BestWeights::Kept> best{};
    std::vector<NamedTensor> average{};  ///< see WeightAverage; empty without one
    c10::IValue optimizer;
    std::vector<torch::Tensor> random;
};

void writeCheckpoint(const Checkpoint &checkpoint, const ByteSink &sink);
/// Its tensors refer to `bytes`. Corrupt if they are something else, or damaged.
Expected<Checkpoint> readCheckpoint(std::span<const std::uint8_t> bytes);

/// The files that are kept: "last.pt", "previous.pt" (the one before, should last.pt be damaged), and
/// "best.safetensors", the weights of the smallest val_loss.
class CheckpointFolder {
public:
    explicit CheckpointFolder(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Of an attempt: <attempt>/checkpoint.
    static CheckpointFolder ofAttempt(const std::filesystem::path &attemptFolder);

    std::filesystem::path last() const { return m_folder / "last.pt"; }
    std::filesystem::path previous() const { return m_folder / "previous.pt"; }
    std::filesystem::path best() const { return m_folder / "best.safetensors"; }
    /// Where several are kept.
    std::filesystem::path best(std::int64_t step) const
    {
        return m_folder / ("best-" + std::to_string(step) + ".safetensors");
    }
    /// Steps of which best(step) exists.
    std::vector<std::int64_t> bestSteps() const;

    /// Those that exist of last and previous, in this order.
    std::vector<std::filesystem::path> existing() const;

    using Write = std::function<void(const ByteSink &sink)>;
    /// last() becomes previous(). Atomically: after a crash last() is the old one or the new one.
    Expected<void> writeLast(const Write &write) const;
    Expected<void> writeBest(const Write &write) const;
    Expected<void> writeBest(std::int64_t step, const Write &write) const;
    /// best() becomes another name of best(step).
    Expected<void> nameBest(std::int64_t step) const;

private:
    Expected<void> write(const std::filesystem::path &file, const Write &write) const;

    std::filesystem::path m_folder;
};

/// The checkpoints of this attempt and, going back, of the same trial's earlier ones (the sibling folders with smaller
/// numbers as names), newest first.
std::vector<std::filesystem::path> findCheckpoints(const std::filesystem::path &attemptFolder);

}  // namespace sweepscope::train
