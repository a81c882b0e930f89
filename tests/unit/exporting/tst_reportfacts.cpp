#include "exporting/reportfacts.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

sweep::TrialRecord reportedTrialOf(int number, sweep::TrialState state, std::optional<double> objective = {})
{
    sweep::TrialRecord trial;
    trial.number = number;
    trial.state = state;
    if (objective)
        trial.objectiveBest = {*objective, 1};
    return trial;
}

diagnosis::Finding findingOf(const std::string &rule, int trial, const std::string &hint = "use more workers")
{
    diagnosis::Finding finding;
    finding.rule = rule;
    finding.trial = trial;
    finding.hint = hint;
    return finding;
}

}  // namespace

TEST_CASE("states are counted in the order of a trial's life")
{
    using State = sweep::TrialState;
    CHECK(stateCounts({}) == "0 trials");
    CHECK(stateCounts({reportedTrialOf(1, State::Failed)}) == "1 trial: 1 failed");
    CHECK(stateCounts({reportedTrialOf(1, State::Failed), reportedTrialOf(2, State::Completed),
                       reportedTrialOf(3, State::Failed), reportedTrialOf(4, State::Queued)})
          == "4 trials: 1 queued, 1 completed, 2 failed");
}

TEST_CASE("long lists of trials end with dots")
{
    CHECK(trialList({3, 5}) == "3, 5");
    std::vector<int> many(21);
    std::iota(many.begin(), many.end(), 1);
    CHECK(trialList(many).ends_with("19, 20, …"));
}

TEST_CASE("failed trials are not among the best")
{
    using State = sweep::TrialState;
    const std::vector<sweep::TrialRecord> trials = {
        reportedTrialOf(1, State::Completed, 0.5), reportedTrialOf(2, State::Failed, 0.1),
        reportedTrialOf(3, State::Completed, 0.25), reportedTrialOf(4, State::Completed)};
    const auto ranked = rankedTrials({}, trials);
    REQUIRE(ranked.size() == 2);
    CHECK(ranked[0] == &trials[2]);
    CHECK(ranked[1] == &trials[0]);
    CHECK(bestTrial({}, trials) == &trials[2]);
    CHECK(bestTrial({}, {}) == nullptr);
}

TEST_CASE("findings are grouped by rule and hint")
{
    SweepFindings found;
    found.attempts = 4;
    found.findings = {findingOf("straggler", 7), findingOf("no_such_rule", 1), findingOf("straggler", 2),
                      findingOf("straggler", 7), findingOf("straggler", 3, "check its disk")};
    const std::vector<ReportedFindings> groups = groupedFindings(found);
    REQUIRE(groups.size() == 3);
    CHECK(groups[0].trials == std::vector<int>{2, 7});
    CHECK(groups[0].worst.trial == 7);
    CHECK(groups[0].title != "straggler");
    CHECK(groups[1].title == "no_such_rule");
    CHECK(groups[2].trials == std::vector<int>{3});
    CHECK(findingCounts(found) == "5 findings in 4 attempts.");
}
