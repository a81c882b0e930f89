#include "feedtesting.h"

#include "feed/feedwriter.h"
#include "feed/logfile.h"
#include "feed/logpacking.h"
#include "feed/logwriter.h"
#include "feed/packedblock.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

/// Writes a finished log of several blocks with every kind of record.
void makeLog(const TemporaryFolder &folder, std::int64_t steps = 20'000)
{
    auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), 8 * 1024 * 1024).value();
    {
        auto writer = FeedWriter::open(folder / "ring").value();
        const auto loss = writer.declare("loss", "nats");
        const auto rate = writer.declare("lr");
        std::mt19937 noise(7);
        for (std::int64_t step = 0; step < steps; ++step) {
            const std::int64_t high = step > steps / 2 ? std::int64_t{7} << 32 : 0;
            writer.write(loss, high + step,
                         std::exp(-static_cast<double>(step) / 5000) + static_cast<float>(noise()) * 1e-12F);
            writer.write(rate, -step, step % 5000 == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.001);
            if (step % 997 == 0)
                writer.event(EventKind::Epoch, step, "epoch " + std::to_string(step));
        }
    }
    drain.unlink();
}

std::vector<std::string> traceOf(const std::filesystem::path &log, std::uint64_t maxBytes = 16 * 1024 * 1024)
{
    FeedReader reader(log, {});
    Recorder seen;
    REQUIRE(readAll(reader, seen, maxBytes));
    return seen.trace;
}

/// Returns the log's uncompressed bytes.
std::string streamOf(const std::filesystem::path &log)
{
    auto file = LogFile::open(log).value();
    std::string bytes(file.size().value(), '\0');
    REQUIRE(file.read(0, {reinterpret_cast<unsigned char *>(bytes.data()), bytes.size()}).value() == bytes.size());
    return bytes;
}

/// Returns whether `whole` contains all lines of `part` in this order, possibly with others in between.
bool isPartOf(const std::vector<std::string> &part, const std::vector<std::string> &whole)
{
    auto at = whole.begin();
    for (const std::string &line : part) {
        at = std::find(at, whole.end(), line);
        if (at++ == whole.end())
            return false;
    }
    return true;
}

/// Removes the generated names of series whose declaration was lost.
std::vector<std::string> withoutNameless(std::vector<std::string> trace)
{
    std::erase_if(trace, [](const std::string &line) { return line.find(" series ") != std::string::npos; });
    return trace;
}

/// Returns the offsets of the blocks of a packed log, including the final one.
std::vector<std::size_t> headersOf(const std::string &packed)
{
    std::vector<std::size_t> places;
    packing::BlockHeader header{};
    for (std::size_t at = packing::packedHeaderBytes; at < packed.size(); at += sizeof header + header.packedBytes) {
        std::memcpy(&header, packed.data() + at, sizeof header);
        places.push_back(at);
    }
    return places;
}

bool isInHeader(std::size_t place, const std::vector<std::size_t> &headers)
{
    return place < packing::packedHeaderBytes
           || std::any_of(headers.begin(), headers.end(), [place](std::size_t header) {
                  return place >= header && place < header + sizeof(packing::BlockHeader);
              });
}

}  // namespace

TEST_CASE("a packed log is small and reads the same, bit for bit, in chunks of any size")
{
    const TemporaryFolder folder;
    makeLog(folder);
    const std::string plain = contentOf(folder / "log");
    const auto before = traceOf(folder / "log");
    const auto sizes = packLog(folder / "log");
    REQUIRE(sizes);
    CHECK(sizes->before == plain.size());
    CHECK(sizes->after == std::filesystem::file_size(folder / "log"));
    CHECK(sizes->after * 2 < sizes->before);
    CHECK(streamOf(folder / "log") == plain);
    CHECK(traceOf(folder / "log") == before);
    CHECK(traceOf(folder / "log", 1) == before);
    CHECK_FALSE(std::filesystem::exists(folder / "log.packing"));

    const auto twice = packLog(folder / "log");
    REQUIRE_FALSE(twice);
    CHECK(twice.error().code == ErrorCode::Unsupported);
}

