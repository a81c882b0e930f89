#include "exporting/sweepexport.h"

#include "base/files.h"
#include "exporting/feedcurves.h"
#include "feed/feedwriter.h"
#include "feed/format.h"
#include "feed/logwriter.h"
#include "feed/ring.h"
#include "pythoncsv.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

constexpr std::uint64_t mostBytes = 16 * 1024 * 1024;
constexpr std::int64_t second = 1'000'000'000;

sweep::SweepRecord someSweep()
{
    sweep::SweepRecord record;
    record.name = "digits";
    record.folder = "0001-digits";
    return record;
}

sweep::TrialRecord trial(int number, int attempts, int ranks)
{
    sweep::TrialRecord record;
    record.number = number;
    record.attempts = attempts;
    record.ranks = ranks;
    return record;
}

/// Writes a finished feed of two interleaved series.
void writeFeed(const std::filesystem::path &file, int points)
{
    std::filesystem::create_directories(file.parent_path());
    auto log = feed::LogWriter::open(file, {0, 1, 0, "a"});
    REQUIRE(log.has_value());
    const auto loss = log->declare("loss");
    const auto lr = log->declare("lr, \"rate\"");
    for (int i = 0; i < points; ++i) {
        log->write(loss, i, i * second, 1.0 / (i + 1));
        log->write(lr, i, i * second + 1, 0.1);
    }
    REQUIRE(log->flush().has_value());
}

std::vector<std::string> lines(const std::string &text)
{
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find("\r\n", begin);
        REQUIRE(end != std::string::npos);
        result.push_back(text.substr(begin, end - begin));
        begin = end + 2;
    }
    return result;
}

}  // namespace

TEST_CASE("curves are ordered by trial, attempt, rank, series and point")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    writeFeed(workspace.attempt(sweep.folder, 2, 1).rankFeed(0), 2);
    writeFeed(workspace.attempt(sweep.folder, 2, 2).rankFeed(0), 1);
    writeFeed(workspace.attempt(sweep.folder, 2, 2).rankFeed(1), 1);
    const auto file = folder.path / "curves.csv";
    // Trial 1 failed before it had a feed; trial 3 is queued.
    REQUIRE(exportCurves(workspace, sweep, {trial(1, 1, 2), trial(2, 2, 2), trial(3, 0, 2)}, file).has_value());

    CHECK(readFile(file, mostBytes).value()
          == "sweep,trial,attempt,rank,series,step,time,value\r\n"
             "digits,2,1,0,loss,0,1970-01-01T00:00:00.000000000Z,1\r\n"
             "digits,2,1,0,loss,1,1970-01-01T00:00:01.000000000Z,0.5\r\n"
             "digits,2,1,0,\"lr, \"\"rate\"\"\",0,1970-01-01T00:00:00.000000001Z,0.1\r\n"
             "digits,2,1,0,\"lr, \"\"rate\"\"\",1,1970-01-01T00:00:01.000000001Z,0.1\r\n"
             "digits,2,2,0,loss,0,1970-01-01T00:00:00.000000000Z,1\r\n"
             "digits,2,2,0,\"lr, \"\"rate\"\"\",0,1970-01-01T00:00:00.000000001Z,0.1\r\n"
             "digits,2,2,1,loss,0,1970-01-01T00:00:00.000000000Z,1\r\n"
             "digits,2,2,1,\"lr, \"\"rate\"\"\",0,1970-01-01T00:00:00.000000001Z,0.1\r\n");
    const std::string cells = readWithPython(file);
    CHECK(cells.find("lr, \"rate\"\x1f"
                     "0\x1f"
                     "1970-01-01T00:00:00.000000001Z\x1f"
                     "0.1\x1e")
          != std::string::npos);
    CHECK(std::count(cells.begin(), cells.end(), '\x1e') == 9);
}

TEST_CASE("a small memory budget gives the same bytes")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "rank-0.feed";
    writeFeed(file, 1000);
    const auto collect = [&file](std::uint64_t budget) {
        std::string text;
        FeedCurves curves(file, {}, budget);
        REQUIRE(curves.scan([](double) { return true; }));
        REQUIRE(curves.read(
            [&text](const FeedCurves::Curve &curve, const feed::Point &point) {
                text += curve.name + " " + std::to_string(point.step) + "\n";
            },
            [](double) { return true; }));
        REQUIRE(curves.damage().empty());
        return text;
    };
    const std::string all = collect(1'000'000);
    CHECK(std::count(all.begin(), all.end(), '\n') == 2000);
    CHECK(all.find("loss 0\nloss 1\n") == 0);
    CHECK(collect(1500) == all);
    CHECK(collect(10) == all);
}

