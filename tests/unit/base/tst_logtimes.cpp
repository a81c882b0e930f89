#include "base/logtimes.h"

#include <doctest/doctest.h>

#include <fstream>
#include <stdlib.h>

using namespace sweepscope;

namespace {

constexpr WallNs second = 1'000'000'000;

struct Folder {
    std::filesystem::path path;
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "logtimes-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()));
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    void append(const std::string &file, const std::string &text) const
    {
        std::ofstream(path / file, std::ios::app | std::ios::binary) << text;
    }
};

}  // namespace

TEST_CASE("a log's times record when each byte was first seen")
{
    const Folder folder;
    LogTimesWriter writer(folder.path / "log", folder.path / "times");
    LogTimes times(folder.path / "times");
    writer.poll(1 * second);  // no log yet
    times.refresh();
    CHECK(times.isEmpty());
    folder.append("log", "first\n");
    writer.poll(2 * second);
    writer.poll(3 * second);  // nothing new
    folder.append("log", "second\n");
    writer.poll(4 * second);
    times.refresh();
    CHECK(times.timeOf(0) == 2 * second);
    CHECK(times.timeOf(5) == 2 * second);
    CHECK(times.timeOf(6) == 4 * second);
    CHECK_FALSE(times.timeOf(13).has_value());
    folder.append("log", "third\n");
    writer.recordLength(4 * second + 1);  // even so soon
    times.refresh();
    CHECK(times.timeOf(13) == 4 * second + 1);
    CHECK(times.lengthBefore(2 * second) == 0);
    CHECK(times.lengthBefore(2 * second + 1) == 6);
    CHECK(times.lengthBefore(4 * second) == 6);
    CHECK(times.lengthBefore(4 * second + 1) == 13);
    CHECK(times.lengthBefore(9 * second) == 19);
    CHECK(LogTimes().lengthBefore(9 * second) == 0);
}

TEST_CASE("lines that were first seen together were written one after another")
{
    const Folder folder;
    folder.append("times", "10 10000000000\n20 10200000000\n30 60000000000\n");
    const LogTimes times = readLogTimes(folder.path / "times");
    CHECK(times.writtenAt(4) == 10 * second - 3 * second / 20);
    CHECK(times.writtenAt(9) == 10 * second);
    CHECK(times.writtenAt(14) == 10 * second + second / 10);
    CHECK(times.writtenAt(19) == 10 * second + second / 5);
    CHECK(times.writtenAt(24) == 60 * second - 3 * second / 20);  // after a long silence
    CHECK(times.writtenAt(29) == 60 * second);
    CHECK_FALSE(times.writtenAt(30).has_value());
}

TEST_CASE("the size of a log is not checked too often")
{
    const Folder folder;
    LogTimesWriter writer(folder.path / "log", folder.path / "times");
    writer.poll(10 * second);
    folder.append("log", "soon\n");
    writer.poll(10 * second + 1);
    LogTimes times(folder.path / "times");
    times.refresh();
    CHECK(times.isEmpty());
    writer.poll(5 * second);  // the clock was set back
    times.refresh();
    CHECK(times.timeOf(0) == 5 * second);
}

TEST_CASE("invalid times are ignored")
{
    const Folder folder;
    folder.append("times", "4 100\ngarbage\n\n3 200\n8\n8 x\n9 50\n99999999999999999999 1\n12 300");
    LogTimes times(folder.path / "times");
    times.refresh();
    CHECK(times.timeOf(0) == 100);
    CHECK(times.timeOf(4) == 100);             // the clock went back
    CHECK_FALSE(times.timeOf(9).has_value());  // its line is unterminated
    folder.append("times", "0\n");
    times.refresh();
    CHECK(times.timeOf(9) == 3000);
    LogTimes missing(folder.path / "nothing");
    missing.refresh();
    CHECK(missing.isEmpty());
}
