#include "exporting/followedjournal.h"

#include "base/files.h"
#include "exporting/optunajournal.h"
#include "exporting/optunastudy.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>
#include <sstream>

using namespace sweepscope;
using namespace sweepscope::exporting;
using Curve = std::map<std::int64_t, double>;

namespace {

struct FollowedSweep {
    TemporaryFolder folder;
    WorkspaceLayout workspace{folder.path / "workspace"};
    std::filesystem::path file = folder.path / "study.journal";
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;

    FollowedSweep()
    {
        sweep.name = "digits";
        sweep.folder = "0001-digits";
        sweep.objective = "loss";
        for (int number = 1; number <= 2; ++number)
            trials.emplace_back().number = number;
    }

    FollowedJournal open() const { return FollowedJournal::open(file, sweep).value(); }
    void update(FollowedJournal &journal) const
    {
        REQUIRE(journal.update(workspace, sweep, trials, mostJournalPoints).has_value());
    }
    void begin(int number)
    {
        trials[static_cast<std::size_t>(number) - 1].state = sweep::TrialState::Running;
        ++trials[static_cast<std::size_t>(number) - 1].attempts;
    }
    void end(int number, sweep::TrialState state)
    {
        trials[static_cast<std::size_t>(number) - 1].state = state;
        trials[static_cast<std::size_t>(number) - 1].objectiveBest = {0.5, 3};
    }
    std::string text() const { return readFile(file, 1 << 20).value(); }
    JournalState state() const
    {
        JournalState read;
        std::istringstream lines(text());
        for (std::string line; std::getline(lines, line);)
            read.apply(line);
        return read;
    }
    OptunaState stateOf(int number) const { return state().trial(number)->state; }
};

}  // namespace

TEST_CASE("a journal follows its trials, by lines that are only added")
{
    FollowedSweep sweep;
    FollowedJournal journal = sweep.open();
    sweep.update(journal);
    std::string before = sweep.text();
    const auto grows = [&] {
        sweep.update(journal);
        const std::string now = sweep.text();
        const bool isLonger = now.size() > before.size() && now.starts_with(before);
        before = now;
        return isLonger;
    };
    CHECK(sweep.stateOf(1) == OptunaState::Waiting);
    CHECK_FALSE(grows());
    sweep.begin(1);
    CHECK(grows());
    CHECK(sweep.stateOf(1) == OptunaState::Running);
    CHECK(sweep.state().trial(1)->attributes["attempts"] == 1);
    sweep.trials[0].objectiveLast = {0.5, 3};
    CHECK_FALSE(grows());
    sweep.end(1, sweep::TrialState::Completed);
    CHECK(grows());
    CHECK(sweep.stateOf(1) == OptunaState::Complete);
    CHECK(sweep.state().trial(1)->attributes["objective_last"] == 0.5);
    CHECK(sweep.stateOf(2) == OptunaState::Waiting);
    CHECK_FALSE(grows());

    // An attempt that is repeated is part of its trial.
    sweep.begin(2);
    CHECK(grows());
    sweep.trials[1].state = sweep::TrialState::Queued;
    CHECK_FALSE(grows());
    sweep.begin(2);
    CHECK(grows());
    sweep.end(2, sweep::TrialState::Failed);
    CHECK(grows());
    CHECK(sweep.stateOf(2) == OptunaState::Fail);
    CHECK(sweep.state().trial(2)->id == 1);
}

TEST_CASE("a trial that runs again after its end is another one, and one that the sweep lost fails")
{
    FollowedSweep sweep;
    FollowedJournal journal = sweep.open();
    sweep.begin(1);
    sweep.end(1, sweep::TrialState::Failed);
    sweep.update(journal);
    sweep.trials[0].state = sweep::TrialState::Queued;
    sweep.trials.pop_back();
    sweep.update(journal);
    CHECK(sweep.state().trial(1)->id == 2);
    CHECK(sweep.stateOf(1) == OptunaState::Waiting);
    CHECK(sweep.stateOf(2) == OptunaState::Fail);

    // Both between two updates.
    sweep.begin(1);
    sweep.end(1, sweep::TrialState::Failed);
    sweep.update(journal);
    sweep.begin(1);
    sweep.end(1, sweep::TrialState::Completed);
    sweep.update(journal);
    CHECK(sweep.state().trial(1)->id == 3);
    CHECK(sweep.stateOf(1) == OptunaState::Complete);
}

TEST_CASE("a journal is continued, also after an export, a crash and lines of Optuna")
{
    FollowedSweep sweep;
    REQUIRE(exportOptuna(sweep.workspace, sweep.sweep, sweep.trials, sweep.file).has_value());
    const std::string exported = sweep.text();
    {
        FollowedJournal journal = sweep.open();
        sweep.update(journal);
        CHECK(sweep.text() == exported);
    }
    std::ofstream(sweep.file, std::ios::app) << R"({"op_code":4,"worker_id":"x","study_id":0,"datetime_start":null})"
                                                "\n"
                                                R"({"op_code":8,"wor)";
    FollowedJournal journal = sweep.open();
    sweep.trials.emplace_back().number = 3;
    sweep.begin(1);
    sweep.update(journal);
    CHECK(sweep.stateOf(1) == OptunaState::Running);
    CHECK(sweep.state().trial(3)->id == 3);
    CHECK(sweep.text().find(R"("wor{)") == std::string::npos);
}

TEST_CASE("another file is refused and stays as it is")
{
    FollowedSweep sweep;
    for (const char *const content : {"notes", "notes\n",
                                      R"({"op_code":0,"study_name":"digits","directions":[1]})"
                                      "\n"}) {
        std::ofstream(sweep.file) << content;
        CHECK(FollowedJournal::open(sweep.file, sweep.sweep).error().code == ErrorCode::BadInput);
        CHECK(sweep.text() == content);
    }
    std::filesystem::remove(sweep.file);
    FollowedJournal journal = sweep.open();
    sweep.update(journal);
    sweep.sweep.folder = "0002-digits";
    CHECK(FollowedJournal::open(sweep.file, sweep.sweep).error().code == ErrorCode::BadInput);
    sweep.sweep.folder = "0001-digits";
    std::ofstream(sweep.file, std::ios::app) << R"({"op_code":1,"worker_id":"x","study_id":0})"
                                                "\n";
    CHECK_FALSE(journal.update(sweep.workspace, sweep.sweep, sweep.trials, 10).has_value());
}

TEST_CASE("a long curve is followed in steps of its length")
{
    constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
    const Curve curve{{1, 0.5}, {2, notANumber}, {3, 0.25}};
    CHECK(missingPoints(curve, {{1, 0.5}, {2, notANumber}}, false, 10) == Curve{{3, 0.25}});
    CHECK(missingPoints(curve, {{1, 0.75}, {2, notANumber}}, false, 10) == Curve{{1, 0.5}, {3, 0.25}});
    CHECK(missingPoints({}, curve, true, 10).empty());
    const Curve longCurve{{0, 1}, {1000, 1}, {1005, 1}};
    CHECK(missingPoints(longCurve, {{0, 1}, {1000, 1}}, false, 100).empty());
    CHECK(missingPoints(longCurve, {{0, 1}, {1000, 1}}, false, 1000) == Curve{{1005, 1}});
    CHECK(missingPoints(longCurve, {{0, 1}, {1000, 1}}, true, 100) == Curve{{1005, 1}});
}
