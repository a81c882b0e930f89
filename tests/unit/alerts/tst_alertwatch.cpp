#include "alerts/alertwatch.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::alerts;
using sweep::TrialState;

namespace {

constexpr WallNs began = 1'000;

/// A sweep and its trials, and the alerts about each change.
struct Watched {
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;
    AlertWatch watch{began};

    explicit Watched(int count)
    {
        sweep.id = 3;
        sweep.name = "digits";
        sweep.objective = "loss";
        sweep.goal = sweep::Goal::Minimize;
        for (int number = 1; number <= count; ++number) {
            trials.emplace_back();
            trials.back().number = number;
        }
    }
    std::vector<Alert> see(int first, int last)
    {
        return watch.update(sweep,
                            {trials.size(), [this](std::size_t i) -> const sweep::TrialRecord & { return trials[i]; }},
                            first, last);
    }
    std::vector<Alert> end(int number, TrialState state, std::optional<double> loss = {}, WallNs at = began + 5)
    {
        sweep::TrialRecord &trial = trials[static_cast<std::size_t>(number - 1)];
        trial.state = state;
        trial.attempts = 1;
        trial.attemptEnded = at;
        if (loss)
            trial.objectiveBest = sweep::ObjectiveValue{*loss, 7};
        return see(number, number);
    }
};

}  // namespace

TEST_CASE("a failed trial raises one alert, with its cause")
{
    Watched watched(3);
    CHECK(watched.see(1, 3).empty());
    watched.trials[1].reason = facts::Fact(facts::Code::DiskFull);
    const std::vector<Alert> alerts = watched.end(2, TrialState::Failed);
    REQUIRE(alerts.size() == 1);
    CHECK((alerts[0].kind == AlertKind::TrialFailed));
    CHECK(alerts[0].trial == 2);
    CHECK_FALSE(alerts[0].text.empty());
    CHECK(titleOf(alerts[0]) == "digits: trial 2 failed");
    CHECK(watched.see(1, 3).empty());
}

TEST_CASE("what ended before the watch began is no news, even if the trial is seen for the first time later")
{
    Watched watched(2);
    CHECK(watched.end(1, TrialState::Failed, {}, began - 1).empty());
    CHECK(watched.see(1, 2).empty());
    CHECK(watched.end(2, TrialState::Failed).size() == 1);
}

TEST_CASE("only an ended trial that beats another one is a new best")
{
    Watched watched(5);
    CHECK(watched.end(1, TrialState::Completed, 0.5).empty());
    CHECK(watched.end(2, TrialState::Completed, 0.6).empty());
    const std::vector<Alert> alerts = watched.end(3, TrialState::Pruned, 0.25);
    REQUIRE(alerts.size() == 1);
    CHECK((alerts[0].kind == AlertKind::NewBest));
    CHECK(alerts[0].text == "loss 0.25 in trial 3");
    CHECK((watched.end(4, TrialState::Failed, 0.1).front().kind == AlertKind::TrialFailed));
    CHECK(watched.end(5, TrialState::Completed, 0.2).size() == 1);
}

TEST_CASE("a sweep has ended when all of its trials have")
{
    Watched watched(3);
    watched.see(1, 3);
    watched.end(1, TrialState::Completed, 0.5);
    watched.end(2, TrialState::Failed);
    watched.sweep.state = sweep::SweepState::Completed;
    watched.sweep.ended = began + 9;
    CHECK(watched.see(1, 0).empty());
    const std::vector<Alert> alerts = watched.end(3, TrialState::Completed, 0.7);
    REQUIRE(alerts.size() == 1);
    CHECK((alerts[0].kind == AlertKind::SweepEnded));
    CHECK(titleOf(alerts[0]) == "digits completed");
    CHECK(alerts[0].text == "2 completed, 1 failed; best loss 0.5 in trial 1");
    CHECK(watched.see(1, 3).empty());

    // It runs again after a retry.
    watched.sweep.state = sweep::SweepState::Running;
    watched.trials[1].state = TrialState::Running;
    CHECK(watched.see(2, 2).empty());
    watched.sweep.state = sweep::SweepState::Completed;
    CHECK(watched.end(2, TrialState::Completed, 0.6).size() == 1);
}

TEST_CASE("each attempt that hangs raises one alert, even if the trial runs again")
{
    Watched watched(1);
    watched.see(1, 1);
    sweep::TrialRecord &trial = watched.trials[0];
    trial.attempts = 1;
    trial.attemptEnded = began + 1;
    trial.reason = facts::Fact(facts::Code::RetryScheduled).dueTo(facts::Fact(facts::Code::Hung));
    REQUIRE(watched.see(1, 1).size() == 1);
    CHECK(watched.see(1, 1).empty());
    trial.attempts = 2;
    CHECK((watched.see(1, 1).front().kind == AlertKind::TrialHung));
}

TEST_CASE("a disk that fills up raises one alert until it has space again")
{
    Watched watched(1);
    watched.see(1, 1);
    watched.sweep.warnings = {
        facts::Fact(facts::Code::DiskNearlyFull).with(facts::Field::Device, std::string("/data"))};
    REQUIRE(watched.see(1, 0).size() == 1);
    CHECK(watched.see(1, 0).empty());
    watched.sweep.warnings.clear();
    CHECK(watched.see(1, 0).empty());
    watched.sweep.warnings = {facts::Fact(facts::Code::DiskExhausted).with(facts::Field::Device, std::string("/data"))};
    CHECK((watched.see(1, 0).front().kind == AlertKind::DiskFilling));
}
