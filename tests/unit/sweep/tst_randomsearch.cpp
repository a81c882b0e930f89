#include "specs.h"
#include "sweep/splitmix.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;

namespace {

std::vector<std::string> plan(const SweepSpec &spec)
{
    const auto plans = planTrials(spec);
    REQUIRE_MESSAGE(plans.has_value(), (plans ? "" : plans.error().message));
    REQUIRE(countTrials(spec).value() == plans->size());
    std::vector<std::string> texts;
    for (const TrialPlan &trial : *plans)
        texts.push_back(text(trial.parameters));
    return texts;
}

std::vector<double> drawn(const SweepSpec &spec, const std::string &name)
{
    std::vector<double> values;
    const auto plans = planTrials(spec);
    REQUIRE(plans.has_value());
    for (const TrialPlan &trial : *plans)
        values.push_back(std::get<double>(*find(trial.parameters, name)));
    return values;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the generator gives the published SplitMix64 numbers")
{
    SplitMix64 random(1234567);
    CHECK(random.next() == 6457827717110365317ULL);
    CHECK(random.next() == 3203168211198807973ULL);
    CHECK(random.next() == 9817491932198370423ULL);
    for (int i = 0; i < 1000; ++i) {
        CHECK(random.nextBelow(3) < 3);
        const double unit = random.nextUnit();
        CHECK((unit >= 0 && unit < 1));
    }
    CHECK(random.nextBelow(1) == 0);
}

TEST_CASE("the same seed draws the same trials, another seed different ones")
{
    const std::vector<Dimension> space{range(DimensionKind::Log, "lr", 1e-4, 1e-1, 0),
                                       range(DimensionKind::Linear, "dropout", 0, 0.5, 0),
                                       choice("opt", {"sgd", "adam"}), integers("n", 1, 100)};
    const auto first = plan(randomSweep(50, 7, space));
    CHECK(plan(randomSweep(50, 7, space)) == first);
    CHECK(plan(randomSweep(50, 8, space)) != first);
    // With more trials the first ones stay the same.
    const auto more = plan(randomSweep(60, 7, space));
    CHECK(std::equal(first.begin(), first.end(), more.begin()));
}

TEST_CASE("the drawn list is pinned: it must stay the same after every update and on every machine")
{
    CHECK(plan(randomSweep(3, 7, {range(DimensionKind::Log, "lr", 1e-4, 1e-1, 3), choice("opt", {"sgd", "adam"})}))
          == Texts{"lr=0.0625320492511 opt=sgd", "lr=0.0179958211057 opt=sgd", "lr=0.0292294025891 opt=sgd"});
}

TEST_CASE("float ranges are sampled uniformly over the whole range, whatever their points")
{
    const auto linear = drawn(randomSweep(4000, 1, {range(DimensionKind::Linear, "x", -2, 2, 3)}), "x");
    CHECK(std::set(linear.begin(), linear.end()).size() == 4000);
    std::array<int, 4> quarters{};
    for (const double x : linear) {
        REQUIRE((x >= -2 && x <= 2));
        ++quarters[static_cast<std::size_t>(std::min(3.0, std::floor(x + 2)))];
    }
    for (const int count : quarters)
        CHECK(std::abs(count - 1000) < 120);  // 4 standard deviations of 27

    const auto log = drawn(randomSweep(4000, 1, {range(DimensionKind::Log, "x", 1e-4, 1, 0)}), "x");
    int belowMiddle = 0;
    for (const double x : log) {
        REQUIRE((x >= 1e-4 && x <= 1));
        belowMiddle += x < 1e-2 ? 1 : 0;
    }
    CHECK(std::abs(belowMiddle - 2000) < 130);
}

TEST_CASE("all points of a finite space can be drawn, each once, and one more is an error")
{
    const std::vector<Dimension> space{choice("opt", {"sgd", "adam"}), integers("n", 1, 500, 1, "opt == 'sgd'")};
    const auto all = plan(randomSweep(501, 3, space));
    CHECK(std::set(all.begin(), all.end()).size() == 501);
    CHECK(std::count(all.begin(), all.end(), "opt=adam") == 1);

    const auto tooMany = countTrials(randomSweep(502, 3, space));
    REQUIRE_FALSE(tooMany.has_value());
    CHECK(tooMany.error().message.find("only 501 different") != std::string::npos);
    CHECK_FALSE(planTrials(randomSweep(502, 3, space)).has_value());
}

TEST_CASE("every draw satisfies the constraints")
{
    const auto spec = randomSweep(200, 5, {integers("batch", 16, 512, 16), range(DimensionKind::Log, "lr", 1e-4, 1, 0)},
                                  {{"fits", "batch <= 128"}, {"stable", "lr * batch < 1"}});
    const auto plans = planTrials(spec);
    REQUIRE(plans.has_value());
    for (const TrialPlan &trial : *plans) {
        const double batch = static_cast<double>(std::get<std::int64_t>(*find(trial.parameters, "batch")));
        const double lr = std::get<double>(*find(trial.parameters, "lr"));
        CHECK(batch <= 128);
        CHECK(lr * batch < 1);
    }
}

TEST_CASE("constraints without solution are an error, not an endless search")
{
    const auto none = countTrials(randomSweep(5, 1, {range(DimensionKind::Linear, "x", 0, 1, 0)}, {{"none", "x > 2"}}));
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("only 0 different combinations that satisfy the constraints were found")
          != std::string::npos);
}

TEST_CASE("the last few valid points of a finite space are found")
{
    const auto spec =
        randomSweep(2, 1, {integers("a", 1, 1000), integers("b", 1, 1000)}, {{"rare", "a * b >= 999 * 1000"}});
    const auto texts = plan(spec);
    CHECK(std::set(texts.begin(), texts.end()).size() == 2);
}

TEST_CASE("a condition does not change the draws of other parameters")
{
    const auto with = planTrials(randomSweep(20, 9,
                                             {choice("opt", {"sgd", "adam"}),
                                              range(DimensionKind::Linear, "m", 0, 1, 0, "opt == 'sgd'"),
                                              range(DimensionKind::Linear, "x", 0, 1, 0)}))
                          .value();
    const auto without =
        planTrials(randomSweep(20, 9,
                               {choice("opt", {"sgd", "adam"}), range(DimensionKind::Linear, "m", 0, 1, 0),
                                range(DimensionKind::Linear, "x", 0, 1, 0)}))
            .value();
    for (std::size_t i = 0; i < with.size(); ++i)
        CHECK(*find(with[i].parameters, "x") == *find(without[i].parameters, "x"));
}

TEST_CASE("a random search without a number of trials is open-ended, and too many are refused")
{
    const SweepSpec open = randomSweep(0, 1, {range(DimensionKind::Linear, "x", 0, 1, 0)});
    CHECK(isOpenEnded(open));
    CHECK(countTrials(open) == 0);
    CHECK(planTrials(open)->empty());
    CHECK_FALSE(trialsToSearch(open).has_value());
    CHECK(typicalTrials(open, 5)->size() == 5);
    CHECK(typicalTrials(randomSweep(0, 1, {numbers("n", {1, 2, 3})}), 8)->size() <= 3);
    CHECK_FALSE(countTrials(randomSweep(1'000'001, 1, {range(DimensionKind::Linear, "x", 0, 1, 0)})).has_value());
    CHECK(countTrials(randomSweep(1'000'000, 1, {range(DimensionKind::Linear, "x", 0, 1, 0)})).value() == 1'000'000);
}
