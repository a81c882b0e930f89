#include "diagnosis/batchprobe.h"
#include "syntheticrun.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::diagnosis;

namespace {

BatchMeasurement measured(double value, double samplesPerSecond)
{
    BatchMeasurement measurement;
    measurement.value = value;
    measurement.state = sweep::TrialState::Completed;
    measurement.samplesPerSecond = samplesPerSecond;
    return measurement;
}

BatchMeasurement outOfMemory(double value)
{
    BatchMeasurement measurement;
    measurement.value = value;
    measurement.state = sweep::TrialState::Stopped;
    measurement.outOfMemory = true;
    return measurement;
}

BatchProbe suggestionOf(std::vector<BatchMeasurement> measurements)
{
    BatchProbe probe;
    probe.parameter = "batch_size";
    probe.measurements = std::move(measurements);
    suggestBatch(probe);
    return probe;
}

}  // namespace

TEST_CASE("the smallest batch with nine tenths of the throughput is suggested")
{
    const BatchProbe probe = suggestionOf({measured(16, 400), measured(32, 700), measured(64, 920), measured(128, 1000),
                                           measured(256, 980), outOfMemory(512)});
    CHECK(probe.knee == 64);
    CHECK(probe.fastest == 128);
    CHECK(probe.upperBound == 512);
    CHECK(probe.sentence
          == "suggested batch_size 64: 92% of peak throughput (1,000 samples/s at 128); batch_size 512 runs out of "
             "memory");
    CHECK_FALSE(probe.dip.has_value());
}

TEST_CASE("a value that is slower than both neighbours is flagged as noise")
{
    const BatchProbe probe = suggestionOf({measured(256, 90'000), measured(512, 35'000), measured(1024, 200'000)});
    CHECK(probe.knee == 1024);
    CHECK(probe.dip == 512);
    CHECK(probe.sentence.find("512 is slower than its neighbors") != std::string::npos);
    CHECK_FALSE(suggestionOf({measured(16, 100), measured(32, 90), measured(64, 200)}).dip.has_value());
}

TEST_CASE("a smaller value that may be as good within the errors is named")
{
    BatchMeasurement noisy = measured(32, 860);
    noisy.error = 0.04;
    BatchMeasurement fastest = measured(128, 1000);
    fastest.error = 0.01;
    const BatchProbe probe = suggestionOf({measured(16, 400), noisy, measured(64, 960), fastest, measured(256, 900)});
    CHECK(probe.knee == 64);
    CHECK(probe.rival == 32);
    CHECK(probe.sentence
          == "suggested batch_size 64: 96% of peak throughput (1,000 samples/s ± 1% at 128); 32 may be as good (86% ± "
             "4%)");
    noisy.error = 0.01;
    CHECK_FALSE(
        suggestionOf({measured(16, 400), noisy, measured(64, 960), fastest, measured(256, 900)}).rival.has_value());
}

TEST_CASE("if the largest value is the fastest by far, larger ones may be faster")
{
    const BatchProbe probe = suggestionOf({measured(16, 100), measured(32, 200)});
    CHECK(probe.knee == 32);
    CHECK_FALSE(probe.upperBound.has_value());
    CHECK(probe.sentence.find("larger values were not tried") != std::string::npos);
}

TEST_CASE("memory that is too small for the smallest value gives no suggestion")
{
    const BatchProbe probe = suggestionOf({outOfMemory(16)});
    CHECK_FALSE(probe.knee.has_value());
    CHECK(probe.upperBound == 16);
    CHECK(probe.sentence == "nothing was measured: batch_size 16 runs out of memory");
    CHECK(suggestionOf({}).sentence == "nothing was measured");
}

TEST_CASE("all samples are counted, including smaller batches at the end of an epoch")
{
    SyntheticRun run(1);
    for (int step = 0; step < 100; ++step) {
        const bool isSmall = step % 2 != 0;
        run.add(0, "step_time", step, 0.1 * (step + 1), 0.1);
        run.add(0, "samples_per_second", step, 0.1 * (step + 1), isSmall ? 100 : 1000);
    }
    const auto both = throughputOf(run.evidence().ranks[0], 100);
    REQUIRE(both.has_value());
    CHECK(both->samplesPerSecond == doctest::Approx(550));
    CHECK(both->countedBy.empty());

    SyntheticRun timed(1);
    for (int step = 0; step < 100; ++step)
        timed.add(0, "step_time", step, 0.1 * (step + 1), 0.1);
    CHECK(throughputOf(timed.evidence().ranks[0], 32)->samplesPerSecond == doctest::Approx(320));
    SyntheticRun silent(1);
    for (int step = 0; step < 100; ++step)
        silent.add(0, "loss", step, 0.1 * (step + 1), 1);
    CHECK(throughputOf(silent.evidence().ranks[0], 32)->samplesPerSecond == doctest::Approx(320));
    SyntheticRun brief(1);
    brief.add(0, "step_time", 1, 1, 0.1);
    CHECK_FALSE(throughputOf(brief.evidence().ranks[0], 32).has_value());
}

TEST_CASE("the suggestion states its share of a GPU's memory")
{
    BatchMeasurement one = measured(16, 100);
    one.memory = 3e9;
    one.memoryTotal = 12e9;
    CHECK(suggestionOf({one, measured(32, 101), outOfMemory(64)}).sentence.find("with 25% of the GPU's memory")
          != std::string::npos);
}
