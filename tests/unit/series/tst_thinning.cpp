#include "seriestesting.h"

#include "feed/logwriter.h"
#include "series/thinning.h"

#include <cmath>
#include <fstream>

using namespace seriestesting;

namespace {

constexpr std::int64_t start = 1'763'674'200'000'000'000;
constexpr std::int64_t second = 1'000'000'000;

std::string contentOf(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeFile(const std::filesystem::path &path, const std::string &content)
{
    std::ofstream(path, std::ios::binary) << content;
}

FeedSeries seriesOf(const std::filesystem::path &log)
{
    FeedSeries curves({log, {}, {}});
    while (curves.poll().value() > 0) {
    }
    return curves;
}

}  // namespace

TEST_CASE("a thin copy of a long log looks the same in a plot")
{
    const TemporaryFolder folder;
    {
        auto writer = feed::LogWriter::open(folder.path / "log", {3, 4, start, "1-1-1"}).value();
        const auto loss = writer.declare("loss", "nats");
        const auto rare = writer.declare("rare");
        for (std::int64_t step = 0; step < 500'000; ++step) {
            double value = 10.0 / static_cast<double>(1 + step) + std::sin(static_cast<double>(step) * 0.37);
            value = step == 123'456 ? 1000 : step == 345'678 ? std::nan("") : value;
            writer.write(loss, step, start + step * second, value);
            if (step % 10'000 == 0)
                writer.write(rare, step, start + step * second, static_cast<double>(step));
            if (step % 10'000 == 0)
                REQUIRE(writer.flush());
        }
        REQUIRE(writer.flush());
    }
    FeedSeries whole = seriesOf(folder.path / "log");
    const auto thin = thinLog(folder.path / "log", folder.path / "index", 1024);
    REQUIRE(thin);
    CHECK(thin->end == std::filesystem::file_size(folder.path / "log"));
    CHECK(thin->bytes.size() < 250'000);
    writeFile(folder.path / "thin", thin->bytes);
    const FeedSeries copy = seriesOf(folder.path / "thin");
    CHECK(copy.damage().empty());
    CHECK(copy.preamble().rank == 3);
    CHECK(copy.preamble().attemptId == "1-1-1");
    CHECK(copy.find("rare")->size() == 50);
    CHECK(copy.find("loss")->unit() == "nats");
    CHECK(copy.find("loss")->front() == whole.find("loss")->front());
    CHECK(copy.find("loss")->back() == whole.find("loss")->back());
    constexpr int columns = 500;
    const auto exact = whole.find("loss")->columns(XAxis::Step, 0, 500'000, columns);
    const auto coarse = copy.find("loss")->columns(XAxis::Step, 0, 500'000, columns);
    REQUIRE(coarse.size() == exact.size());
    double most = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        most = std::max({most, std::abs(coarse[i].min - exact[i].min), std::abs(coarse[i].max - exact[i].max)});
        CHECK(coarse[i].hasNonFinite == exact[i].hasNonFinite);
    }
    CHECK(most < 0.01);
}

TEST_CASE("what is appended to the log may be appended to its thin copy")
{
    const TemporaryFolder folder;
    const std::filesystem::path log = folder.path / "log";
    const std::int64_t far = std::int64_t{1} << 33;  // another step base
    auto writer = feed::LogWriter::open(log, {0, 1, start, "1-1-1"}).value();
    const auto loss = writer.declare("loss");
    for (std::int64_t step = 0; step < 20'000; ++step)
        writer.write(loss, step < 10'000 ? step : far + step, start + step * second, static_cast<double>(step));
    REQUIRE(writer.flush());
    const auto thin = thinLog(log, folder.path / "index", 16);
    REQUIRE(thin);
    writer.write(loss, far + 20'000, start + 20'000 * second, 7);
    writer.write(writer.declare("late"), 20'001, start + 20'001 * second, 8);
    REQUIRE(writer.flush());
    writeFile(folder.path / "thin", thin->bytes + contentOf(log).substr(thin->end));
    const FeedSeries copy = seriesOf(folder.path / "thin");
    CHECK(copy.damage().empty());
    CHECK(copy.find("loss")->back() == Sample{far + 20'000, start + 20'000 * second, 7});
    CHECK(copy.find("late")->back() == Sample{20'001, start + 20'001 * second, 8});
    CHECK(copy.find("loss")->size() < 200);
}

TEST_CASE("curves that begin again stay apart")
{
    const TemporaryFolder folder;
    auto writer = feed::LogWriter::open(folder.path / "log", {0, 1, start, "1-1-1"}).value();
    const auto loss = writer.declare("loss");
    for (int run = 0; run < 3; ++run) {
        for (std::int64_t step = 0; step < 10'000; ++step)
            writer.write(loss, step, start + (run * 10'000 + step) * second, run);
    }
    REQUIRE(writer.flush());
    const auto thin = thinLog(folder.path / "log", folder.path / "index", 16);
    REQUIRE(thin);
    writeFile(folder.path / "thin", thin->bytes);
    const FeedSeries copy = seriesOf(folder.path / "thin");
    CHECK(copy.find("loss")->goesBack(XAxis::Step));
    const auto columns = copy.find("loss")->columns(XAxis::Step, 0, 10'000, 4);
    CHECK(std::ranges::count_if(columns, [](const Column &column) { return column.startsSegment; }) == 2);
    for (const Column &column : columns)
        CHECK(column.min == column.max);
}
