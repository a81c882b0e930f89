#pragma once

#include "base/error.h"
#include "train/data/samples.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// A whole data set as its files hold it.
struct Dataset {
    Samples samples;
    Samples test{};  ///< of its own: MNIST, CIFAR-10; else empty, and the test is drawn from `samples`
    SampleKind kind = SampleKind::Image;
    Task task = Task::Classification;
    std::int64_t outputs = 0;     ///< classes, or columns to predict
    std::int64_t vocabulary = 0;  ///< Tokens: different characters
    double largest = 255;         ///< Image: the brightest pixel
};

/// (inputs - mean) / deviation, both float32 and broadcast over samples: one value for grey images, [channels, 1, 1] or
/// [columns] otherwise. Tokens have none.
struct Normalisation {
    torch::Tensor mean;
    torch::Tensor deviation;
};

/// Which of a data set's samples are for what, as int64 indices.
struct Split {
    torch::Tensor train;
    torch::Tensor validation;
    torch::Tensor test;  ///< undefined where the data set has a test set of its own
};

/// What one trial trains, validates and tests on: three disjoint sets.
struct TrialData {
    Samples train;
    Samples validation;  ///< may be empty
    Samples test;        ///< may be empty
    Split split{};
    SampleKind kind = SampleKind::Image;
    Task task = Task::Classification;
    std::int64_t outputs = 0;
    std::int64_t vocabulary = 0;
    Normalisation normalisation{};
};

/// Read settings.dataset, whole. BadInput, NotFound, … name the file and the place in it.
Expected<Dataset> loadDataset(const TrainSettings &settings);

/// Split `dataset` by settings.seed as torch.utils.data.random_split does. With a test set of its own: into
/// {1 - validation_fraction, validation_fraction}; else {1 - validation_fraction - test_fraction, validation_fraction,
/// test_fraction}. Training keeps the first train_samples of its part. Normalisation comes from the training part.
Expected<TrialData> splitDataset(const TrainSettings &settings, Dataset dataset);

Expected<TrialData> loadTrialData(const TrainSettings &settings);

}  // namespace sweepscope::train
