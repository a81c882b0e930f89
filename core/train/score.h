#pragma once

#include "train/data/samples.h"
#include "train/parallel/processgroup.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <map>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// How good a model is on a whole set, the same on all ranks.
struct Score {
    double loss = 0;
    /// By name: accuracy, top5_accuracy, f1 and auc of a classification, mae and r2 of a regression. Without those that
    /// do not exist for the task, or for this set: see docs/training.md.
    std::map<std::string, double> metrics{};
};

/// The scores that validation has for such data: "val_loss", "val_accuracy", … A set without samples of both classes has
/// no auc all the same, and one with constant numbers no r2.
std::vector<std::string> validationScores(Task task, SampleKind kind, std::int64_t outputs);

struct TrialData;

/// BadInput if settings.bestBy is no score of such data.
Expected<void> checkBestBy(const TrainSettings &settings, const TrialData &data);

/// Sums over the samples of a set, from which the metrics follow. They are kept where the scores are, so that nothing
/// waits for a GPU before the end.
class ScoreSums {
public:
    /// `outputs`: classes, or numbers to predict.
    ScoreSums(Task task, SampleKind kind, std::int64_t outputs);

    /// `scores` (float32) of a batch; `loss` is the sum over its targets.
    void add(const torch::Tensor &loss, const torch::Tensor &scores, const torch::Tensor &targets);
    /// Adds those of the other ranks. Collective.
    void sumOver(ProcessGroup &group);
    Score score() const;

private:
    void countClasses(std::vector<torch::Tensor> &parts, const torch::Tensor &scores,
                      const torch::Tensor &targets) const;
    static void sumNumbers(std::vector<torch::Tensor> &parts, const torch::Tensor &scores,
                           const torch::Tensor &targets);
    void addClassMetrics(Score &score) const;
    void addNumberMetrics(Score &score) const;

    Task m_task;
    std::int64_t m_outputs;
    bool m_countsClasses;  ///< f1 and auc; not of text, whose classes are characters
    std::int64_t m_targets = 0;
    std::vector<torch::Tensor> m_sums;
};

}  // namespace sweepscope::train