TEST_CASE("a reader that follows a log during packing does not notice it")
{
    const TemporaryFolder folder;
    makeLog(folder);
    const auto all = traceOf(folder / "log");
    FeedReader reader(folder / "log", folder / "ring");
    Recorder seen;
    REQUIRE(reader.poll(seen, 100'000));
    REQUIRE(packLog(folder / "log"));
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace == all);
}

TEST_CASE("a reader can start in the middle of a packed log as in a plain one")
{
    const TemporaryFolder folder;
    makeLog(folder);
    FeedReader first(folder / "log", {});
    Recorder seen;
    REQUIRE(first.poll(seen, 400'000));
    StreamPosition position = first.position();
    for (const auto &declaration : seen.declarations)
        position.declared.push_back(declaration.id);
    const auto points = seen.points.size();
    REQUIRE(readAll(first, seen));
    REQUIRE(packLog(folder / "log"));
    FeedReader second(folder / "log", {});
    second.startAt(position);
    Recorder rest;
    REQUIRE(readAll(second, rest));
    REQUIRE(rest.points.size() + points == seen.points.size());
    CHECK(rest.points.front().step == seen.points[points].step);
    CHECK(rest.points.back().value == seen.points.back().value);
}

TEST_CASE("bytes that are not records are also packed without loss")
{
    std::mt19937 random(3);
    for (const std::size_t size : {1U, 7U, 8U, 23U, 24U, 25U, 4096U, 100'001U}) {
        CAPTURE(size);
        for (const int mask : {0xff, 0x03}) {
            std::vector<unsigned char> bytes(size);
            for (auto &byte : bytes)
                byte = static_cast<unsigned char>(random() & static_cast<unsigned>(mask));
            const auto block = packing::packBlock(bytes);
            packing::BlockHeader header{};
            std::memcpy(&header, block.data(), sizeof header);
            const auto again = packing::unpackBlock(header, std::span(block).subspan(sizeof header));
            REQUIRE(again);
            CHECK(*again == bytes);
        }
    }
}

TEST_CASE("all undamaged blocks of a packed log are read")
{
    const TemporaryFolder folder;
    {
        auto writer = LogWriter::open(folder / "log", somePreamble()).value();
        const auto loss = writer.declare("loss");
        for (int i = 0; i < 60'000; ++i)
            writer.write(loss, i, somePreamble().createdNs + i * 1000, std::sin(i));
        REQUIRE(writer.flush());
    }
    const auto bytes = std::filesystem::file_size(folder / "log");
    REQUIRE(packLog(folder / "log"));
    std::string packed = contentOf(folder / "log");
    packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x20);
    writeContent(folder / "log", packed);

    FeedReader reader(folder / "log", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(reader.offset() == bytes);
    REQUIRE(reader.damage());
    CHECK(reader.lostBytes() >= 256 * 1024);
    CHECK(reader.lostBytes() <= 256 * 1024 + 2 * pointBytes);
    CHECK(seen.points.size() > 60'000 - 256 * 1024 / pointBytes - 5);
    std::size_t wrong = 0;
    for (const Point &point : seen.points)
        wrong += point.value == std::sin(point.step) ? 0 : 1;
    CHECK(wrong == 0);
    CHECK(seen.points.back().step == 59'999);
}

TEST_CASE("a packed log with one flipped bit gives everything except the damaged block")
{
    const TemporaryFolder folder;
    makeLog(folder, 12'000);  // several blocks
    const auto all = traceOf(folder / "log");
    const auto bytes = std::filesystem::file_size(folder / "log");
    REQUIRE(packLog(folder / "log"));
    const std::string packed = contentOf(folder / "log");
    const auto headers = headersOf(packed);
    REQUIRE(headers.size() >= 4);
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < packing::packedHeaderBytes; ++at)
        places.push_back(at);
    for (const std::size_t header : headers) {
        for (std::size_t at = header; at < header + sizeof(packing::BlockHeader); ++at)
            places.push_back(at);
    }
    for (std::size_t at = headers.back(); at < packed.size(); ++at)
        places.push_back(at);
    const std::size_t outside = places.size();
    std::mt19937 random(11);
    for (int i = 0; i < 40; ++i)
        places.push_back(packing::packedHeaderBytes + random() % (packed.size() - packing::packedHeaderBytes));

    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t at = places[i];
        CAPTURE(at);
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
        writeContent(folder / "log", damaged);
        FeedReader reader(folder / "log", {});
        Recorder seen;
        const auto end = readAll(reader, seen);
        if (i < outside || isInHeader(at, headers) || at >= headers.back()) {
            REQUIRE(end);
            CHECK(seen.trace == all);
            CHECK_FALSE(reader.damage());
            continue;
        }
        // If the end of the stream was lost, nothing shows that records were skipped.
        auto known = withoutNameless(seen.trace);
        if (at < headers[1])
            known.erase(known.begin(), known.begin() + 2);  // the high half of their steps is still unknown
        CHECK(isPartOf(known, all));
        CHECK(seen.trace.size() > all.size() / 4);
        if (end) {
            CHECK(reader.offset() == bytes);
            REQUIRE(reader.damage());
            CHECK(reader.lostBytes() > 100'000);
        } else {
            CHECK(end.error().code == ErrorCode::Corrupt);
        }
    }
}

TEST_CASE("a truncated packed log gives everything before the cut, and reports the position")
{
    const TemporaryFolder folder;
    makeLog(folder, 12'000);
    const auto all = traceOf(folder / "log");
    REQUIRE(packLog(folder / "log"));
    const std::string packed = contentOf(folder / "log");
    std::mt19937 random(5);
    std::size_t most = 0;
    for (int i = 0; i < 20; ++i) {
        const std::size_t at =
            packing::packedHeaderBytes + random() % (headersOf(packed).back() - packing::packedHeaderBytes);
        CAPTURE(at);
        writeContent(folder / "log", packed.substr(0, at));
        FeedReader reader(folder / "log", {});
        Recorder seen;
        const auto end = readAll(reader, seen);
        REQUIRE_FALSE(end);
        CHECK(end.error().code == ErrorCode::Corrupt);
        CHECK(isPartOf(seen.trace, all));
        most = std::max(most, seen.trace.size());
    }
    CHECK(most > all.size() / 3);
}

TEST_CASE("a packed log without its final table is read block by block")
{
    const TemporaryFolder folder;
    makeLog(folder, 12'000);
    const auto all = traceOf(folder / "log");
    REQUIRE(packLog(folder / "log"));
    std::string packed = contentOf(folder / "log");
    const auto headers = headersOf(packed);
    packed.resize(headers.back());
    packed.append(sizeof(packing::BlockHeader), '\0');
    writeContent(folder / "log", packed);
    CHECK(traceOf(folder / "log") == all);

    packed[headers[1] + 11] = '\x7f';  // larger than any block
    writeContent(folder / "log", packed);
    FeedReader reader(folder / "log", {});
    Recorder seen;
    const auto end = readAll(reader, seen);
    REQUIRE_FALSE(end);
    CHECK(end.error().message.find("everything before it was read") != std::string::npos);
    CHECK(seen.trace.size() > all.size() / 4);
}

TEST_CASE("a log packed by a newer version is refused")
{
    const TemporaryFolder folder;
    makeLog(folder);
    REQUIRE(packLog(folder / "log"));
    std::string newer = contentOf(folder / "log");
    newer[8] = 9;
    newer[newer.size() - 24] = 9;
    writeContent(folder / "log", newer);
    FeedReader reader(folder / "log", {});
    Recorder seen;
    const auto refused = readAll(reader, seen);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Unsupported);
}

TEST_CASE("a packed log is final: it is not appended to, and a small log stays plain")
{
    const TemporaryFolder folder;
    makeLog(folder, 10);
    const auto small = packLog(folder / "log");
    REQUIRE_FALSE(small);
    CHECK(small.error().code == ErrorCode::Unsupported);
    std::filesystem::remove(folder / "log");
    makeLog(folder);
    REQUIRE(packLog(folder / "log"));
    const std::string packed = contentOf(folder / "log");
    const auto writer = LogWriter::open(folder / "log", somePreamble());
    REQUIRE_FALSE(writer);
    CHECK(writer.error().message.find("compressed") != std::string::npos);
    CHECK(contentOf(folder / "log") == packed);
}

TEST_CASE("a full disk leaves the log unchanged")
{
    const TemporaryFolder folder;
    makeLog(folder);
    const std::string plain = contentOf(folder / "log");
    {
        const FileSizeLimit full(30'000);
        CHECK_FALSE(packLog(folder / "log"));
    }
    CHECK(contentOf(folder / "log") == plain);
    CHECK_FALSE(std::filesystem::exists(folder / "log.packing"));
}

TEST_CASE("a kill during packing leaves the log plain or packed, and no other file")
{
    const TemporaryFolder folder;
    makeLog(folder, 60'000);
    const std::string plain = contentOf(folder / "log");
    std::mt19937 random(3);
    int killedMidway = 0;
    for (int round = 0; round < 20; ++round) {
        writeContent(folder / "log", plain);
        int started[2];
        REQUIRE(::pipe(started) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(started[0]);
            ::close(started[1]);
            (void)packLog(folder / "log");
            ::_exit(0);
        }
        ::close(started[1]);
        char byte = 0;
        CHECK(::read(started[0], &byte, 1) == 0);  // the child has started to pack
        ::close(started[0]);
        ::usleep(static_cast<useconds_t>(random() % 10'000));  // killed at a random time
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        killedMidway += WIFSIGNALED(status) ? 1 : 0;
        CHECK_FALSE(std::filesystem::exists(folder / "log.packing"));
        REQUIRE(streamOf(folder / "log") == plain);
    }
    CHECK(killedMidway > 0);
}
