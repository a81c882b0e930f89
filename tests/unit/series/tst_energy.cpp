#include "series/energy.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::series;

namespace {

constexpr WallNs energySecond = 1'000'000'000;

GpuHolding holding(double from, double until, int ranks = 1)
{
    const auto time = [](double seconds) { return static_cast<WallNs>(seconds * 1e9); };
    return {time(from), time(until), ranks};
}

std::vector<TimedValue> at(std::initializer_list<std::pair<int, double>> values)
{
    std::vector<TimedValue> readings;
    for (const auto &[time, value] : values)
        readings.push_back({time * energySecond, value});
    return readings;
}

/// A counter that runs at 100 W from second 100 to 110, then at 300 W until 120.
GpuReadings counted()
{
    GpuReadings gpu;
    for (int time = 100; time <= 120; ++time)
        gpu.joules.push_back(
            {time * energySecond, 5000.0 + (time <= 110 ? 100 * (time - 100) : 1000 + 300 * (time - 110))});
    return gpu;
}

}  // namespace

TEST_CASE("the counter gives the energy between start and end")
{
    // 5 s at 100 W and 5 s at 300 W
    const auto energy = energyOf(counted(), holding(105, 115), {});
    REQUIRE(energy);
    CHECK(energy->joules == doctest::Approx(2000));
    CHECK(energy->method == EnergyMethod::Counter);
    // between two readings: half a second at 100 W, one at 300 W
    CHECK(energyOf(counted(), holding(109.5, 111), {})->joules == doctest::Approx(350));
    CHECK(energyOf(counted(), holding(105.25, 105.5), {})->joules == doctest::Approx(25));
}

TEST_CASE("without a counter, power is integrated")
{
    // from 100 W up to 300 W in 10 s: 2000 J; the middle 4 s: 160 W to 240 W, 800 J
    const GpuReadings gpu{{}, at({{100, 100}, {105, 200}, {110, 300}})};
    const auto energy = energyOf(gpu, holding(100, 110), {});
    REQUIRE(energy);
    CHECK(energy->joules == doctest::Approx(2000));
    CHECK(energy->method == EnergyMethod::Power);
    CHECK(energyOf(gpu, holding(103, 107), {})->joules == doctest::Approx(800));
}

TEST_CASE("a shared GPU is divided by ranks while it is shared")
{
    // 100 W for 10 s. Alone for 4 s: 400 J. With one other rank for 3 s: 150 J. With three others for 3 s: 75 J.
    const std::vector<GpuHolding> others{holding(104, 200), holding(107, 110, 2)};
    CHECK(energyOf(counted(), holding(100, 110), others)->joules == doctest::Approx(625));
    // two ranks beside one: two thirds
    const std::vector<GpuHolding> other{holding(90, 130)};
    CHECK(energyOf(counted(), holding(100, 110, 2), other)->joules == doctest::Approx(1000.0 * 2 / 3));
    // one that had ended
    const std::vector<GpuHolding> earlier{holding(50, 100)};
    CHECK(energyOf(counted(), holding(100, 110), earlier)->joules == doctest::Approx(1000));
}

TEST_CASE("the shares of all trials add up to the energy of the GPU")
{
    const std::vector<GpuHolding> all{holding(100, 113), holding(102.5, 108, 2), holding(105, 120), holding(101, 102)};
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<GpuHolding> others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        sum += energyOf(counted(), all[i], others)->joules;
    }
    CHECK(sum == doctest::Approx(4000));
}

TEST_CASE("what was not read is unknown, not 0")
{
    CHECK_FALSE(energyOf({}, holding(100, 110), {}));
    CHECK_FALSE(energyOf(counted(), holding(90, 110), {}));
    CHECK_FALSE(energyOf(counted(), holding(110, 126), {}));
    CHECK_FALSE(energyOf(counted(), holding(200, 210), {}));
    CHECK_FALSE(energyOf(counted(), holding(110, 110), {}));
    CHECK_FALSE(energyOf({at({{100, 7}}), {}}, holding(100, 101), {}));
}

TEST_CASE("a short edge without readings continues the nearest one")
{
    // 2 s at 100 W before the first reading, 3 s at 300 W after the last
    CHECK(energyOf(counted(), holding(98, 100), {})->joules == doctest::Approx(200));
    CHECK(energyOf(counted(), holding(98, 123), {})->joules == doctest::Approx(200 + 4000 + 900));
    CHECK(energyOf({{}, at({{100, 50}})}, holding(99, 102), {})->joules == doctest::Approx(150));
}

TEST_CASE("the counter covers a gap in the readings, power does not")
{
    const GpuReadings gpu{at({{100, 0}, {101, 100}, {400, 30'000}, {401, 30'100}}),
                          at({{100, 100}, {101, 100}, {400, 100}, {401, 100}})};
    CHECK(energyOf(gpu, holding(100, 401), {}) == Energy{30'100, EnergyMethod::Counter});
    CHECK_FALSE(energyOf({{}, gpu.watts}, holding(100, 401), {}));
    // when it ended within the gap is known, but not what was consumed until then
    CHECK_FALSE(energyOf(gpu, holding(100, 250), {}));
}

TEST_CASE("a counter that starts again gives way to power")
{
    const GpuReadings gpu{at({{100, 9000}, {101, 9100}, {102, 50}, {103, 150}}),
                          at({{100, 100}, {101, 100}, {102, 100}, {103, 100}})};
    CHECK(energyOf(gpu, holding(100, 103), {}) == Energy{300, EnergyMethod::Power});
    CHECK(energyOf(gpu, holding(102, 103), {}) == Energy{100, EnergyMethod::Counter});
    CHECK_FALSE(energyOf({gpu.joules, {}}, holding(100, 103), {}));
}

TEST_CASE("a sum is integrated if a part is")
{
    const Energy counter{1, EnergyMethod::Counter};
    const Energy power{2, EnergyMethod::Power};
    CHECK(counter + counter == Energy{2, EnergyMethod::Counter});
    CHECK(counter + power == Energy{3, EnergyMethod::Power});
}
