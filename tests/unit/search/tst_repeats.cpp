#include "search/asktell.h"
#include "sweep/splitmix.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

using namespace sweepscope;
using namespace sweepscope::search;
using facts::Code;
using facts::Field;

namespace {

/// A search that repeats points, trial after trial.
struct RepeatedSearch {
    sweep::ParsedSweep parsed;
    std::optional<sweep::SearchSpace> space;
    std::atomic<bool> cancelled = false;
    std::optional<AskTell> search;
    int trials = 0;

    RepeatedSearch(const RepeatedSearch &) = delete;  // the search refers to the space
    explicit RepeatedSearch(const std::string &searchKeys, const std::string &space_ = "n = [1, 2, 3, 4]")
        : parsed(sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\n" + searchKeys + "\n[space]\n"
                                   + space_ + "\n[run]\ncommand = ['x', '{n}']\n"))
    {
        for (const sweep::Problem &problem : parsed.problems)
            INFO(problem.field, problem.message);
        REQUIRE(parsed.problems.empty());
        space = *sweep::SearchSpace::compile(parsed.spec);
        search.emplace(parsed.spec, *space, methodOf(parsed.spec), OutsideProgram::Surroundings(), cancelled);
    }

    tl::expected<Suggestion, facts::Fact> begin()
    {
        auto suggestion = search->ask(trials + 1);
        if (suggestion)
            tell(++trials, *suggestion, Outcome::Pending, 0);
        return suggestion;
    }

    void tell(int number, const Suggestion &suggestion, Outcome outcome, double value)
    {
        Observation trial;
        trial.number = number;
        trial.outcome = outcome;
        trial.parameters = suggestion.parameters;
        if (outcome != Outcome::Pending)
            trial.values = {value};
        search->tell(std::move(trial));
    }
};

double numberOf(const Suggestion &suggestion)
{
    return *sweep::numberOf(suggestion.parameters.front().second);
}

/// Small and different from run to run, but the same in each test.
double noise(int trial)
{
    return 0.01 * ((trial * 7) % 5 - 2);
}

}  // namespace

TEST_CASE("a grid runs all of its points, then those again that may be the best")
{
    RepeatedSearch sweep("method = 'grid'\nrepeats = 3");
    std::map<double, int> runs;
    std::vector<double> order;
    for (;;) {
        const auto suggestion = sweep.begin();
        if (!suggestion) {
            CHECK(suggestion.error().code == Code::RepeatsDone);
            break;
        }
        const double n = numberOf(*suggestion);
        order.push_back(n);
        ++runs[n];
        sweep.tell(sweep.trials, *suggestion, Outcome::Complete, n + noise(sweep.trials));
    }
    REQUIRE(order.size() >= 4);
    CHECK(std::vector<double>(order.begin(), order.begin() + 4) == std::vector<double>{1, 2, 3, 4});
    CHECK(runs[1] == 3);
    // Three degrees of freedom are the fewest that end a race: the two best points have run three and two times then.
    CHECK(runs[3] == 1);
    CHECK(runs[4] == 1);
    CHECK(order.size() <= 7);
}

TEST_CASE("points that differ by less than the noise run as often as they may")
{
    RepeatedSearch sweep("method = 'grid'\nrepeats = 4");
    std::map<double, int> runs;
    for (auto suggestion = sweep.begin(); suggestion; suggestion = sweep.begin()) {
        ++runs[numberOf(*suggestion)];
        sweep.tell(sweep.trials, *suggestion, Outcome::Complete, 0.001 * numberOf(*suggestion) + noise(sweep.trials));
    }
    CHECK(runs == std::map<double, int>{{1, 4}, {2, 4}, {3, 4}, {4, 4}});
}

TEST_CASE("a search repeats a point before it tries another one, and says which run it is")
{
    RepeatedSearch sweep("method = 'random'\nrepeats = 2\ntrials = 10", "n = { float = [0, 1] }");
    const auto first = sweep.begin();
    REQUIRE(first);
    CHECK(first->why.code == Code::ChosenAtRandom);
    const auto other = sweep.begin();  // the first has no result yet
    REQUIRE(other);
    CHECK(other->parameters != first->parameters);
    sweep.tell(1, *first, Outcome::Complete, 0.5);
    const auto again = sweep.begin();
    REQUIRE(again);
    CHECK(again->parameters == first->parameters);
    CHECK(again->why
          == facts::Fact(Code::ChosenToRepeat).with(Field::Trial, 1).with(Field::Number, 2).with(Field::Count, 2));
    const auto fourth = sweep.begin();  // its second run has not ended: no third one, and no second one beside it
    REQUIRE(fourth);
    CHECK(fourth->why.code == Code::ChosenAtRandom);
}

