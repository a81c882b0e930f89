#pragma once

#include "train/batch.h"
#include "train/checkpointkeeper.h"
#include "train/data/dataset.h"
#include "train/parallel/processgroup.h"
#include "train/stepper.h"
#include "train/stepreporter.h"
#include "train/steptracer.h"
#include "train/trainingerror.h"
#include "train/trainsettings.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::train {

struct Replica;

enum class TrainingEnd { Completed, Stopped };

/// One rank's part of one trial: epochs of steps, validation after each, the test at the end. What it reports and when
/// is in docs/training.md.
class Trainer {
public:
    /// `stopRequested` is asked once per step; when any rank says yes, all end after the same step. `log` gets short
    /// lines for a person (rank 0's are the ones to show).
    struct Hooks {
        std::function<bool()> stopRequested;
        std::function<void(const std::string &)> log;
    };

    struct Options {
        std::vector<torch::Device> devices{};  ///< of this rank; empty: the group's device
        /// Where rank 0 keeps checkpoints, and those to resume from: the first that is not damaged (the other ranks
        /// receive it from rank 0).
        std::optional<CheckpointFolder> checkpoints{};
        std::vector<std::filesystem::path> resumeFrom{};
        bool mustResume = false;                    ///< fail if none of these can be read
        std::filesystem::path traces{};             ///< the attempt's folder, where traces are requested; empty: none
        std::optional<Stepper::Figures> figures{};  ///< unset: one step late on a GPU, where the optimiser allows it
    };

    Trainer(const TrainSettings &settings, TrialData data, ProcessGroup &group, StepReporter &reporter, Hooks hooks,
            Options options);
    Trainer(const TrainSettings &settings, TrialData data, ProcessGroup &group, StepReporter &reporter, Hooks hooks)
        : Trainer(settings, std::move(data), group, reporter, std::move(hooks), Options{})
    {}
    ~Trainer();

    /// Throws TrainingError (loss not finite, replicas differ) and RankLost.
    TrainingEnd run();

    /// The last step that was begun; 0 before the first.
    std::int64_t step() const { return m_progress.step; }

    /// Waits until checkpoints that are being written are complete.
    void finishCheckpoints();
    /// Writes the recorded part of an unfinished trace.
    void finishTrace() { m_tracer->finish(); }

private:
    enum class EpochEnd { Finished, StopRequested, NotFinite, LastStep };

    void prepare();
    void moveData();
    void logStart();
    void logOverlap();
    EpochEnd trainEpoch();
    EpochEnd trainStep(const std::function<Batch()> &nextBatch, std::int64_t batches);
    EpochEnd take(const Stepper::Outcome &outcome);
    EpochEnd handleNotFinite(const Stepper::Outcome &outcome);
    void reportOrder(const torch::Tensor &order);
    void requireEqualWeights(const std::string &when);
    void finishEpoch(double seconds);
    bool hasImproved() const;
    bool isLastStep() const;
    std::int64_t placeInTraining() const;
    std::string validate();
    void requireUnchangedFile() const;
    Score scoreOn(const Samples &set);
    double decisiveScore(const Score &score) const;
    void rank(double score);
    void validateNow();
    void test();
    void resume();
    void saveCheckpoint(CheckpointKeeper::Saving saving);
    void reportSaved(std::int64_t step, const Expected<void> &result);
    void warn(const std::string &text) { warn(text, m_progress.step); }
    void warn(const std::string &text, std::int64_t step);

    TrainSettings m_settings;
    TrialData m_data;
    ProcessGroup &m_group;
    StepReporter &m_reporter;
    Hooks m_hooks;
    Options m_options;
    std::optional<StepTracer> m_tracer;
    std::unique_ptr<Replica> m_replica;
    std::optional<CheckpointKeeper> m_keeper;
    Progress m_progress;
    double m_lastLoss = 0;
    std::int64_t m_skippedInARow = 0;
    double m_commOverlapSeconds = 0;  ///< of this process: starts at 0 in a resumed trial
    double m_commWaitSeconds = 0;
    bool m_newBest = false;
    std::int64_t m_validatedStep = 0;
    bool m_orderReported = false;
};

}  // namespace sweepscope::train
