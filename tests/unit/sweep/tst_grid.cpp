#include "specs.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

#include <chrono>
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
    for (const TrialPlan &trial : *plans) {
        CHECK(trial.number == static_cast<int>(texts.size()) + 1);
        texts.push_back(text(trial.parameters));
    }
    return texts;
}

Error countError(const SweepSpec &spec)
{
    const auto count = countTrials(spec);
    REQUIRE_FALSE(count.has_value());
    const auto plans = planTrials(spec);
    REQUIRE_FALSE(plans.has_value());
    CHECK(plans.error().message == count.error().message);
    return count.error();
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a grid runs every combination, the first parameter slowest")
{
    CHECK(plan(commandSweep({numbers("lr", {0.1, 0.2}), choice("opt", {"sgd", "adam"})}))
          == Texts{"lr=0.1 opt=sgd", "lr=0.1 opt=adam", "lr=0.2 opt=sgd", "lr=0.2 opt=adam"});
}

TEST_CASE("an empty space is one trial without parameters")
{
    CHECK(plan(commandSweep({})) == Texts{""});
}

TEST_CASE("ranges include their ends, have even steps, and no rounding noise")
{
    CHECK(plan(commandSweep({range(DimensionKind::Linear, "x", 0, 1, 11)}))
          == Texts{"x=0", "x=0.1", "x=0.2", "x=0.3", "x=0.4", "x=0.5", "x=0.6", "x=0.7", "x=0.8", "x=0.9", "x=1"});
    CHECK(plan(commandSweep({range(DimensionKind::Log, "x", 1e-5, 1e-1, 5)}))
          == Texts{"x=1e-05", "x=1e-04", "x=0.001", "x=0.01", "x=0.1"});
    CHECK(plan(commandSweep({range(DimensionKind::Log, "x", 0.001, 0.1, 4)}))
          == Texts{"x=0.001", "x=0.00464158883361", "x=0.0215443469003", "x=0.1"});
    CHECK(plan(commandSweep({range(DimensionKind::Linear, "x", 0, 1, 1)})) == Texts{"x=0"});
    CHECK(plan(commandSweep({integers("n", 1, 10, 4)})) == Texts{"n=1", "n=5", "n=9"});
    CHECK(plan(commandSweep({integers("n", -3, -1)})) == Texts{"n=-3", "n=-2", "n=-1"});
    CHECK(plan(commandSweep({integers("n", -9007199254740992.0, 9007199254740992.0, 9007199254740992)}))
          == Texts{"n=-9007199254740992", "n=0", "n=9007199254740992"});
}

TEST_CASE("a condition switches a parameter off, which is then absent and counts once")
{
    CHECK(plan(commandSweep(
              {choice("opt", {"sgd", "adam"}), numbers("momentum", {0.5, 0.9}, "opt == 'sgd'"), numbers("lr", {1, 2})}))
          == Texts{"opt=sgd momentum=0.5 lr=1", "opt=sgd momentum=0.5 lr=2", "opt=sgd momentum=0.9 lr=1",
                   "opt=sgd momentum=0.9 lr=2", "opt=adam lr=1", "opt=adam lr=2"});
}

TEST_CASE("a condition on a switched-off parameter is false")
{
    CHECK(plan(commandSweep({choice("opt", {"sgd", "adam"}), numbers("momentum", {0, 0.9}, "opt == 'sgd'"),
                             choice("nesterov", {"yes", "no"}, "momentum > 0"),
                             numbers("x", {1, 2}, "not momentum > 0")}))
          == Texts{"opt=sgd momentum=0 x=1", "opt=sgd momentum=0 x=2", "opt=sgd momentum=0.9 nesterov=yes",
                   "opt=sgd momentum=0.9 nesterov=no", "opt=adam"});
}

TEST_CASE("constraints remove combinations that violate them, and do not apply to switched-off parameters")
{
    CHECK(plan(commandSweep({integers("a", 1, 3), integers("b", 1, 3)}, {{"sum", "a + b == 4"}, {"order", "a <= b"}}))
          == Texts{"a=1 b=3", "a=2 b=2"});
    CHECK(plan(commandSweep({choice("opt", {"sgd", "adam"}), numbers("momentum", {0.5, 0.9}, "opt == 'sgd'")},
                            {{"small", "momentum < 0.8"}}))
          == Texts{"opt=sgd momentum=0.5", "opt=adam"});
}

TEST_CASE("ranks is always a variable: the sweep's value or the parameter")
{
    SweepSpec spec = commandSweep({integers("batch", 64, 192, 64)}, {{"fits", "batch * ranks <= 256"}});
    spec.run.ranks = 2;
    CHECK(plan(spec) == Texts{"batch=64", "batch=128"});

    spec.space.push_back(numbers("ranks", {}));
    spec.space.back().values = {std::int64_t{1}, std::int64_t{4}};
    CHECK(plan(spec) == Texts{"batch=64 ranks=1", "batch=64 ranks=4", "batch=128 ranks=1", "batch=192 ranks=1"});
    const auto plans = planTrials(spec);
    CHECK(plans->at(1).ranks == 4);

    spec.space.back().when = "batch == 64";  // elsewhere the sweep's default of 2 ranks applies
    CHECK(plan(spec) == Texts{"batch=64 ranks=1", "batch=64 ranks=4", "batch=128"});
    CHECK(planTrials(spec)->at(2).ranks == 2);
}

TEST_CASE("fixed settings of the built-in worker can be used, with their defaults")
{
    SweepSpec spec;
    spec.run.settings = {{"batch_size", std::int64_t{64}}, {"model", std::string("cnn")}};
    spec.run.ranks = 2;
    spec.space = {numbers("lr", {0.1, 0.2})};
    spec.constraints = {
        {"fits", "batch_size * ranks <= 128 and model == 'cnn' and optimizer == 'sgd' and hidden == 64"}};
    CHECK(countTrials(spec).value() == 2);
    spec.constraints = {{"fits", "lr > 0.1 or model != 'cnn'"}};
    CHECK(plan(spec) == Texts{"lr=0.2"});
}

TEST_CASE("trial seeds follow from the sweep's seed and the trial's number")
{
    SweepSpec spec = commandSweep({integers("n", 1, 1000)});
    spec.seed = 7;
    const auto plans = planTrials(spec).value();
    CHECK(plans[0].seed == 837153010);  // pinned: a sweep must have the same seeds after every update
    CHECK(plans[1].seed == 36052587);
    std::set<std::uint64_t> seeds;
    for (const TrialPlan &trial : plans) {
        CHECK(trial.seed <= 2'147'483'647);
        seeds.insert(trial.seed);
    }
    CHECK(seeds.size() > 995);
    spec.seed = 8;
    CHECK(planTrials(spec)->at(0).seed != plans[0].seed);
}

TEST_CASE("a parameter named seed is the trial's seed")
{
    const auto plans = planTrials(commandSweep({integers("seed", 1, 3)}));
    REQUIRE(plans.has_value());
    CHECK(plans->at(2).seed == 3);
}

TEST_CASE("a grid of a million is accepted, one more is not")
{
    CHECK(countTrials(commandSweep({integers("a", 1, 1000), integers("b", 1, 1000)})).value() == 1'000'000);
    CHECK(countError(commandSweep({integers("a", 1, 1'000'001)})).message
          == "the grid has 1,000,001 trials; at most 1,000,000 are allowed: use fewer values, or method = "
             "\"random\"");
}

TEST_CASE("numbers beyond every integer type count as too many")
{
    std::vector<Dimension> space;
    for (int i = 0; i < 20; ++i)
        space.push_back(integers("p" + std::to_string(i), 0, 9e15));
    const Error error = countError(commandSweep(space));
    CHECK(error.code == ErrorCode::BadInput);
    CHECK(error.message.find("more than 1,000,000 trials") != std::string::npos);
}

TEST_CASE("a raw grid of 10^18 with few trials is counted by walking only connected parameters")
{
    // 10^18 raw combinations; the constraints leave 1 of 10^6 for each pair, in three independent groups.
    std::vector<Dimension> space;
    std::vector<Constraint> constraints;
    for (int i = 0; i < 3; ++i) {
        const std::string a = "a" + std::to_string(i);
        const std::string b = "b" + std::to_string(i);
        space.insert(space.begin(), integers(a, 1, 1000));
        space.push_back(integers(b, 1, 1000));
        constraints.push_back({"c" + std::to_string(i), a + " == 5"});
        constraints.push_back({"d" + std::to_string(i), b + " + " + a + " == 10"});
    }
    CHECK(plan(commandSweep(space, constraints)) == Texts{"a2=5 a1=5 a0=5 b0=5 b1=5 b2=5"});
}

TEST_CASE("a switched-off parameter with 10^15 values costs nothing")
{
    CHECK(plan(commandSweep({choice("opt", {"sgd", "adam"}), integers("n", 1, 1e15, 1, "opt == 'sgd'")},
                            {{"only", "opt != 'sgd'"}}))
          == Texts{"opt=adam"});
}

TEST_CASE("constraints too hard to count give a clear error in bounded time")
{
    std::vector<Dimension> space;
    std::string sum = "0";
    for (int i = 0; i < 18; ++i) {
        space.push_back(integers("p" + std::to_string(i), 1, 10));
        sum += " + p" + std::to_string(i);
    }
    const Error error = countError(commandSweep(space, {{"sum", sum + " == 0"}}));
    CHECK(error.message.find("cannot be counted") != std::string::npos);
}

TEST_CASE("a constraint of hundreds of terms over a million points gives a clear error in bounded time")
{
    std::string terms = "a";
    for (int i = 0; i < 900; ++i)
        terms += " + a";
    const Error error =
        countError(commandSweep({integers("a", 1, 1000), integers("b", 1, 1000)}, {{"many", terms + " + b > 0"}}));
    CHECK(error.message.find("cannot be counted") != std::string::npos);
}

TEST_CASE("constraints that leave no point are an error, whether or not they use parameters")
{
    CHECK(countError(commandSweep({integers("a", 1, 3)}, {{"none", "a > 3"}})).message.find("leave no trial")
          != std::string::npos);
    CHECK(countError(commandSweep({integers("a", 1, 3)}, {{"none", "ranks > 1"}})).message.find("leave no trial")
          != std::string::npos);
}

TEST_CASE("a space with errors is refused with the first of them")
{
    CHECK(countError(commandSweep({integers("a", 3, 1)})).message.find("space.a: has a reversed range") == 0);
}

TEST_CASE("a grid with repeats plans no trials at launch, and has at most points times repeats")
{
    SweepSpec spec = commandSweep({numbers("a", {1, 2}), numbers("b", {3, 4, 5})});
    spec.repeats = 3;
    CHECK(isOpenEnded(spec));
    CHECK(planTrials(spec).value().empty());
    CHECK(trialsToSearch(spec) == 18);
    const std::vector<TrialPlan> plans = typicalTrials(spec, maxTrials).value();
    REQUIRE(plans.size() == 18);
    CHECK(text(plans[0].parameters) == text(plans[6].parameters));
    CHECK(plans[0].seed != plans[6].seed);
    CHECK(plans[17].number == 18);

    spec.method = SearchMethod::Random;
    spec.trials = 7;
    CHECK(trialsToSearch(spec) == 7);
    CHECK(typicalTrials(spec, maxTrials).value().size() == 7);
    spec.trials = 18;  // of six points
    CHECK(countTrials(spec).value() == 18);
    spec.trials = 21;
    CHECK_FALSE(countTrials(spec).has_value());
}
