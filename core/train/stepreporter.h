#pragma once

#include "feed/feedwriter.h"
#include "train/score.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::train {

/// What one step showed on one rank.
struct StepFigures {
    double loss = 0;
    std::optional<double> accuracy;  ///< of a classification
    double learningRate = 0;
    double gradientNorm = 0;     ///< over all parameters, mean over ranks, before clipping
    double stepSeconds = 0;      ///< the whole step; the next three are parts of it
    double dataWaitSeconds = 0;  ///< until the batches were there
    double computeSeconds = 0;   ///< what is neither waiting for data nor for the other ranks
    double forwardSeconds = 0;   ///< this and the next two are parts of it
    double backwardSeconds = 0;
    double updateSeconds = 0;
    double commWaitSeconds = 0;           ///< backward was done, the exchange of gradients was not
    double commOverlapSeconds = 0;        ///< the exchange was under way while backward computed
    std::vector<double> bucketSeconds{};  ///< of each bucket of gradients on its way, in the order of their launch
    std::optional<double> copySeconds{};  ///< of the batches to the GPU, beside other work
    double samplesPerSecond = 0;
    std::optional<double> tokensPerSecond{};  ///< of text
};

/// Writes the series of docs/training.md to this rank's feed, where there is one, and to a file of JSON lines, where
/// one is asked for.
class StepReporter {
public:
    explicit StepReporter(std::optional<feed::FeedWriter> writer);

    /// From here on every step and score is also a line of JSON in `path`, which is made anew.
    Expected<void> writeLinesTo(const std::filesystem::path &path);

    void total(std::int64_t steps);
    void step(std::int64_t step, const StepFigures &figures);
    void validation(std::int64_t step, const Score &score);
    void test(std::int64_t step, const Score &score);
    /// Fingerprints, for the diagnosis: of the weights after a step, and of the samples of the epoch that begins with it.
    void weightsHash(std::int64_t step, double fingerprint);
    void sampleOrder(std::int64_t step, double fingerprint);
    void event(feed::EventKind kind, std::int64_t step, const std::string &text);
    bool stopRequested() const;
    /// The last one that step() was called with; 0 before.
    std::int64_t lastStep() const { return m_lastStep; }

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    struct Series {
        std::uint16_t loss, accuracy, learningRate, gradientNorm, stepTime, dataWait, computeTime, commWait,
            commOverlap, samplesPerSecond, forwardTime, backwardTime, updateTime;
        std::vector<std::uint16_t> bucketTimes;
        std::optional<std::uint16_t> copyTime, tokensPerSecond;
        std::uint16_t totalSteps;
        std::map<std::string, std::uint16_t> scores;  ///< "val_loss"
        std::uint16_t weightsHash, sampleOrder;
    };
    void writeTimes(std::int64_t step, const StepFigures &figures);
    void writeScore(std::int64_t step, const std::string &set, const Score &score);

    std::optional<feed::FeedWriter> m_writer;
    std::unique_ptr<std::FILE, Close> m_lines;
    Series m_series{};
    std::int64_t m_lastStep = 0;
};

}  // namespace sweepscope::train
