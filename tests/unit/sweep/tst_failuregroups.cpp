#include "sweep/failuregroups.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

TrialRecord failed(int number, Fact reason, TrialState state = TrialState::Failed)
{
    TrialRecord trial;
    trial.number = number;
    trial.state = state;
    trial.reason = std::move(reason);
    return trial;
}

Fact indexError(int rank, int index, const std::string &source = "train.py:6")
{
    return Fact(Code::RankExited)
        .with(Field::Rank, rank)
        .with(Field::ExitCode, 1)
        .with(Field::IsError, 1)
        .with(Field::Source, source)
        .with(Field::Detail, "IndexError: index " + std::to_string(index) + " is out of bounds");
}

}  // namespace

TEST_CASE("equal failures are one group, whatever the rank, the numbers and the retries")
{
    const std::vector<FailureGroup> groups = failureGroups({
        failed(1, Fact(Code::RankKilled).with(Field::Rank, 0).with(Field::Signal, 11)),
        failed(2, indexError(0, 7)),
        failed(3, Fact(), TrialState::Completed),
        failed(4, Fact(Code::NotRetried).with(Field::Failure, "error").dueTo(indexError(1, 1024))),
        failed(5, Fact(Code::OnMachine).with(Field::Machine, "gpu1").dueTo(indexError(1, 12))),
        failed(6, indexError(0, 7, "model.py:9")),
        failed(7, Fact(Code::AttemptMissing), TrialState::Lost),
    });
    REQUIRE(groups.size() == 4);
    CHECK(groups[0].trials == std::vector{2, 4, 5});
    Fact ofAnyRank = indexError(0, 7);
    std::erase_if(ofAnyRank.fields, [](const auto &field) { return field.first == Field::Rank; });
    CHECK_MESSAGE(groups[0].cause == ofAnyRank, "the trials failed on different ranks");
    CHECK(groups[2].cause == indexError(0, 7, "model.py:9"));
    CHECK(groups[1].trials == std::vector{1});  // as many as the others: in the order of the trials
    CHECK(groups[2].trials == std::vector{6});
    CHECK(groups[3].trials == std::vector{7});
}

TEST_CASE("ranks that did nothing after another exited are one group, whatever they printed last")
{
    const auto idle = [](const std::string &output) {
        return Fact(Code::ExitedEarly)
            .with(Field::Rank, 0)
            .with(Field::Seconds, 60.0)
            .with(Field::Ranks, "1")
            .with(Field::Detail, output);
    };
    const std::vector<FailureGroup> groups = failureGroups({
        failed(1, idle("epoch 8")),
        failed(2, Fact(Code::ExitedEarly).with(Field::Rank, 0).with(Field::Seconds, 60.0).with(Field::Ranks, "1,2")),
        failed(3, idle("saving")),
    });
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].trials == std::vector{1, 3});
    CHECK(groups[0].cause.text(Field::Detail).empty());
}

TEST_CASE("a sweep without failures has no groups")
{
    CHECK(failureGroups({}).empty());
    CHECK(failureGroups({failed(1, Fact(Code::Stopped), TrialState::Stopped), failed(2, Fact(), TrialState::Pruned)})
              .empty());
}
