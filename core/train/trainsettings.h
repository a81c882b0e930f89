#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::train {

/// One trial of the built-in worker, as values. Names, types, defaults and ranges are those of sweep/keys.h.
struct TrainSettings {
    std::string dataset;
    std::string dataFolder;
    std::string dataFile;
    std::string targetFile;
    std::string target;
    std::string task;
    bool inMemory = true;
    bool standardize = true;
    std::string augment;
    std::int64_t context = 0;
    std::string sampling;
    bool dropLast = false;
    bool dropLastBatch = false;
    std::int64_t splitSeed = 0;  ///< 0 = the trial's
    double validationFraction = 0;
    double testFraction = 0;
    std::int64_t trainSamples = 0;  ///< 0 = all
    std::int64_t loaderThreads = 0;

    std::string model;
    std::string modelFile;
    std::int64_t hidden = 0;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    double dropout = 0;
    bool syncBatchNorm = false;
    bool activationCheckpointing = false;

    std::int64_t epochs = 0;
    std::int64_t maxSteps = 0;    ///< 0 = no limit
    std::int64_t valEvery = 0;    ///< steps; 0 = each epoch
    std::int64_t batchSize = 0;   ///< per rank
    std::int64_t accumulate = 1;  ///< batches per step
    std::string optimizer;
    double learningRate = 0;
    double momentum = 0;
    double weightDecay = 0;
    bool decayNormAndBias = true;
    bool nesterov = false;
    double beta1 = 0;
    double beta2 = 0;
    double epsilon = 0;  ///< 0 = the optimiser's
    std::string schedule;
    std::int64_t warmupSteps = 0;
    std::int64_t decayEpochs = 1;
    double decayFactor = 0;
    double clipNorm = 0;  ///< 0 = off
    double labelSmoothing = 0;
    std::int64_t earlyStop = 0;  ///< validations; 0 = off
    std::string bestBy;
    double emaDecay = 0;  ///< 0 = off
    std::string device;
    std::string precision;
    std::string matmulPrecision;
    bool deterministic = false;
    bool channelsLast = false;
    std::string nanPolicy;

    std::string parallel;
    std::int64_t stages = 0;  ///< 0 = one per device of the rank
    std::int64_t microBatches = 1;
    double bucketMb = 0;
    bool findUnused = false;
    std::int64_t checkEvery = 0;  ///< steps; 0 = each epoch
    double peerTimeout = 0;       ///< seconds; 0 = off
    std::string exchangePrecision;
    bool checkpoints = true;
    std::int64_t keepBest = 1;
    std::int64_t checkpointEvery = 0;  ///< steps; 0 = each epoch
    bool resume = true;
    std::int64_t threads = 0;  ///< 0 = from OMP_NUM_THREADS
    std::uint64_t seed = 0;

    std::map<std::string, std::string> texts;  ///< all settings but the seed, by name, in one way of writing each
};

/// Each of `assignments` is KEY=VALUE; other settings keep their defaults. BadInput names the key and its allowed
/// values.
Expected<TrainSettings> parseSettings(const std::vector<std::string> &assignments, std::uint64_t seed);

}  // namespace sweepscope::train
