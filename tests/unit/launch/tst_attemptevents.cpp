#include "base/files.h"
#include "launch/attemptevents.h"
#include "temporaryfolder.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::launch;

TEST_CASE("events are read as they were written, in order, and only once")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    AttemptEventReader reader(file);
    CHECK(reader.poll().empty());  // not there yet

    auto log = AttemptEventLog::open(file);
    REQUIRE(log.has_value());
    AttemptEvent started;
    started.time = 1'795'208'867'123'456'789;
    started.kind = AttemptEventKind::RankStarted;
    started.rank = 3;
    started.pid = 4711;
    started.startTime = 18'446'744'073'709'551'615ULL;
    REQUIRE(log->append(started).has_value());
    AttemptEvent exited;
    exited.kind = AttemptEventKind::RankExited;
    exited.rank = 0;
    exited.signal = SIGSEGV;
    REQUIRE(log->append(exited).has_value());

    auto events = reader.poll();
    REQUIRE(events.size() == 2);
    CHECK(events[0].time == started.time);
    CHECK(events[0].kind == AttemptEventKind::RankStarted);
    CHECK(events[0].rank == 3);
    CHECK(events[0].pid == 4711);
    CHECK(events[0].startTime == started.startTime);
    CHECK_FALSE(events[0].exitCode.has_value());
    CHECK(events[1].signal == SIGSEGV);
    CHECK_FALSE(events[1].exitCode.has_value());

    AttemptEvent ended;
    ended.kind = AttemptEventKind::Ended;
    ended.outcome = AttemptOutcome::Stopped;
    ended.reason = facts::Fact(facts::Code::TelemetryProblem).with(facts::Field::Detail, "one \"two\"");
    ended.exitCode = 0;
    REQUIRE(log->append(ended).has_value());
    events = reader.poll();
    REQUIRE(events.size() == 1);
    CHECK(events[0].outcome == AttemptOutcome::Stopped);
    CHECK(events[0].reason == ended.reason);
    CHECK(events[0].exitCode == 0);
    CHECK(events[0].rank == -1);
    CHECK(reader.poll().empty());
    CHECK(reader.skippedLines() == 0);
}

TEST_CASE("an incomplete last line waits for its rest")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream out(file, std::ios::app);
    out << R"({"kind":"timed_out","time_)" << std::flush;
    AttemptEventReader reader(file);
    CHECK(reader.poll().empty());
    out << "ns\":5}\n" << std::flush;
    const auto events = reader.poll();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == AttemptEventKind::TimedOut);
    CHECK(events[0].time == 5);
}

TEST_CASE("lines that are not events are skipped and counted, and the following ones are read")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream(file) << "nonsense\n"
                        << "[]\n"
                        << R"({"kind":"teleported"})"
                        << "\n"
                        << R"({"kind":"rank_exited","rank":99999999999})"
                        << "\n"
                        << R"({"kind":"rank_exited","pid":"x"})"
                        << "\n"
                        << R"({"kind":"ended","outcome":"fine"})"
                        << "\n"
                        << "\n"
                        << R"({"kind":"first_error","rank":1,"text":"x"})"
                        << "\n";
    AttemptEventReader reader(file);
    const auto events = reader.poll();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == AttemptEventKind::FirstError);
    CHECK(reader.skippedLines() == 7);
}

TEST_CASE("text that is not UTF-8 does not invalidate its line")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    auto log = AttemptEventLog::open(file);
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.reason = facts::Fact(facts::Code::RankExited).with(facts::Field::Detail, "bad \xff byte");
    REQUIRE(log->append(event).has_value());
    AttemptEventReader reader(file);
    const auto events = reader.poll();
    REQUIRE(events.size() == 1);
    CHECK(events[0].reason.text(facts::Field::Detail) == "bad \xEF\xBF\xBD byte");
}

