#include "seriestesting.h"

#include "series/indexfile.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace seriestesting;

namespace {

const feed::Preamble preamble{3, 8, 1'763'674'200'000'000'000, "1-2-3"};

/// Writes three series of very different lengths, with everything that a feed may contain.
class Writer {
public:
    explicit Writer(const std::filesystem::path &log, std::uint64_t seed, const feed::Preamble &who = preamble)
        : m_writer(feed::LogWriter::open(log, who).value()), m_random(seed)
    {}

    void write(int points)
    {
        for (int i = 0; i < points; ++i) {
            m_time += static_cast<std::int64_t>(m_random() % 2'000'000);
            m_step = m_random() % 20'000 == 0 ? m_step / 2 : m_step + 1;
            const std::uint16_t loss = m_writer.declare("loss", "nats");
            m_writer.write(loss, m_step, m_time, m_random() % 500 == 0 ? std::nan("") : number());
            if (m_random() % 50 == 0)
                m_writer.write(m_writer.declare("accuracy"), m_step, m_time, static_cast<double>(m_random() % 100));
            if (m_random() % 5000 == 0)
                m_writer.write(m_writer.declare("val"), m_step << 20, m_time, number());
            if (i % 20'000 == 19'999)
                REQUIRE(m_writer.flush());
        }
        REQUIRE(m_writer.flush());
    }

private:
    double number() { return std::ldexp(static_cast<double>(m_random() >> 11U), -53); }

    feed::LogWriter m_writer;
    std::mt19937_64 m_random;
    std::int64_t m_time = preamble.createdNs;
    std::int64_t m_step = 0;
};

FeedSeries readAll(const FeedFiles &files, IndexUse use)
{
    FeedSeries feed(files, use);
    for (;;) {
        const auto records = feed.poll();
        REQUIRE_MESSAGE(records, (records ? "" : records.error().message));
        if (*records == 0)
            break;
    }
    return feed;
}

void checkSame(const FeedSeries &feed, const FeedSeries &expected)
{
    REQUIRE(feed.all().size() == expected.all().size());
    CHECK(feed.droppedRecords() == expected.droppedRecords());
    CHECK(feed.preamble().attemptId == expected.preamble().attemptId);
    for (std::size_t i = 0; i < expected.all().size(); ++i) {
        const Series &one = feed.all()[i];
        const Series &other = expected.all()[i];
        REQUIRE(one.name() == other.name());
        CHECK(one.unit() == other.unit());
        REQUIRE(one.size() == other.size());
        std::size_t different = 0;
        for (std::size_t n = 0; n < other.size(); ++n)
            different += sameSample(one.sample(n), other.sample(n)) ? 0 : 1;
        REQUIRE(different == 0);
    }
}

bool hasIndex(const FeedFiles &files)
{
    FeedSeries feed(files, IndexUse::Read);
    (void)feed.poll(1);
    return feed.indexedBytes() > 0;
}

void change(const std::filesystem::path &file, std::uint64_t offset, unsigned char mask)
{
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const char byte = static_cast<char>(stream.get() ^ mask);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(byte);
}

}  // namespace

TEST_CASE("a history opened from its index equals the one in its log")
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        const TemporaryFolder folder;
        Writer(folder.path / "log", seed).write(150'000);
        readAll(folder.files(), IndexUse::Write).save();
        const FeedSeries indexed = readAll(folder.files(), IndexUse::Read);
        const FeedSeries scanned = readAll(folder.files(), IndexUse::None);
        CHECK(indexed.indexedBytes() == std::filesystem::file_size(folder.path / "log"));
        checkSame(indexed, scanned);

        std::mt19937_64 random(seed);
        for (int ask = 0; ask < 20; ++ask) {
            const Question q(scanned.all()[0], random);
            REQUIRE(sameColumns(indexed.all()[0].columns(q.axis, q.from, q.to, q.columns),
                                definedColumns(scanned.all()[0], q.axis, q.from, q.to, q.columns)));
        }
    }
}

