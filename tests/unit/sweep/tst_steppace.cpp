#include "sweep/steppace.h"

#include <doctest/doctest.h>

#include <random>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

constexpr double aSecond = 1e9;

/// `steps` reports whose times of a step are normally distributed.
StepPace randomPace(std::mt19937_64 &random, int steps, double mean, double deviation)
{
    std::normal_distribution<double> seconds(mean, deviation);
    StepPace pace;
    double now = 0;
    for (int step = 1; step <= steps; ++step) {
        now += std::max(0.0, seconds(random));
        pace.add(step, static_cast<WallNs>(now * aSecond));
    }
    return pace;
}

}  // namespace

TEST_CASE("few reports say nothing about the pace")
{
    StepPace pace;
    CHECK_FALSE(pace.relativeError().has_value());
    for (int step = 1; step <= 15; ++step)
        pace.add(step, step * static_cast<WallNs>(aSecond));
    CHECK_FALSE(pace.relativeError().has_value());
    for (int step = 16; step <= 40; ++step)
        pace.add(step, step * static_cast<WallNs>(aSecond));
    REQUIRE(pace.relativeError().has_value());
    CHECK(*pace.relativeError() < 1e-9);
}

TEST_CASE("the error of the pace is that of the mean of independent steps, for any number of reports")
{
    std::mt19937_64 random(1);
    for (const int steps : {40, 1'000, 100'000}) {
        const double expected = 0.3 / std::sqrt(0.8 * steps);
        double sum = 0;
        constexpr int runs = 30;
        for (int run = 0; run < runs; ++run)
            sum += *randomPace(random, steps, 1, 0.3).relativeError();
        CHECK(sum / runs > 0.7 * expected);
        CHECK(sum / runs < 1.3 * expected);
    }
}

TEST_CASE("a slow start is left out, and a pause later is not")
{
    StepPace pace;
    WallNs now = 0;
    for (int step = 1; step <= 100; ++step) {
        now += static_cast<WallNs>(step < 15 ? 10 * aSecond : aSecond);
        pace.add(step, now);
    }
    CHECK(*pace.relativeError() < 1e-9);
    for (int step = 101; step <= 200; ++step) {
        now += static_cast<WallNs>(step == 150 ? 30 * aSecond : aSecond);
        pace.add(step, now);
    }
    CHECK(*pace.relativeError() > 0.1);
}

TEST_CASE("several metrics of a step, and steps that go back, count once")
{
    StepPace pace;
    for (int step = 1; step <= 60; ++step) {
        pace.add(step, step * static_cast<WallNs>(aSecond));
        pace.add(step, step * static_cast<WallNs>(aSecond) + 500'000'000);
        pace.add(step - 1, step * static_cast<WallNs>(aSecond) + 600'000'000);
    }
    CHECK(*pace.relativeError() < 1e-9);
}
