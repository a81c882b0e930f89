#include "train/batchloader.h"
#include "train/schedule.h"

#include <atomic>
#include <doctest/doctest.h>
#include <stdexcept>

using namespace sweepscope::train;

namespace {

Schedule schedule(const std::vector<std::string> &assignments, std::int64_t stepsPerEpoch)
{
    const auto parsed = parseSettings(assignments, 0);
    REQUIRE(parsed.has_value());
    return {*parsed, stepsPerEpoch};
}

}  // namespace

TEST_CASE("learningRateFallsInSteps")
{
    const Schedule steps = schedule({"lr=1", "schedule=step", "decay_epochs=2", "decay_factor=0.5", "epochs=6"}, 10);
    CHECK(steps.rate(0) == 1);
    CHECK(steps.rate(19) == 1);
    CHECK(steps.rate(20) == 0.5);
    CHECK(steps.rate(59) == 0.25);
}

TEST_CASE("learningRateGrowsWhileWarmingUp")
{
    const Schedule warm = schedule({"lr=1", "warmup_steps=4"}, 10);
    CHECK(warm.rate(0) == 0.25);
    CHECK(warm.rate(3) == 1);
    CHECK(warm.rate(90) == 1);
}

// The literals are the results of PyTorch's CosineAnnealingLR(T_max=100) and OneCycleLR(max_lr=1, total_steps=100).
TEST_CASE("cosineAndOneCycleEqualPyTorchs")
{
    const Schedule cosine = schedule({"lr=1", "schedule=cosine", "epochs=10"}, 10);
    CHECK(cosine.rate(0) == doctest::Approx(1));
    CHECK(cosine.rate(30) == doctest::Approx(0.7938926261462366));
    CHECK(cosine.rate(99) == doctest::Approx(0.0002467198171342));
    const Schedule cycle = schedule({"lr=1", "schedule=one_cycle", "epochs=10"}, 10);
    CHECK(cycle.rate(0) == doctest::Approx(0.04));
    CHECK(cycle.rate(10) == doctest::Approx(0.29516394846410077));
    CHECK(cycle.rate(29) == doctest::Approx(1));
    CHECK(cycle.rate(60) == doctest::Approx(0.5892800902855287));
    CHECK(cycle.rate(99) == doctest::Approx(4e-6));
}

TEST_CASE("batchesAreInOrderWithAnyNumberOfThreads")
{
    for (const std::int64_t threads : {0, 1, 4}) {
        CAPTURE(threads);
        std::atomic<int> made{0};
        BatchLoader<std::int64_t> loader(
            [&made](std::int64_t number) {
                ++made;
                return number * number;
            },
            3, 50, threads);
        for (std::int64_t i = 3; i < 50; ++i)
            REQUIRE(loader.next().value() == i * i);
        CHECK_FALSE(loader.next().has_value());
        CHECK(made == 47);
    }
}

TEST_CASE("loaderRunsOnlySlightlyAhead")
{
    std::atomic<std::int64_t> largest{0};
    BatchLoader<std::int64_t> loader(
        [&largest](std::int64_t number) {
            std::int64_t seen = largest;
            while (number > seen && !largest.compare_exchange_weak(seen, number)) {
            }
            return number;
        },
        0, 1000, 2);
    REQUIRE(loader.next().has_value());
    CHECK(largest <= 5);
}

TEST_CASE("exceptionOfALoaderThreadIsRethrownWithItsBatch")
{
    BatchLoader<int> loader(
        [](std::int64_t number) -> int {
            if (number == 2)
                throw std::runtime_error("broken sample");
            return 1;
        },
        0, 5, 2);
    CHECK(loader.next() == 1);
    CHECK(loader.next() == 1);
    CHECK_THROWS_WITH(loader.next(), "broken sample");
}