TEST_CASE("points in a running rank's ring are exported too, and so are the gaps")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    const AttemptLayout attempt = workspace.attempt(sweep.folder, 1, 1);
    std::filesystem::create_directories(attempt.folder);
    auto drain = feed::RingDrain::create(attempt.rankRing(0), attempt.rankFeed(0), {0, 1, 0, "a"}, 64 * 1024);
    REQUIRE(drain.has_value());
    auto writer = feed::FeedWriter::open(attempt.rankRing(0));
    REQUIRE(writer.has_value());
    const auto loss = writer->declare("loss");
    for (int i = 0; i < 5000; ++i)  // 24 bytes each: more than fits
        writer->write(loss, i, 0.5);
    const std::uint64_t dropped = writer->dropped();
    REQUIRE(dropped > 0);
    REQUIRE(drain->drain().has_value());
    writer->write(loss, 9999, 0.25);  // stays in the ring, after the gap

    const auto file = folder.path / "curves.csv";
    REQUIRE(exportCurves(workspace, sweep, {trial(1, 1, 1)}, file).has_value());
    const auto rows = lines(readFile(file, mostBytes).value());
    REQUIRE(rows.size() == 1 + (5000 - dropped) + 1 + 1);
    CHECK(rows[rows.size() - 2].find("digits,1,1,0,loss,9999,") == 0);
    CHECK(rows.back().find("digits,1,1,0,gap,,") == 0);
    CHECK(rows.back().substr(rows.back().rfind(',') + 1) == std::to_string(dropped));
    drain->unlink();
}

TEST_CASE("a damaged feed is exported as far as it is readable, and the error reports it")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    const auto damaged = workspace.attempt(sweep.folder, 1, 1).rankFeed(0);
    writeFeed(damaged, 3);
    std::ofstream(damaged, std::ios::app | std::ios::binary)
        << std::string("\x02\0\0\0\xff\xff\xff\xff", 8) << std::string(64, 'x');
    writeFeed(workspace.attempt(sweep.folder, 2, 1).rankFeed(0), 1);
    const auto file = folder.path / "curves.csv";

    const auto result = exportCurves(workspace, sweep, {trial(1, 1, 1), trial(2, 1, 1)}, file);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::Corrupt);
    CHECK(result.error().message.find(damaged.string()) != std::string::npos);
    CHECK(lines(readFile(file, mostBytes).value()).size() == 1 + 6 + 2);
}

TEST_CASE("a truncated feed is exported up to its end, and the error reports it")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    const auto feed = workspace.attempt(sweep.folder, 1, 1).rankFeed(0);
    writeFeed(feed, 3);
    const auto whole = std::filesystem::file_size(feed);
    const auto file = folder.path / "curves.csv";
    auto ended = trial(1, 1, 1);
    ended.state = sweep::TrialState::Completed;
    ended.step = 2;
    REQUIRE(exportCurves(workspace, sweep, {ended}, file).has_value());

    std::filesystem::resize_file(feed, whole - 10);  // within a record
    auto result = exportCurves(workspace, sweep, {ended}, file);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::Corrupt);
    CHECK(result.error().message.find(feed.string() + " ends within a record") != std::string::npos);
    CHECK(lines(readFile(file, mostBytes).value()).size() == 1 + 5);

    std::filesystem::resize_file(feed, whole - 2 * feed::pointBytes);  // between two records
    result = exportCurves(workspace, sweep, {ended}, file);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().message.find("ends at step 1, but the trial reached step 2") != std::string::npos);
    ended.state = sweep::TrialState::Running;  // the rest may be in a ring
    CHECK(exportCurves(workspace, sweep, {ended}, file).has_value());
}

