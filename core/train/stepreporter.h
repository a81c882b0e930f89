#pragma once

#include "feed/feedwriter.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::train {

/// What one step showed on one rank.
struct StepFigures {
    double loss = 0;
    double accuracy = 0;
    double learningRate = 0;
    double stepSeconds = 0;      ///< the whole step, data wait included
    double dataWaitSeconds = 0;  ///< of these: until the batch was there
    double samplesPerSecond = 0;
};

/// Loss and accuracy over a whole set, the same on all ranks.
struct Score {
    double loss = 0;
    double accuracy = 0;
};

/// Writes the series of docs/training.md to this rank's feed; writes nothing outside Sweepscope.
class StepReporter {
public:
    explicit StepReporter(std::optional<feed::FeedWriter> writer);

    void total(std::int64_t steps);
    void step(std::int64_t step, const StepFigures &figures);
    void validation(std::int64_t step, const Score &score);
    void test(std::int64_t step, const Score &score);
    void event(feed::EventKind kind, std::int64_t step, const std::string &text);
    bool stopRequested() const;

private:
    struct Series {
        std::uint16_t loss, accuracy, learningRate, stepTime, dataWait, samplesPerSecond;
        std::uint16_t validationLoss, validationAccuracy, testLoss, testAccuracy, totalSteps;
    };
    std::optional<feed::FeedWriter> m_writer;
    Series m_series{};
};

}  // namespace sweepscope::train
