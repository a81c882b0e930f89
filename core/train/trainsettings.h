#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::train {

/// One trial of the built-in worker, as values. Names, types, defaults and ranges are those of sweep/builtinsettings.h.
struct TrainSettings {
    std::string dataset;
    std::string dataFolder;
    std::string model;
    std::int64_t epochs = 0;
    std::int64_t batchSize = 0;  ///< per rank
    std::string optimizer;
    double learningRate = 0;
    double momentum = 0;
    double weightDecay = 0;
    std::int64_t hidden = 0;
    std::int64_t layers = 0;
    double dropout = 0;
    double validationFraction = 0;
    double testFraction = 0;
    std::int64_t trainSamples = 0;  ///< 0 = all
    std::int64_t threads = 0;       ///< 0 = from OMP_NUM_THREADS
    std::uint64_t seed = 0;
};

/// Each of `assignments` is KEY=VALUE; what is not named keeps its default. BadInput names the key, and what it may be.
Expected<TrainSettings> parseSettings(const std::vector<std::string> &assignments, std::uint64_t seed);

}  // namespace sweepscope::train
