#include "train/data/mnist.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::vector<std::uint8_t> idx(const std::vector<std::uint8_t> &shape, std::uint8_t fill)
{
    std::vector<std::uint8_t> bytes{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
    std::size_t count = 1;
    for (const std::uint8_t extent : shape) {
        bytes.insert(bytes.end(), {0, 0, 0, extent});
        count *= extent;
    }
    bytes.insert(bytes.end(), count, fill);
    return bytes;
}

void writeSet(const TemporaryFolder &folder)
{
    folder.write("train-images-idx3-ubyte", idx({5, 4, 6}, 200));
    folder.writeGzipped("train-labels-idx1-ubyte.gz", idx({5}, 9));
    folder.writeGzipped("t10k-images-idx3-ubyte.gz", idx({2, 4, 6}, 7));
    folder.write("t10k-labels-idx1-ubyte", idx({2}, 3));
}

std::string failure(const TemporaryFolder &folder)
{
    const auto read = readMnist(folder.path());
    REQUIRE_FALSE(read.has_value());
    return read.error().message;
}

}  // namespace

TEST_CASE("plainAndGzippedFilesMayBeMixed")
{
    const TemporaryFolder folder;
    writeSet(folder);
    const auto mnist = readMnist(folder.path());
    REQUIRE(mnist.has_value());
    CHECK(mnist->train.inputs.sizes() == std::vector<std::int64_t>{5, 1, 4, 6});
    CHECK(mnist->train.inputs[4][0][3][5].item<int>() == 200);
    CHECK(mnist->train.targets[4].item<std::int64_t>() == 9);
    CHECK(mnist->test.size() == 2);
}

TEST_CASE("missingFileIsNamed")
{
    const TemporaryFolder folder;
    writeSet(folder);
    std::filesystem::remove(folder.path() / "t10k-labels-idx1-ubyte");
    CHECK(failure(folder).find("data_folder: " + folder.path().string() + " lacks t10k-labels-idx1-ubyte")
          != std::string::npos);
}

TEST_CASE("otherNumberOfLabelsThanImagesIsAnError")
{
    const TemporaryFolder folder;
    writeSet(folder);
    folder.write("t10k-labels-idx1-ubyte", idx({3}, 3));
    CHECK(failure(folder).find("has 2 images, but") != std::string::npos);
}

TEST_CASE("labelBeyondNineIsAnError")
{
    const TemporaryFolder folder;
    writeSet(folder);
    folder.write("t10k-labels-idx1-ubyte", idx({2}, 10));
    CHECK(failure(folder).find("expected labels from 0 to 9, found 10") != std::string::npos);
}

TEST_CASE("testImagesOfAnotherSizeAreAnError")
{
    const TemporaryFolder folder;
    writeSet(folder);
    std::filesystem::remove(folder.path() / "t10k-images-idx3-ubyte.gz");
    folder.write("t10k-images-idx3-ubyte", idx({2, 6, 4}, 0));
    CHECK(failure(folder).find("differ in size") != std::string::npos);
}
