#include "data/rowfile.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>
#include <numeric>
#include <string>

using namespace sweepscope;
using namespace sweepscope::data;

namespace {

/// Each byte is its offset modulo 256.
std::vector<std::uint8_t> counting(std::size_t size)
{
    std::vector<std::uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    return bytes;
}

std::vector<std::uint8_t> read(const RowFile &file, const std::vector<std::int64_t> &rows)
{
    std::vector<std::uint8_t> to(rows.size() * file.bytes, 0xee);
    REQUIRE(readRows(file, inThisOrder(rows), to.data()).has_value());
    return to;
}

/// Returns the bytes that this process has asked the kernel to read so far.
std::uint64_t bytesRead()
{
    std::ifstream io("/proc/self/io");
    std::string name;
    std::uint64_t value = 0;
    while (io >> name >> value) {
        if (name == "rchar:")
            return value;
    }
    return 0;
}

}  // namespace

TEST_CASE("rowsAreReadInTheRequestedOrder")
{
    const TemporaryFolder folder;
    const auto content = counting(103);
    for (const auto &path : {folder.write("plain", content), folder.writeGzipped("packed.gz", content)}) {
        CAPTURE(path.string());
        const RowFile rows{.path = path, .start = 3, .stride = 4, .bytes = 4, .count = 25};
        CHECK(read(rows, {}) == std::vector<std::uint8_t>{});
        CHECK(read(rows, {24}) == std::vector<std::uint8_t>{99, 100, 101, 102});
        CHECK(read(rows, {7, 0, 1, 2, 0})
              == std::vector<std::uint8_t>{31, 32, 33, 34, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 3, 4, 5, 6});
        // Overlapping windows, and rows with a gap between them.
        CHECK(read({path, 0, 2, 4, 50}, {1, 2}) == std::vector<std::uint8_t>{2, 3, 4, 5, 4, 5, 6, 7});
        CHECK(read({path, 1, 10, 2, 10}, {1, 0}) == std::vector<std::uint8_t>{11, 12, 1, 2});
    }
}

TEST_CASE("missingRowsAreAnError")
{
    const TemporaryFolder folder;
    const auto content = counting(20);
    std::uint8_t to[8];
    for (const auto &path : {folder.write("plain", content), folder.writeGzipped("packed.gz", content)}) {
        const auto read = readRows({path, 0, 8, 8, 3}, {{2, 0}}, to);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().message.find(path.string() + ": ends within row 2 of 3") == 0);
    }
    CHECK_FALSE(readRows({folder.path() / "none", 0, 8, 8, 3}, {{2, 0}}, to).has_value());
    CHECK_FALSE(readRows({folder.writeGzipped("cut.gz", counting(100'000), 60), 0, 8, 8, 3}, {{2, 0}}, to).has_value());
}

TEST_CASE("onlyTheRowsOfAPlainFileAreRead")
{
    const TemporaryFolder folder;
    const auto path = folder.write("plain", counting(4'000'000));
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < 4000; row += 4)
        rows.push_back(row);
    const std::uint64_t before = bytesRead();
    const auto got = read({path, 0, 1000, 1000, 4000}, rows);
    CHECK(got.size() == 1'000'000);
    CHECK(bytesRead() - before < 1'100'000);  // including the read of /proc itself
}