TEST_CASE("a point whose run failed or was pruned is not repeated")
{
    for (const Outcome outcome : {Outcome::Failed, Outcome::Pruned, Outcome::Infeasible}) {
        RepeatedSearch sweep("method = 'random'\nrepeats = 2\ntrials = 10", "n = { float = [0, 1] }");
        const auto first = sweep.begin();
        REQUIRE(first);
        sweep.tell(1, *first, outcome, 0.5);
        const auto next = sweep.begin();
        REQUIRE(next);
        CHECK(next->why.code == Code::ChosenAtRandom);
    }
}

TEST_CASE("a run that was lost is replaced, but not without end")
{
    RepeatedSearch sweep("method = 'grid'\nrepeats = 2", "n = [1]");
    const auto first = sweep.begin();
    REQUIRE(first);
    sweep.tell(1, *first, Outcome::Complete, 0.5);
    for (int number = 2; number <= 4; ++number) {
        const auto again = sweep.begin();
        REQUIRE(again);
        CHECK(again->why.integer(Field::Number) == 2);
        sweep.tell(number, *again, Outcome::Unknown, 0);
    }
    CHECK_FALSE(sweep.begin());
}

TEST_CASE("the last trials go to points that have begun")
{
    RepeatedSearch sweep("method = 'random'\nrepeats = 3\ntrials = 4", "n = { float = [0, 1] }");
    const auto first = sweep.begin();
    const auto second = sweep.begin();
    REQUIRE(first);
    REQUIRE(second);
    const auto third = sweep.begin();
    REQUIRE_FALSE(third);  // two trials are left, a new point may need three
    CHECK(third.error().code == Code::ResultsAwaited);
    sweep.tell(1, *first, Outcome::Complete, 1);
    CHECK(sweep.begin()->parameters == first->parameters);
    sweep.tell(2, *second, Outcome::Complete, 0);
    CHECK(sweep.begin()->parameters == second->parameters);
    CHECK(sweep.trials == 4);
}

TEST_CASE("methods see a point once, with the mean of its runs")
{
    RepeatedSearch sweep("method = 'tpe'\nrepeats = 3\ntrials = 50", "n = { float = [0, 1] }");
    const auto first = sweep.begin();
    REQUIRE(first);
    sweep.tell(1, *first, Outcome::Complete, 1);
    sweep.tell(2, *first, Outcome::Complete, 2);
    sweep.tell(3, *first, Outcome::Pending, 0);
    REQUIRE(sweep.search->history().trials().size() == 1);
    const Observation &seen = sweep.search->history().trials().front();
    CHECK(seen.number == 1);
    CHECK((seen.outcome == Outcome::Complete));
    CHECK(seen.values == std::vector<double>{1.5});
    CHECK(sweep.search->lastNumber() == 3);
    sweep.tell(2, *first, Outcome::Failed, 0);  // its result is corrected
    CHECK(sweep.search->history().trials().front().values == std::vector<double>{1});
}

TEST_CASE("racing keeps the best point in nearly all searches, for less than a third of the trials beyond the first")
{
    int trials = 0;
    int kept = 0;
    constexpr int searches = 40;
    for (int seed = 0; seed < searches; ++seed) {
        RepeatedSearch sweep("method = 'grid'\nrepeats = 5", "n = { int = [1, 20] }");
        sweep::SplitMix64 random(static_cast<std::uint64_t>(seed));
        std::map<double, int> runs;
        for (auto suggestion = sweep.begin(); suggestion; suggestion = sweep.begin()) {
            const double n = numberOf(*suggestion);
            ++runs[n];
            const double normal = random.nextUnit() + random.nextUnit() + random.nextUnit() + random.nextUnit() - 2;
            sweep.tell(sweep.trials, *suggestion, Outcome::Complete, n + 1.5 * normal);
        }
        trials += sweep.trials - 20;
        kept += runs[1] == 5 ? 1 : 0;
    }
    CHECK(kept >= searches * 9 / 10);
    CHECK(trials < searches * 80 / 3);
}
