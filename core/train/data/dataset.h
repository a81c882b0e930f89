#pragma once

#include "base/error.h"
#include "train/data/rowchoice.h"
#include "train/data/samples.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// A data set as its files hold it, or the samples of it that were chosen.
struct Dataset {
    Samples samples;
    Samples test{};  ///< the separate test set (MNIST, CIFAR-10); else empty, and the test is drawn from `samples`
    SampleKind kind = SampleKind::Image;
    Task task = Task::Classification;
    std::int64_t outputs = 0;     ///< classes, or columns to predict
    std::int64_t vocabulary = 0;  ///< Tokens: different characters
    double largest = 255;         ///< Image: the brightest pixel
    bool isMapped = false;        ///< the inputs lie in a file, and are not to be copied as a whole
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
    torch::Tensor test;  ///< undefined where the data set has a separate test set
};

struct SetSizes {
    std::int64_t train = 0;
    std::int64_t validation = 0;
    std::int64_t test = 0;
};

/// A rank and how many there are.
struct Share {
    int rank = 0;
    int ranks = 1;
};

/// What one trial trains, validates and tests on: three disjoint sets. With sampling = contiguous on several ranks a
/// rank has its part alone: of the training set its contiguousPartition(), of the others every ranks-th sample.
struct TrialData {
    Samples train;
    Samples validation;  ///< may be empty
    Samples test;        ///< may be empty
    SetSizes sizes{};    ///< of all ranks
    bool isPart = false;
    /// Of a part: see data/moments.h; those of all ranks together give the normalisation. Undefined where that is known.
    torch::Tensor moments{};
    Split split{};
    SampleKind kind = SampleKind::Image;
    Task task = Task::Classification;
    std::int64_t outputs = 0;
    std::int64_t vocabulary = 0;
    Normalisation normalisation{};
};

/// Read settings.dataset; with `choices` only the samples that they want. BadInput, NotFound, … name the file and the
/// place in it.
Expected<Dataset> loadDataset(const TrainSettings &settings, const RowChoices &choices = {});

/// `count` samples split by settings.splitSeed, else its seed, as torch.utils.data.random_split does. With a separate test set: into
/// {1 - validation_fraction, validation_fraction}; else {1 - validation_fraction - test_fraction, validation_fraction,
/// test_fraction}. Training keeps the first train_samples of its part.
Expected<Split> drawSplit(const TrainSettings &settings, std::int64_t count, bool ownTest);

/// The data set in its three parts, normalised by the training part.
Expected<TrialData> splitDataset(const TrainSettings &settings, Dataset dataset);

/// The trial's data, or `share`'s part of it where a rank is to have no more.
Expected<TrialData> loadTrialData(const TrainSettings &settings, const Share &share = {});

}  // namespace sweepscope::train