TEST_CASE("progress runs from 0 to 1, and cancelling leaves no file")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    for (int number = 1; number <= 3; ++number)
        writeFeed(workspace.attempt(sweep.folder, number, 1).rankFeed(0), 10);
    const std::vector<sweep::TrialRecord> trials{trial(1, 1, 1), trial(2, 1, 1), trial(3, 1, 1)};
    const auto file = folder.path / "curves.csv";

    double last = 0;
    bool ascending = true;
    REQUIRE(exportCurves(workspace, sweep, trials, file, [&](double share) {
                ascending = ascending && share >= last && share <= 1;
                last = share;
                return true;
            }).has_value());
    CHECK(ascending);
    CHECK(last == 1.0);

    std::filesystem::remove(file);
    const auto cancelled = exportCurves(workspace, sweep, trials, file, [](double share) { return share < 0.5; });
    REQUIRE_FALSE(cancelled.has_value());
    CHECK(cancelled.error().code == ErrorCode::Unavailable);
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("an export can also be cancelled within a long series")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    constexpr int points = 200'000;  // all of them are in memory before the first one is written
    writeFeed(workspace.attempt(sweep.folder, 1, 1).rankFeed(0), points);
    const auto file = folder.path / "curves.csv";
    std::vector<double> asked;
    REQUIRE(exportCurves(workspace, sweep, {trial(1, 1, 1)}, file, [&](double share) {
                asked.push_back(share);
                return true;
            }).has_value());
    CHECK(std::ranges::is_sorted(asked));
    // A cancellation at any call ends the export.
    for (std::size_t heard = 1; heard < asked.size(); heard += 1 + asked.size() / 7) {
        CAPTURE(heard);
        std::size_t calls = 0;
        CHECK_FALSE(exportCurves(workspace, sweep, {trial(1, 1, 1)}, file, [&](double) {
                        return ++calls < heard;
                    }).has_value());
        CHECK(calls == heard);
    }
    CHECK(asked.size() > points / (1 << 14));
}

TEST_CASE("only the selected series, ranks and steps are written")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    for (int rank = 0; rank < 3; ++rank)
        writeFeed(workspace.attempt(sweep.folder, 1, 1).rankFeed(rank), 5);
    const auto file = folder.path / "curves.csv";
    CurvesChoice choice;
    choice.series = {"loss"};
    choice.ranks = {0, 2};
    choice.firstStep = 1;
    choice.lastStep = 2;
    REQUIRE(exportCurves(workspace, sweep, {trial(1, 1, 3)}, file, {}, choice).has_value());
    CHECK(readFile(file, mostBytes).value()
          == "sweep,trial,attempt,rank,series,step,time,value\r\n"
             "digits,1,1,0,loss,1,1970-01-01T00:00:01.000000000Z,0.5\r\n"
             "digits,1,1,0,loss,2,1970-01-01T00:00:02.000000000Z,0.3333333333333333\r\n"
             "digits,1,1,2,loss,1,1970-01-01T00:00:01.000000000Z,0.5\r\n"
             "digits,1,1,2,loss,2,1970-01-01T00:00:02.000000000Z,0.3333333333333333\r\n");
    CHECK(declaredSeries(workspace, sweep, trial(1, 1, 3)) == std::vector<std::string>{"loss", "lr, \"rate\""});

    choice = {};
    choice.series = {"loss"};
    choice.ranks = {0};
    choice.from = 2'000'000'000;
    choice.to = 3'000'000'000;
    REQUIRE(exportCurves(workspace, sweep, {trial(1, 1, 3)}, file, {}, choice).has_value());
    CHECK(readFile(file, mostBytes).value()
          == "sweep,trial,attempt,rank,series,step,time,value\r\n"
             "digits,1,1,0,loss,2,1970-01-01T00:00:02.000000000Z,0.3333333333333333\r\n"
             "digits,1,1,0,loss,3,1970-01-01T00:00:03.000000000Z,0.25\r\n");

    choice.series = {"lr, \"rate\""};  // the second series of the feed, with little memory
    FeedCurves curves(workspace.attempt(sweep.folder, 1, 1).rankFeed(0), {}, 1);
    curves.readOnly(choice.series);
    int points = 0;
    REQUIRE(curves.scan([](double) { return true; }));
    REQUIRE(curves.read(
        [&](const FeedCurves::Curve &curve, const feed::Point &) {
            CHECK(curve.name == "lr, \"rate\"");
            ++points;
        },
        [](double) { return true; }));
    CHECK(points == 5);
}
