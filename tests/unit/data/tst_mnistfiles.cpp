#include "data/mnistfiles.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::data;

namespace {

std::vector<std::uint8_t> idx(const std::vector<std::uint8_t> &shape)
{
    std::vector<std::uint8_t> bytes{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
    std::size_t count = 1;
    for (const std::uint8_t extent : shape) {
        bytes.insert(bytes.end(), {0, 0, 0, extent});
        count *= extent;
    }
    bytes.insert(bytes.end(), count, 1);
    return bytes;
}

void writeSet(const TemporaryFolder &folder)
{
    folder.write("train-images-idx3-ubyte", idx({5, 4, 6}));
    folder.writeGzipped("train-labels-idx1-ubyte.gz", idx({5}));
    folder.writeGzipped("t10k-images-idx3-ubyte.gz", idx({2, 4, 6}));
    folder.write("t10k-labels-idx1-ubyte", idx({2}));
}

/// All problems as one string.
std::string problems(const TemporaryFolder &folder)
{
    std::string text;
    for (const std::string &problem : mnistProblems(folder.path()))
        text += problem + "\n";
    return text;
}

bool has(const std::string &text, const std::string &part)
{
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a complete set is found, plain and gzipped")
{
    const TemporaryFolder folder;
    writeSet(folder);
    const auto files = findMnist(folder.path());
    REQUIRE(files.has_value());
    CHECK(files->train.labels == folder.path() / "train-labels-idx1-ubyte.gz");
    CHECK(problems(folder).empty());
}

TEST_CASE("all missing files are named together")
{
    const TemporaryFolder folder;
    writeSet(folder);
    std::filesystem::remove(folder.path() / "train-images-idx3-ubyte");
    std::filesystem::remove(folder.path() / "t10k-labels-idx1-ubyte");
    CHECK(has(problems(folder),
              folder.path().string() + " lacks train-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain, or with .gz)"));
}

TEST_CASE("truncated files are found before training, each with its name")
{
    const TemporaryFolder folder;
    writeSet(folder);
    std::filesystem::resize_file(folder.path() / "train-images-idx3-ubyte", 100);
    folder.writeGzipped("t10k-images-idx3-ubyte.gz", idx({2, 4, 6}), 20);
    const std::string text = problems(folder);
    CHECK(
        has(text, "train-images-idx3-ubyte: expected 136 bytes, found 100: the file is truncated; download it again"));
    CHECK(has(text, "t10k-images-idx3-ubyte.gz: expected "));
}

TEST_CASE("mixed files of different sets are found by their shapes")
{
    const TemporaryFolder folder;
    writeSet(folder);
    folder.write("t10k-labels-idx1-ubyte", idx({3}));
    CHECK(has(problems(folder), "has 2 images, but"));
    writeSet(folder);
    folder.writeGzipped("t10k-images-idx3-ubyte.gz", idx({2, 5, 6}));
    CHECK(has(problems(folder), "differ in size"));
    folder.writeGzipped("t10k-images-idx3-ubyte.gz", idx({2, 2, 6}));
    CHECK(has(problems(folder), "at least 4 x 4 pixels"));
}
