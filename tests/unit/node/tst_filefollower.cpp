#include "base/thincopy.h"
#include "feed/logpacking.h"
#include "feed/logwriter.h"
#include "node/filefollower.h"
#include "node/filemirror.h"
#include "series/feedseries.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::node;

namespace {

const std::string folder = "sweeps/0001-a/trials/0001/1";

/// A folder on the machine, its copy here, and what carries one to the other.
class Machines {
public:
    Machines()
    {
        std::string name = (std::filesystem::temp_directory_path() / "node-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        m_root = name;
        std::filesystem::create_directories(there(""));
        std::filesystem::create_directories(here(""));
        connect();
    }
    ~Machines() { std::filesystem::remove_all(m_root); }
    Machines(const Machines &) = delete;
    Machines &operator=(const Machines &) = delete;

    std::filesystem::path there(const std::string &name) const { return m_root / "there" / folder / name; }
    std::filesystem::path here(const std::string &name) const { return m_root / "here" / folder / name; }

    void append(const std::string &name, const std::string &text) const
    {
        std::ofstream(there(name), std::ios::app | std::ios::binary) << text;
    }
    void replace(const std::string &name, const std::string &text) const
    {
        std::ofstream(there(name + ".new"), std::ios::binary) << text;
        std::filesystem::rename(there(name + ".new"), there(name));
    }
    static std::string contentOf(const std::filesystem::path &path)
    {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return file ? text.str() : "(none)";
    }

    /// A new connection: the one before has ended at any point.
    void connect(bool thin = false)
    {
        m_follower.emplace(m_root / "there");
        m_mirror.emplace(m_root / "here");
        m_follower->follow(folder, m_mirror->begin(folder, thin), thin);
    }
    /// Transfers at most `most` chunks. Returns their paths.
    std::vector<std::string> carry(std::size_t limit = 4, int most = 1'000'000)
    {
        for (const Gone &gone : m_follower->scan())
            REQUIRE(m_mirror->apply(gone).has_value());
        std::vector<std::string> paths;
        for (; most > 0; --most) {
            const auto chunk = m_follower->next(limit);
            if (!chunk)
                break;
            paths.push_back(std::get<Chunk>(chunk->message).path.substr(folder.size() + 1));
            bytes += chunk->payload.size();
            const auto applied = m_mirror->apply(std::get<Chunk>(chunk->message), chunk->payload);
            REQUIRE_MESSAGE(applied.has_value(), applied.error().message);
        }
        return paths;
    }
    bool isSame(const std::string &name) const { return contentOf(there(name)) == contentOf(here(name)); }
    FileFollower &follower() { return *m_follower; }
    FileMirror &mirror() { return *m_mirror; }

    std::size_t bytes = 0;

private:
    std::filesystem::path m_root;
    std::optional<FileFollower> m_follower;
    std::optional<FileMirror> m_mirror;
};

}  // namespace

TEST_CASE("files of an attempt are followed, and no others")
{
    for (const char *name :
         {"events.jsonl", "agent.log", "host.feed", "rank-0.log", "rank-12.feed", "rank-0.times", "preflight.json",
          "trace-rank-0.json", "trace-rank-1-2.json", "rank-0.media", "rank-3.media.jsonl"})
        CHECK(isFollowed(name));
    for (const char *name : {"", "children.txt", "rank-0.ring", "rank-0.index", "checkpoint", "last.pt",
                             "rank-0.feed.incoming", "artifacts", "events.jsonl.new", ".rank-0.log", "environment"})
        CHECK_FALSE(isFollowed(name));
}

TEST_CASE("the feed arrives before the events that were written after it")
{
    Machines machines;
    machines.append("events.jsonl", "begun\n");
    machines.append("rank-0.feed", "first");
    machines.carry();
    machines.append("rank-0.feed", "last values");
    machines.append("events.jsonl", "ended\n");
    std::vector<std::string> paths = machines.carry();
    CHECK(paths.back() == "events.jsonl");
    CHECK(std::find(paths.begin(), paths.end(), "rank-0.feed") < std::find(paths.begin(), paths.end(), "events.jsonl"));
    CHECK(
        std::is_partitioned(paths.begin(), paths.end(), [](const std::string &path) { return path == "rank-0.feed"; }));
    CHECK(machines.isSame("rank-0.feed"));
    CHECK(machines.isSame("events.jsonl"));
}

TEST_CASE("what is appended arrives once, over any number of connections")
{
    Machines machines;
    machines.append("rank-0.log", "hello");
    machines.carry();
    CHECK(machines.isSame("rank-0.log"));
    machines.append("rank-0.log", " world, this is long");
    machines.carry(4, 2);
    machines.connect();
    machines.append("rank-0.log", " and longer");
    machines.carry();
    CHECK(machines.isSame("rank-0.log"));
    CHECK(machines.bytes == Machines::contentOf(machines.there("rank-0.log")).size());
    machines.connect();
    CHECK(machines.carry().empty());
}

namespace {

/// Appends to a feed of one curve, and returns its last step.
std::int64_t report(const std::filesystem::path &feed, std::int64_t from, std::int64_t points)
{
    auto writer = feed::LogWriter::open(feed, {0, 1, 1, "1-1-1"}).value();
    const auto loss = writer.declare("loss");
    for (std::int64_t step = from; step < from + points; ++step) {
        writer.write(loss, step, step + 1, 1.0 / static_cast<double>(1 + step));
        if (step % 10'000 == 0)
            REQUIRE(writer.flush());
    }
    REQUIRE(writer.flush());
    return from + points - 1;
}

std::pair<std::size_t, std::int64_t> pointsAndLastStep(const std::filesystem::path &feed)
{
    series::FeedSeries curves({feed, {}, {}});
    while (curves.poll().value() > 0) {
    }
    CHECK(curves.damage().empty());
    return {curves.find("loss")->size(), curves.find("loss")->back().step};
}

}  // namespace

TEST_CASE("of a long feed a thin copy is sent, and then what is appended, over any number of connections")
{
    Machines machines;
    const std::filesystem::path feed = machines.there("rank-0.feed");
    const std::filesystem::path copy = machines.here("rank-0.feed");
    report(feed, 0, 100'000);
    machines.connect(true);
    machines.carry(10'000);
    CHECK(std::filesystem::exists(thinCopyNote(copy)));
    CHECK(machines.bytes < 200'000);
    CHECK(pointsAndLastStep(copy).second == 99'999);
    const std::size_t before = machines.bytes;
    const std::size_t points = pointsAndLastStep(copy).first;
    for (const int more : {1, 500, 1}) {
        report(feed, pointsAndLastStep(copy).second + 1, more);
        if (more == 500)
            machines.connect(true);
        machines.carry(100);
    }
    machines.connect(true);
    CHECK(machines.carry().empty());
    CHECK(pointsAndLastStep(copy) == std::pair(points + 502, std::int64_t{100'501}));
    CHECK(machines.bytes - before == 3 * 24 + 499 * 24);
    // The whole one takes its place when it is wanted.
    machines.connect(false);
    machines.carry(100'000, 3);
    CHECK(pointsAndLastStep(copy).first == points + 502);
    machines.carry(100'000);
    CHECK(machines.isSame("rank-0.feed"));
    CHECK_FALSE(std::filesystem::exists(thinCopyNote(copy)));
    machines.connect(true);
    CHECK(machines.carry().empty());
}

TEST_CASE("a thin copy of a feed that was compressed meanwhile comes again")
{
    Machines machines;
    const std::filesystem::path feed = machines.there("rank-0.feed");
    const std::filesystem::path copy = machines.here("rank-0.feed");
    report(feed, 0, 500'000);
    machines.connect(true);
    machines.carry(10'000);
    report(feed, 500'000, 3);
    REQUIRE(feed::packLog(feed).has_value());
    machines.carry(10'000);
    CHECK(pointsAndLastStep(copy).second == 500'002);
    CHECK(pointsAndLastStep(copy).first < 10'000);
    CHECK(machines.bytes < 500'000);
    machines.connect(true);
    CHECK(machines.carry().empty());
    machines.connect(false);
    machines.carry(1'000'000);
    CHECK(machines.isSame("rank-0.feed"));
}

TEST_CASE("a thin copy that is damaged, or whose mark is, is sent again")
{
    Machines machines;
    report(machines.there("rank-0.feed"), 0, 100'000);
    const std::filesystem::path copy = machines.here("rank-0.feed");
    const std::filesystem::path mark = thinCopyNote(copy);
    machines.connect(true);
    machines.carry(10'000);
    for (const char *content : {"", "x", "5 4", "-1 9", "1000000000 1000000001"}) {
        std::ofstream(mark) << content;
        machines.connect(true);
        machines.carry(10'000);
        CHECK(pointsAndLastStep(copy).second == 99'999);
        CHECK(Machines::contentOf(mark).size() > 10);
    }
    std::filesystem::resize_file(copy, 1000);
    machines.connect(true);
    machines.carry(10'000);
    CHECK(pointsAndLastStep(copy).second == 99'999);
    const std::string path = folder + "/rank-0.feed";
    CHECK_FALSE(machines.mirror().apply(Chunk{path, 0, 3, false, 9}, "abc").has_value());
    CHECK_FALSE(machines.mirror().apply(Chunk{path, 0, 3, false, -9}, "abc").has_value());
    CHECK_FALSE(machines.mirror().apply(Chunk{path, 7, 10}, "abc").has_value());  // what the thin copy stands for
}

TEST_CASE("it is said once that all was sent, and again after more was")
{
    Machines machines;
    CHECK(machines.follower().takeLevel(folder));  // an empty folder
    machines.append("rank-0.log", "hello");
    machines.carry(4, 1);
    CHECK_FALSE(machines.follower().takeLevel(folder));
    machines.carry();
    CHECK(machines.follower().takeLevel(folder));
    CHECK_FALSE(machines.follower().takeLevel(folder));
    machines.replace("rank-0.log", "other");
    machines.carry();
    CHECK(machines.follower().takeLevel(folder));
    CHECK_FALSE(machines.follower().takeLevel("another folder"));
}

TEST_CASE("a replaced file is copied anew, and appears whole")
{
    Machines machines;
    machines.append("rank-0.feed", "0123456789");
    machines.carry();
    machines.replace("rank-0.feed", "compressed");
    machines.carry(4, 1);
    CHECK(Machines::contentOf(machines.here("rank-0.feed")) == "0123456789");
    SUBCASE("in one connection") {}
    SUBCASE("in two")
    {
        machines.connect();
    }
    machines.carry();
    CHECK(machines.isSame("rank-0.feed"));
    CHECK_FALSE(std::filesystem::exists(machines.here("rank-0.feed.incoming")));
}

TEST_CASE("a file that was replaced or truncated between two connections is noticed by its last bytes")
{
    Machines machines;
    machines.append("rank-0.log", "0123456789");
    machines.carry();
    SUBCASE("by a longer one")
    {
        machines.replace("rank-0.log", "abcdefghijklmnop");
    }
    SUBCASE("by a shorter one")
    {
        machines.replace("rank-0.log", "abc");
    }
    SUBCASE("by an empty one")
    {
        std::filesystem::resize_file(machines.there("rank-0.log"), 0);
    }
    SUBCASE("truncated")
    {
        std::filesystem::resize_file(machines.there("rank-0.log"), 4);
    }
    machines.connect();
    machines.carry();
    CHECK(machines.isSame("rank-0.log"));
}

TEST_CASE("a removed file is removed")
{
    Machines machines;
    machines.append("agent.log", "x");
    machines.carry();
    std::filesystem::remove(machines.there("agent.log"));
    machines.carry();
    CHECK_FALSE(std::filesystem::exists(machines.here("agent.log")));
}

TEST_CASE("what decides about an attempt comes first, then what is looked at; others take turns")
{
    Machines machines;
    for (const char *name : {"rank-0.log", "rank-1.log", "rank-2.log", "events.jsonl", "rank-0.feed"})
        machines.append(name, "12345678");
    machines.follower().prefer({folder + "/rank-2.log"});
    CHECK_FALSE(std::filesystem::exists(machines.here("events.jsonl")));
    machines.follower().scan();
    CHECK_FALSE(machines.follower().isDecisiveRead(folder));
    const auto order = machines.carry();
    CHECK(order
          == std::vector<std::string>{"rank-0.feed", "rank-0.feed", "events.jsonl", "events.jsonl", "rank-2.log",
                                      "rank-2.log", "rank-0.log", "rank-1.log", "rank-0.log", "rank-1.log"});
    CHECK(machines.follower().isDecisiveRead(folder));
}

TEST_CASE("a link or a pipe is no file")
{
    Machines machines;
    std::filesystem::create_symlink("/etc/passwd", machines.there("rank-0.log"));
    std::filesystem::create_directory(machines.there("rank-1.log"));
    CHECK(machines.carry().empty());
}

TEST_CASE("files of ranks elsewhere come to those of the attempt, and what their agent wrote about itself does not")
{
    Machines machines;
    const std::string part = folder + "/ranks-2-3";
    std::filesystem::create_directories(machines.here("ranks-2-3"));
    for (const char *name : {"rank-2.log", "events.jsonl", "trace-rank-3.json"})
        CHECK(machines.mirror().apply(Chunk{part + "/" + name, 0, 3}, "abc").has_value());
    CHECK(Machines::contentOf(machines.here("rank-2.log")) == "abc");
    CHECK(Machines::contentOf(machines.here("trace-rank-3.json")) == "abc");
    CHECK(Machines::contentOf(machines.here("ranks-2-3/events.jsonl")) == "abc");
    CHECK_FALSE(std::filesystem::exists(machines.here("events.jsonl")));
    // Neither another part's files, nor other folders.
    for (const std::string &path : {part + "/rank-1.log", part + "/rank-4.log", folder + "/ranks-3-2/rank-3.log",
                                    folder + "/ranks-2/rank-2.log", folder + "/other/rank-2.log"})
        CHECK_FALSE(machines.mirror().apply(Chunk{path, 0, 1}, "x").has_value());

    std::ofstream(machines.here("rank-0.log")) << "of another machine";
    std::set<std::string> held;
    for (const auto &[name, file] : machines.mirror().begin(part))
        held.insert(name);
    CHECK(held == std::set<std::string>{"events.jsonl", "rank-2.log", "trace-rank-3.json"});
    CHECK(machines.mirror().apply(Gone{part + "/rank-2.log"}).has_value());
    CHECK_FALSE(std::filesystem::exists(machines.here("rank-2.log")));
}

TEST_CASE("a mirror writes nowhere else")
{
    Machines machines;
    for (const std::string path :
         {"", "/etc/passwd", "../x", "sweeps/../../x/y/z/rank-0.log", "sweeps/a/trials/1/1/children.txt",
          "sweeps/a/trials/1/1/rank-0.log/x", "sweeps/a/rank-0.log", "hosts/a/trials/1/1/rank-0.log",
          "hosts/a/rank-0.log", "hosts/../devices.feed", "sweeps/a/trials/./1/rank-0.log",
          "sweeps/a/trials//1/rank-0.log", "sweeps/.a/trials/1/1/rank-0.log"}) {
        INFO(path);
        CHECK_FALSE(machines.mirror().apply(Chunk{path, 0, 1}, "x").has_value());
        CHECK_FALSE(machines.mirror().apply(Gone{path}).has_value());
    }
    const std::string log = folder + "/rank-0.log";
    CHECK_FALSE(machines.mirror().apply(Chunk{log, -1, 1}, "x").has_value());
    CHECK_FALSE(machines.mirror().apply(Chunk{log, 5, 6}, "x").has_value());  // a gap
    std::filesystem::create_symlink("/tmp/elsewhere", machines.here("rank-1.log"));
    CHECK_FALSE(machines.mirror().apply(Chunk{folder + "/rank-1.log", 0, 1}, "x").has_value());
}
