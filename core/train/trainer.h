#pragma once

#include "train/data/dataset.h"
#include "train/parallel/processgroup.h"
#include "train/stepreporter.h"
#include "train/trainsettings.h"

#include <functional>
#include <stdexcept>
#include <string>

namespace sweepscope::train {

/// Training cannot go on; the sentence says why and at which step.
class TrainingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

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

    Trainer(const TrainSettings &settings, TrialData data, ProcessGroup &group, StepReporter &reporter, Hooks hooks);

    /// Throws TrainingError (loss not finite, replicas differ) and RankLost.
    TrainingEnd run();

    /// The last step that was begun; 0 before the first.
    std::int64_t step() const { return m_step; }

private:
    struct Replica;
    bool trainEpoch(Replica &replica, std::int64_t epoch);
    StepFigures trainStep(Replica &replica, const torch::Tensor &indices);
    void finishEpoch(Replica &replica, std::int64_t epoch, double seconds);

    TrainSettings m_settings;
    TrialData m_data;
    ProcessGroup &m_group;
    StepReporter &m_reporter;
    Hooks m_hooks;
    std::int64_t m_step = 0;
    double m_lastLoss = 0;
};

}  // namespace sweepscope::train
