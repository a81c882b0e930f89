#include "exporting/sweepexport.h"

#include "base/files.h"
#include "feed/logwriter.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

constexpr std::uint64_t mostBytes = 1024 * 1024;

/// Returns whether Python can parse the file and `check`, an expression over `d`, is true.
bool holds(const std::filesystem::path &file, const std::string &check)
{
    const std::string command = "python3 -c \"import json,sys; d=json.load(open(sys.argv[1],encoding='utf-8'),"
                                "parse_constant=lambda name: sys.exit(3)); sys.exit(0 if "
                                + check + " else 1)\" '" + file.string() + "'";
    return std::system(command.c_str()) == 0;
}

}  // namespace

TEST_CASE("trials are written as JSON if the file name ends in .json")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.json";
    sweep::SweepRecord sweep;
    sweep.name = "quoted \"name\"";
    sweep.objective = "loss";
    sweep.parameterNames = {"lr", "optimizer", "flag"};
    sweep::TrialRecord done;
    done.number = 1;
    done.state = sweep::TrialState::Completed;
    done.parameters = {{"lr", 1.0}, {"optimizer", std::string("sgd")}, {"flag", true}};
    done.attempts = 1;
    done.devices = {"cpu:0"};
    done.objectiveBest = {0.25, 7};
    done.objectiveLast = {std::numeric_limits<double>::quiet_NaN(), 8};
    done.started = 1'795'208'867'000'000'000;
    done.ended = 1'795'208'868'500'000'000;
    done.mark = {true, {"a\"b\\", "d\x01\xff"}, "two\nlines"};
    done.seed = std::numeric_limits<std::uint64_t>::max();
    sweep::TrialRecord waiting;
    waiting.number = 2;
    REQUIRE(exportTrials(sweep, {done, waiting}, file).has_value());
    CHECK(holds(file, "d['sweep'] == 'quoted \\\"name\\\"' and d['goal'] == 'minimize' and len(d['trials']) == 2"));
    CHECK(holds(file, "d['trials'][0]['parameters'] == {'lr': 1, 'optimizer': 'sgd', 'flag': True}"));
    CHECK(holds(file, "d['trials'][0]['objective_best'] == {'value': 0.25, 'step': 7}"));
    CHECK(holds(file, "d['trials'][0]['objective_last']['value'] == 'nan' and d['trials'][0]['seconds'] == 1.5"));
    CHECK(holds(file, "d['trials'][0]['tags'] == ['a' + chr(34) + 'b' + chr(92), 'd' + chr(1) + chr(0xfffd)] and "
                      "d['trials'][0]['note'] == 'two\\nlines'"));
    CHECK(holds(file, "d['trials'][0]['seed'] == 2 ** 64 - 1"));
    CHECK(holds(file, "d['trials'][1]['start'] is None and d['trials'][1]['objective_best'] is None"));

    REQUIRE(exportTrials(sweep, {done}, file, {"lr", "objective_best", "note"}).has_value());
    CHECK(holds(file, "set(d['trials'][0]) == {'trial', 'parameters', 'objective_best', 'note'}"));
    CHECK(holds(file, "d['trials'][0]['parameters'] == {'lr': 1}"));

    REQUIRE(exportTrials(sweep, {}, file).has_value());
    CHECK(holds(file, "d['trials'] == []"));
}

TEST_CASE("curves are written as JSON, one for each series of each rank")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path};
    sweep::SweepRecord sweep;
    sweep.name = "s";
    sweep.folder = "0001-s";
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.attempts = 1;
    trial.ranks = 2;
    for (int rank = 0; rank < 2; ++rank) {
        const auto feed = workspace.attempt(sweep.folder, 1, 1).rankFeed(rank);
        std::filesystem::create_directories(feed.parent_path());
        auto log = feed::LogWriter::open(feed, {rank, 2, 0, "a"});
        REQUIRE(log.has_value());
        const auto loss = log->declare("loss");
        const auto rate = log->declare("lr");
        for (int step = 0; step < 3; ++step) {
            log->write(loss, step, step * 1'000'000'000LL,
                       step == 1 ? std::numeric_limits<double>::infinity() : 0.5 * step);
            log->write(rate, step, step * 1'000'000'000LL, 0.1);
        }
        REQUIRE(log->flush().has_value());
    }
    const auto file = folder.path / "curves.json";
    REQUIRE(exportCurves(workspace, sweep, {trial}, file).has_value());
    CHECK(holds(file,
                "[(c['rank'], c['series']) for c in d['curves']] == [(0, 'loss'), (0, 'lr'), (1, 'loss'), (1, 'lr')]"));
    CHECK(holds(file, "d['curves'][0]['points'] == [[0, '1970-01-01T00:00:00.000000000Z', 0], [1, "
                      "'1970-01-01T00:00:01.000000000Z', 'inf'], [2, '1970-01-01T00:00:02.000000000Z', 1]]"));
    CHECK(holds(file, "d['gaps'] == []"));

    REQUIRE(exportCurves(workspace, sweep, {}, file).has_value());
    CHECK(holds(file, "d['curves'] == []"));
    CHECK(readFile(file, mostBytes)->back() == '\n');
}
