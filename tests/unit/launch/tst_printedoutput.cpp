#include "feed/logwriter.h"
#include "launch/outputrequest.h"
#include "launch/printedoutput.h"
#include "series/feedseries.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

void write(const std::filesystem::path &file, const std::string &content)
{
    std::ofstream(file) << content;
}

}  // namespace

TEST_CASE("metrics in a part of a log are found in their order")
{
    const std::string log = "Namespace(lr=0.1)\nepoch 1 train_loss: 0.5\rval_acc=0.9\n\x1b[32mepoch 2 train_loss: 0.25";
    CHECK(printedMetrics(log) == std::vector<std::string>{"train_loss", "val_acc"});
    CHECK(printedMetrics("loading the data: 3 s\n").empty());
    CHECK(printedMetrics("").empty());
}

TEST_CASE("a log becomes the feed that its agent would have written")
{
    const TemporaryFolder folder;
    const std::string first = "epoch 1 loss=0.5\n";
    write(folder.path / "log", first + "epoch 2 loss=0.25\nepoch 3 loss=0.125");
    write(folder.path / "times",
          std::to_string(first.size()) + " 2000\n" + std::to_string(first.size() + 18) + " 3000\n");
    const output::MetricsSection usual{output::OutputFormat::Auto, false, {}, {}};
    const PrintedLog printed{.rank = 1,
                             .worldSize = 2,
                             .attemptId = "read-1",
                             .log = folder.path / "log",
                             .times = folder.path / "times",
                             .started = 1000};
    const auto points = writeFeedOfLog(usual, printed, folder.path / "feed");
    REQUIRE(points.has_value());
    CHECK(*points == 3);

    series::FeedSeries feed({folder.path / "feed", {}, {}});
    REQUIRE(feed.poll().has_value());
    CHECK(feed.preamble().rank == 1);
    CHECK(feed.preamble().worldSize == 2);
    const series::Series *loss = feed.find("loss");
    REQUIRE(loss);
    REQUIRE(loss->size() == 3);
    CHECK(loss->sample(0).step == 1);
    CHECK(loss->sample(0).timeNs == 2000);
    CHECK(loss->sample(1).value == 0.25);
    CHECK(loss->sample(1).timeNs == 3000);
    CHECK(loss->sample(2).timeNs == 3000);  // not later than what is known

    const auto again = writeFeedOfLog(usual, printed, folder.path / "feed");
    REQUIRE(!again.has_value());
    CHECK(again.error().code == ErrorCode::AlreadyExists);
}

TEST_CASE("a feed that has only events gets the values of the log, and keeps the events")
{
    const TemporaryFolder folder;
    write(folder.path / "log", "epoch 1 loss=0.5\nepoch 2 loss=0.25\n");
    {
        auto writer = feed::LogWriter::open(folder.path / "feed", {0, 1, 1000, "s1-t1-a1"});
        REQUIRE(writer.has_value());
        writer->event({feed::EventKind::Warning, 3, 1500, "an image is left out"});
        REQUIRE(writer->flush().has_value());
    }
    CHECK(!hasPoints(folder.path / "feed"));
    const output::MetricsSection usual{output::OutputFormat::Auto, false, {}, {}};
    const PrintedLog printed{.attemptId = "read-1", .log = folder.path / "log", .times = {}, .started = 1000};
    CHECK(writeFeedOfLog(usual, printed, folder.path / "feed") == 2U);
    CHECK(hasPoints(folder.path / "feed"));
    series::FeedSeries feed({folder.path / "feed", {}, {}});
    REQUIRE(feed.poll().has_value());
    REQUIRE(feed.events().size() == 1);
    CHECK(feed.events()[0].text == "an image is left out");
    CHECK(feed.find("loss")->size() == 2);
    CHECK(writeFeedOfLog(usual, printed, folder.path / "feed").error().code == ErrorCode::AlreadyExists);
}

TEST_CASE("a log without metrics, and one that does not exist, become no feed")
{
    const TemporaryFolder folder;
    write(folder.path / "log", "hello\n");
    const output::MetricsSection usual{output::OutputFormat::Auto, false, {}, {}};
    PrintedLog printed{.attemptId = "read-1", .log = folder.path / "log", .times = folder.path / "times"};
    CHECK(writeFeedOfLog(usual, printed, folder.path / "feed") == 0U);
    printed.log = folder.path / "other";
    CHECK(writeFeedOfLog(usual, printed, folder.path / "feed").error().code == ErrorCode::NotFound);
    for (const auto &entry : std::filesystem::directory_iterator(folder.path))
        CHECK(entry.path().filename() == "log");
}

TEST_CASE("a request to read output is read as it was written")
{
    const output::MetricsSection metrics{output::OutputFormat::Json, true, "it", {{"loss", "val.loss"}}};
    for (const bool ifSilent : {false, true}) {
        const auto request = outputRequestFromJson(toJson({metrics, ifSilent}));
        REQUIRE(request);
        CHECK(request->metrics == metrics);
        CHECK(request->ifSilent == ifSilent);
    }
    for (const char *wrong : {"", "[]", "{}", R"({"format": "yaml", "every_rank": false, "step": "", "series": {}})",
                              R"({"format": "auto", "every_rank": 1, "step": "", "series": {}})",
                              R"({"format": "auto", "every_rank": false, "step": "", "series": {"loss": 1}})"})
        CHECK_MESSAGE(!outputRequestFromJson(wrong).has_value(), wrong);
}