TEST_CASE("a line that was written only partially is removed")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    auto log = AttemptEventLog::open(file);
    AttemptEvent event;
    event.kind = AttemptEventKind::TimedOut;
    REQUIRE(log->append(event).has_value());
    const auto size = std::filesystem::file_size(file);

    // A limit on the file's size makes a write fail halfway, as on a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit tight = before;
    tight.rlim_cur = size + 10;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    const auto written = log->append(event);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);

    CHECK_FALSE(written.has_value());
    CHECK(std::filesystem::file_size(file) == size);
    REQUIRE(log->append(event).has_value());
    AttemptEventReader reader(file);
    CHECK(reader.poll().size() == 2);
    CHECK(reader.skippedLines() == 0);
}

namespace {

const std::string oneEvent = R"({"kind":"timed_out","time_ns":5})"
                             "\n";

std::optional<EventsFault> faultOf(AttemptEventReader &reader)
{
    (void)reader.poll();
    return reader.fault();
}

}  // namespace

TEST_CASE("only regular files are read")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    AttemptEventReader pipe(file);
    CHECK(faultOf(pipe) == EventsFault::Replaced);

    std::filesystem::remove(file);
    std::filesystem::create_symlink("/dev/zero", file);
    AttemptEventReader endless(file);
    CHECK(faultOf(endless) == EventsFault::Replaced);
    CHECK(readAttemptEvents(file).empty());
}

TEST_CASE("nothing is read from a file that was replaced or truncated")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream(file) << oneEvent;
    AttemptEventReader replaced(file);
    AttemptEventReader cut(file);
    CHECK(replaced.poll().size() == 1);
    CHECK(cut.poll().size() == 1);

    std::filesystem::resize_file(file, 3);
    CHECK(faultOf(cut) == EventsFault::Cut);
    std::ofstream(folder.path / "other") << oneEvent << oneEvent;
    std::filesystem::rename(folder.path / "other", file);
    CHECK(faultOf(replaced) == EventsFault::Replaced);
    CHECK(replaced.poll().empty());
}

TEST_CASE("a deleted file is missing, which is not a fault")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    AttemptEventReader reader(file);
    (void)reader.poll();
    CHECK_FALSE(reader.isMissing());  // not there yet
    std::ofstream(file) << oneEvent;
    CHECK(reader.poll().size() == 1);
    std::filesystem::remove(file);
    CHECK_FALSE(faultOf(reader).has_value());
    CHECK(reader.isMissing());
}

TEST_CASE("a huge file is refused without being read")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream(file) << oneEvent;
    std::filesystem::resize_file(file, 256 << 20);  // a sparse file
    AttemptEventReader reader(file);
    CHECK(faultOf(reader) == EventsFault::TooLarge);
}

TEST_CASE("a line that is too long for an event is skipped and counted, however it is read")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream out(file, std::ios::app);
    AttemptEventReader reader(file);
    for (int i = 0; i < 20; ++i) {
        out << std::string(10'000, 'x') << std::flush;
        CHECK(reader.poll().empty());
    }
    out << '\n' << oneEvent << std::flush;
    CHECK(reader.poll().size() == 1);
    CHECK(reader.skippedLines() == 1);
}

TEST_CASE("a long file is read in parts, without losing events")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::size_t events = 0;
    {
        std::ofstream out(file);
        for (std::size_t bytes = 0; bytes < 3 << 20; bytes += oneEvent.size(), ++events)
            out << oneEvent;
    }
    AttemptEventReader reader(file);
    const std::size_t first = reader.poll().size();
    CHECK(first < events / 2);
    CHECK(reader.isBehind());
    CHECK(readAttemptEvents(file).size() == events);
}

TEST_CASE("a partial line that the agent removes on a full disk is forgotten")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    std::ofstream(file) << oneEvent << oneEvent.substr(0, 9);
    AttemptEventReader reader(file);
    CHECK(reader.poll().size() == 1);
    std::filesystem::resize_file(file, oneEvent.size());
    CHECK(reader.poll().empty());
    std::ofstream(file, std::ios::app) << oneEvent;
    CHECK(reader.poll().size() == 1);
    CHECK(reader.skippedLines() == 0);
}
