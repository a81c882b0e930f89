#pragma once

#include "train/bestweights.h"
#include "train/checkpoint.h"
#include "train/network.h"
#include "train/optimizer.h"
#include "train/parallel/processgroup.h"
#include "train/weightaverage.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Decides when to save a trial's checkpoints, and resumes it from one. resume() and save() are collective: all ranks
/// must call them. Only rank 0 reads and writes files; it writes them on a thread, while training goes on.
class CheckpointKeeper {
public:
    /// What a checkpoint is of.
    struct Subject {
        Network &network;
        Optimizer &optimizer;
        WeightAverage &average;
        ProcessGroup &group;
        std::vector<torch::Device> devices;  ///< of this rank, whose random generators count
        TrialIdentity trial;
        std::string bestBy;  ///< the score that decides which weights are the best
        std::int64_t keepBest = 1;
    };

    /// Called when a file has been written or could not be, by the thread that writes: the step, and how that went.
    using Written = std::function<void(std::int64_t step, const Expected<void> &result)>;

    CheckpointKeeper(Subject subject, std::optional<CheckpointFolder> folder, Written written);
    /// Waits for the writing thread.
    ~CheckpointKeeper() { finish(); }
    CheckpointKeeper(const CheckpointKeeper &) = delete;
    CheckpointKeeper &operator=(const CheckpointKeeper &) = delete;

    struct Resumed {
        std::filesystem::path file{};  ///< file to resume from; empty on other ranks, and if training starts over
        bool continues = false;
        std::string differences{};           ///< see resumerules.h
        std::vector<std::string> damaged{};  ///< rank 0's files that could not be used, with the reason
    };

    /// Weights, optimiser, generators and `progress` as the first of rank 0's `files` says that is not damaged; the other
    /// ranks' `files` do not matter. Unless it continues, nothing has changed. Copies the best weights next to the file
    /// too. Throws TrainingError if the tensors are of another model.
    Resumed resume(const std::vector<std::filesystem::path> &files, Progress &progress);

    enum class Saving { IfSomeTimePassed, Always };

    /// Whether weights of this score are among the best so far, of which save() keeps some.
    bool isAmongBest(std::int64_t step, double score) { return m_best.add(step, score); }
    /// `isAmongBest`: the weights of this step.
    void save(const Progress &progress, bool isAmongBest, Saving saving);

    /// Waits until the last checkpoint is written.
    void finish();

    std::filesystem::path lastFile() const { return m_folder->last(); }

private:
    struct Best {
        std::int64_t step = 0;
        std::vector<NamedTensor> weights;
        std::map<std::string, std::string> metadata;
    };

    std::string readFirst(const std::vector<std::filesystem::path> &files, Resumed &resumed) const;
    void restore(const Checkpoint &checkpoint);
    void copyBestFrom(const std::filesystem::path &file) const;
    Best bestOf(const Progress &progress) const;
    Expected<void> write(const Checkpoint &checkpoint, const std::vector<Best> &unsaved) const;
    void giveBestItsOwnName(const std::vector<BestWeights::Kept> &kept, const std::vector<Best> &unsaved) const;
    Expected<void> writeBest(const Checkpoint &checkpoint, const std::vector<Best> &unsaved) const;

    Subject m_subject;
    std::optional<CheckpointFolder> m_folder;
    Written m_written;
    BestWeights m_best;
    std::vector<Best> m_unsaved;  ///< among the best
    std::chrono::steady_clock::time_point m_lastSave{};
    std::future<void> m_writing;
};

}  // namespace sweepscope::train
