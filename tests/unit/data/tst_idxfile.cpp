#include "data/idxfile.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::data;

namespace {

/// Two images of 2 x 3 pixels with the values 0 … 11.
std::vector<std::uint8_t> images()
{
    std::vector<std::uint8_t> bytes{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3};
    for (std::uint8_t i = 0; i < 12; ++i)
        bytes.push_back(i);
    return bytes;
}

std::string failure(const std::filesystem::path &file, std::size_t dimensions = 3)
{
    const auto read = readIdxFile(file, dimensions);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::BadInput);
    return read.error().message;
}

}  // namespace

TEST_CASE("idxFileIsReadPlainAndGzipped")
{
    const TemporaryFolder folder;
    for (const auto &file : {folder.write("plain", images()), folder.writeGzipped("packed.gz", images())}) {
        const auto array = readIdxFile(file, 3);
        REQUIRE(array.has_value());
        CHECK(array->shape == std::vector<std::int64_t>{2, 2, 3});
        CHECK(array->values == std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    }
}

TEST_CASE("everyTruncationIsAnErrorWithExpectedAndFoundSizes")
{
    const TemporaryFolder folder;
    const auto whole = images();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto file = folder.write("cut", {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
        const std::string expected = length < 16 ? "16" : "28";
        CHECK(failure(file)
              == file.string() + ": expected " + expected + " bytes, found " + std::to_string(length)
                     + ": the file is truncated; download it again");
    }
}

TEST_CASE("truncatedGzipIsAnErrorWithExpectedAndFoundSizes")
{
    std::vector<std::uint8_t> large{0, 0, 8, 1, 0, 1, 0, 0};  // 65,536 labels
    for (std::uint32_t i = 0, x = 1; i < 65536; ++i, x = x * 1664525U + 1013904223U)
        large.push_back(static_cast<std::uint8_t>(x >> 24U));
    const TemporaryFolder folder;
    const auto file = folder.writeGzipped("cut.gz", large, 30000);
    const std::string message = failure(file, 1);
    CHECK(message.find(file.string() + ": expected 65544 bytes, found ") == 0);
    CHECK(message.find(" after unpacking: the file is truncated; download it again") != std::string::npos);
}

TEST_CASE("damagedGzipIsAnError")
{
    const TemporaryFolder folder;
    const auto file = folder.writeText("damaged.gz", "\x1f\x8b\x08 this is no gzip stream at all");
    const auto read = readIdxFile(file, 3);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message.find(file.string()) == 0);
}

TEST_CASE("wrongMagicIsAnErrorWithExpectedAndFoundValues")
{
    const TemporaryFolder folder;
    const auto file = folder.write("images", images());
    CHECK(failure(file, 1) == file.string() + ": expected an IDX file that starts with 0x00000801, found 0x00000803");
}

TEST_CASE("moreBytesThanInTheHeaderAreAnError")
{
    const TemporaryFolder folder;
    auto bytes = images();
    bytes.push_back(0);
    CHECK(failure(folder.write("long", bytes)).find("expected 28 bytes, found 29") != std::string::npos);
}

TEST_CASE("hugeDimensionsAreRefusedBeforeAllocation")
{
    const TemporaryFolder folder;
    const std::vector<std::uint8_t> bytes{0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    CHECK(failure(folder.write("huge", bytes)).find("declares more than") != std::string::npos);
}

TEST_CASE("missingFileIsNotFound")
{
    const TemporaryFolder folder;
    const auto read = readIdxFile(folder.path() / "none", 3);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::NotFound);
}

TEST_CASE("shapeIsKnownWithoutReadingTheValues")
{
    const TemporaryFolder folder;
    for (const auto &file : {folder.write("plain", images()), folder.writeGzipped("packed.gz", images())}) {
        const auto shape = checkIdxFile(file, 3);
        REQUIRE(shape.has_value());
        CHECK(*shape == std::vector<std::int64_t>{2, 2, 3});
    }
}

TEST_CASE("checkReportsTheSameErrorsAsReading")
{
    const TemporaryFolder folder;
    const auto whole = images();
    const auto packed = std::filesystem::file_size(folder.writeGzipped("whole.gz", whole));
    std::vector<std::filesystem::path> files{folder.path() / "none", folder.writeText("text", "no IDX file at all"),
                                             folder.writeText("damaged.gz", "\x1f\x8b\x08 this is no gzip stream")};
    for (std::size_t length = 0; length < whole.size(); ++length)
        files.push_back(folder.write("cut" + std::to_string(length),
                                     {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}));
    for (std::uint64_t length = 1; length < packed; ++length)
        files.push_back(folder.writeGzipped("cut" + std::to_string(length) + ".gz", whole, length));
    for (const auto &file : files) {
        INFO(file.string());
        const auto checked = checkIdxFile(file, 3);
        const auto read = readIdxFile(file, 3);
        CHECK(checked.has_value() == read.has_value());
        if (!checked && !read)
            CHECK(checked.error().message == read.error().message);
    }
}

TEST_CASE("archiveOfSeveralPartsIsValid")
{
    const TemporaryFolder folder;
    const auto whole = images();
    const auto first = folder.writeGzipped("first", {whole.begin(), whole.begin() + 20});
    const auto second = folder.writeGzipped("second", {whole.begin() + 20, whole.end()});
    const auto both = folder.path() / "both.gz";
    std::ofstream out(both, std::ios::binary);
    for (const auto &part : {first, second})
        out << std::ifstream(part, std::ios::binary).rdbuf();
    out.close();
    const auto shape = checkIdxFile(both, 3);
    REQUIRE(shape.has_value());
    CHECK(*shape == std::vector<std::int64_t>{2, 2, 3});
}