TEST_CASE("with an index the log is not read again")
{
    const TemporaryFolder folder;
    Writer(folder.path / "log", 5).write(200'000);
    readAll(folder.files(), IndexUse::Write).save();
    const FeedSeries scanned = readAll(folder.files(), IndexUse::None);
    // A scan would stop here, but the index was built before, and the end of the log is intact.
    for (std::uint64_t offset = 100'000; offset < 100'064; ++offset)
        change(folder.path / "log", offset, 0xff);
    checkSame(readAll(folder.files(), IndexUse::Read), scanned);
}

TEST_CASE("a short feed needs no index, and a read-only folder is no error")
{
    const TemporaryFolder folder;
    Writer(folder.path / "log", 6).write(1000);
    readAll(folder.files(), IndexUse::Write).save();
    CHECK_FALSE(std::filesystem::exists(folder.path / "index"));

    Writer(folder.path / "log", 7).write(200'000);
    FeedFiles files = folder.files();
    files.index = folder.path / "nowhere" / "index";
    checkSame(readAll(files, IndexUse::Write), readAll(folder.files(), IndexUse::None));
}

TEST_CASE("an index grows with its feed, with several readers")
{
    const TemporaryFolder folder;
    Writer writer(folder.path / "log", 8);
    writer.write(60'000);
    {
        FeedSeries first = readAll(folder.files(), IndexUse::Write);
        first.save();
        // A second reader finds the index locked, reads it, and does not store its own additions.
        FeedSeries second = readAll(folder.files(), IndexUse::Write);
        CHECK(second.indexedBytes() > 0);
        writer.write(300'000);
        for (FeedSeries *feed : {&second, &first}) {
            while (feed->poll().value() > 0) {
            }
        }
        checkSame(second, readAll(folder.files(), IndexUse::None));
        checkSame(first, readAll(folder.files(), IndexUse::None));
        CHECK(first.indexedBytes() > second.indexedBytes());
    }
    writer.write(100'000);
    readAll(folder.files(), IndexUse::Write).save();
    const FeedSeries last = readAll(folder.files(), IndexUse::Read);
    CHECK(last.indexedBytes() == std::filesystem::file_size(folder.path / "log"));
    checkSame(last, readAll(folder.files(), IndexUse::None));
}

TEST_CASE("an index of another stream is rebuilt")
{
    const TemporaryFolder folder;
    const auto log = folder.path / "log";
    Writer(log, 9).write(100'000);
    readAll(folder.files(), IndexUse::Write).save();
    const auto size = std::filesystem::file_size(log);
    std::filesystem::remove(log);

    SUBCASE("of another attempt")
    {
        Writer(log, 9, {3, 8, 1, "other"}).write(100'000);
    }
    SUBCASE("of the same name with other points")
    {
        Writer(log, 10).write(120'000);
    }
    SUBCASE("of a log that is shorter now")
    {
        Writer(log, 9).write(60'000);
        REQUIRE(std::filesystem::file_size(log) < size);
    }
    const FeedSeries scanned = readAll(folder.files(), IndexUse::None);
    checkSame(readAll(folder.files(), IndexUse::Read), scanned);
    readAll(folder.files(), IndexUse::Write).save();
    const FeedSeries again = readAll(folder.files(), IndexUse::Read);
    CHECK(again.indexedBytes() == std::filesystem::file_size(log));
    checkSame(again, scanned);
}

TEST_CASE("a damaged byte anywhere in an index does not affect the history")
{
    const TemporaryFolder folder;
    Writer(folder.path / "log", 11).write(120'000);
    readAll(folder.files(), IndexUse::Write).save();
    const FeedSeries scanned = readAll(folder.files(), IndexUse::None);
    const auto index = folder.path / "index";
    std::filesystem::copy_file(index, folder.path / "good");
    const auto size = std::filesystem::file_size(index);
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::filesystem::copy_file(folder.path / "good", index, std::filesystem::copy_options::overwrite_existing);
        if (seed % 6 == 0) {
            std::filesystem::resize_file(index, random() % size);
        } else {
            const std::uint64_t range = seed % 3 == 0 ? 640 : size;
            change(index, random() % range, static_cast<unsigned char>(1U << random() % 8));
        }
        FeedSeries feed = readAll(folder.files(), seed % 2 == 0 ? IndexUse::Read : IndexUse::Write);
        for (const Series &series : feed.all()) {
            for (std::size_t n = 0; n < series.size(); n += 50)
                (void)series.sample(n);
        }
        while (feed.poll().value() > 0) {
        }
        checkSame(feed, scanned);
    }
}

TEST_CASE("a file that is not an index is not changed by readers")
{
    const TemporaryFolder folder;
    Writer(folder.path / "log", 12).write(100'000);
    std::ofstream(folder.path / "index", std::ios::binary) << std::string(10'000, 'x');
    checkSame(readAll(folder.files(), IndexUse::Read), readAll(folder.files(), IndexUse::None));
    CHECK(std::filesystem::file_size(folder.path / "index") == 10'000);
}

TEST_CASE("readers during the writing of an index see a complete history up to some point")
{
    const TemporaryFolder folder;
    constexpr int points = 400'000;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(90);
    std::atomic<bool> written{false};  // relaxed: only a flag, and the join orders the rest
    std::thread rank([&] {
        auto writer = feed::LogWriter::open(folder.path / "log", preamble).value();
        const std::uint16_t id = writer.declare("x");
        for (int i = 0; i < points; ++i) {
            writer.write(id, i, preamble.createdNs + i, i * 0.5);
            if (i % 500 == 0 || i == points / 2)
                (void)writer.flush();
            // Writes the rest once there is an index that it can overtake.
            while (i == points / 2 && !hasIndex(folder.files()) && std::chrono::steady_clock::now() < deadline)
                std::this_thread::yield();
        }
        (void)writer.flush();
        written.store(true, std::memory_order_relaxed);
    });
    std::thread indexer([&] {
        FeedSeries feed(folder.files(), IndexUse::Write);
        while (!written.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < deadline)
            (void)feed.poll(256 * 1024);
        while (feed.poll().value_or(0) > 0) {
        }
    });
    std::size_t before = 0;
    bool fromIndex = false;
    bool right = true;
    while (before < points && right && std::chrono::steady_clock::now() < deadline) {
        FeedSeries feed(folder.files(), IndexUse::Read);
        (void)feed.poll(4 * 1024 * 1024);  // less than the whole feed: only an index makes it complete
        const Series *series = feed.find("x");
        if (!series || series->empty())
            continue;
        fromIndex = fromIndex || feed.indexedBytes() > 0;
        const auto last = static_cast<double>(series->size() - 1);
        const auto columns = series->columns(XAxis::Step, 0, last, 700);
        std::uint64_t count = 0;
        for (const Column &column : columns) {
            right = right && column.first == column.x * 0.5 && column.min == column.first && column.max == column.last;
            count += column.count;
        }
        right = right && count == series->size() && columns.back().last == last * 0.5 && series->size() >= before;
        before = series->size();
    }
    rank.join();
    indexer.join();
    CHECK(right);
    CHECK(before == points);
    CHECK(fromIndex);
}

TEST_CASE("a process that only builds the index keeps no data, and the next one continues where it ended")
{
    const TemporaryFolder folder;
    for (std::uint64_t seed = 20; seed < 24; ++seed) {
        Writer(folder.path / "log", seed).write(200'000);
        FeedSeries builder = readAll(folder.files(), IndexUse::Build);
        builder.save();
        CHECK(builder.indexedBytes() == std::filesystem::file_size(folder.path / "log"));
        for (const Series &series : builder.all())
            CHECK(series.empty());
        CHECK(FeedSeries(folder.files(), IndexUse::Build).poll().error().code == ErrorCode::AlreadyExists);
    }
    const FeedSeries indexed = readAll(folder.files(), IndexUse::Read);
    CHECK(indexed.indexedBytes() == std::filesystem::file_size(folder.path / "log"));
    checkSame(indexed, readAll(folder.files(), IndexUse::None));
}

TEST_CASE("a reader follows the index of another process, even before it exists")
{
    const TemporaryFolder folder;
    FeedSeries reader(folder.files(), IndexUse::Read);
    FeedSeries builder(folder.files(), IndexUse::Build);
    std::uint64_t before = 0;
    for (std::uint64_t seed = 30; seed < 36; ++seed) {
        Writer(folder.path / "log", seed).write(300'000);
        // The reader is the first to read some parts, the builder the rest.
        REQUIRE(reader.poll(2'000'000));
        while (builder.poll(300'000).value() > 0) {
        }
        while (reader.poll(500'000).value() > 0) {
        }
        CHECK(reader.indexedBytes() > before);
        before = reader.indexedBytes();
    }
    checkSame(reader, readAll(folder.files(), IndexUse::None));
}

TEST_CASE("a reader survives the replacement or damage of the index that it follows")
{
    const TemporaryFolder folder;
    const auto index = folder.path / "index";
    Writer(folder.path / "log", 40).write(300'000);
    readAll(folder.files(), IndexUse::Build).save();
    FeedSeries reader = readAll(folder.files(), IndexUse::Read);
    REQUIRE(reader.indexedBytes() > 0);

    std::filesystem::remove(index);
    Writer(folder.path / "log", 41).write(600'000);
    readAll(folder.files(), IndexUse::Build).save();
    while (reader.poll().value() > 0) {
    }
    CHECK(reader.indexedBytes() == std::filesystem::file_size(folder.path / "log"));

    const auto size = std::filesystem::file_size(index);
    Writer(folder.path / "log", 42).write(600'000);
    readAll(folder.files(), IndexUse::Build).save();
    for (std::uint64_t offset = size; offset < std::filesystem::file_size(index); offset += 100'000)
        change(index, offset, 0x10);
    change(index, std::filesystem::file_size(index) - 40, 0x10);
    while (reader.poll().value() > 0) {
    }
    checkSame(reader, readAll(folder.files(), IndexUse::None));
}
