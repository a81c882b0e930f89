#pragma once

#include "train/checkpoint.h"
#include "train/network.h"
#include "train/parallel/processgroup.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <torch/optim/optimizer.h>
#include <vector>

namespace sweepscope::train {

/// Decides when to save a trial's checkpoints, and resumes it from one. resume() and save() are collective: all ranks
/// must call them. Only rank 0 reads and writes files.
class CheckpointKeeper {
public:
    /// What a checkpoint is of.
    struct Subject {
        Network &network;
        torch::optim::Optimizer &optimizer;
        ProcessGroup &group;
        std::vector<torch::Device> devices;  ///< of this rank, whose random generators count
        std::uint64_t seed;
    };

    CheckpointKeeper(Subject subject, std::optional<CheckpointFolder> folder)
        : m_subject(subject), m_folder(std::move(folder))
    {}

    enum class Resumed { NothingThere, OfAnotherTrial, Yes };

    /// Weights, optimiser, generators and `progress` as rank 0's `file` says; the other ranks' `file` does not matter.
    /// Unless it returns Yes, nothing has changed. Copies the best checkpoint next to `file` too. Throws TrainingError
    /// if the file is damaged or of another model.
    Resumed resume(const std::optional<std::filesystem::path> &file, Progress &progress);

    enum class Saving { IfSomeTimePassed, Always };

    /// `best`: the smallest val_loss so far. On rank 0, when something was written or could not be: how that went.
    std::optional<Expected<void>> save(const Progress &progress, bool best, Saving saving);

    std::filesystem::path lastFile() const { return m_folder->last(); }

private:
    void restore(const Checkpoint &checkpoint);
    void copyBestFrom(const std::filesystem::path &file) const;
    Checkpoint snapshot(const Progress &progress);
    Expected<void> write(const std::string &bytes);

    Subject m_subject;
    std::optional<CheckpointFolder> m_folder;
    std::string m_unsavedBest;
    std::chrono::steady_clock::time_point m_lastSave{};
};

}  // namespace sweepscope::train
