#pragma once

#include "base/error.h"
#include "train/data/rowchoice.h"
#include "train/data/samples.h"

#include <filesystem>

namespace sweepscope::train {

struct TrainAndTest {
    Samples train;
    Samples test;
};

/// The four IDX files in `folder`, each plain or with .gz: train-images-idx3-ubyte, train-labels-idx1-ubyte,
/// t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte. Errors name the file and what was expected and found.
/// With `choices` only the images that they want are kept.
Expected<TrainAndTest> readMnist(const std::filesystem::path &folder, const RowChoices &choices = {});

}  // namespace sweepscope::train
