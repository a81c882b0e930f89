#include "workerrun.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iostream>
#include <vector>

using namespace sweepscope;

namespace {

/// Returns the folder with MNIST's four files; prints the reason and returns an empty string if none is set.
std::string mnistFolder()
{
    const char *folder = std::getenv("SWEEPSCOPE_MNIST");
    if (folder != nullptr && *folder != '\0')
        return folder;
    std::cout << "skipped: SWEEPSCOPE_MNIST does not name a folder with the four IDX files\n";
    return {};
}

}  // namespace

TEST_CASE("twoRanksLearnMnist")
{
    const std::string folder = mnistFolder();
    if (folder.empty())
        return;
    WorkerRun run({"--seed", "3", "--set", "dataset=mnist", "--set", "model=cnn", "--set", "optimizer=adam", "--set",
                   "lr=0.003", "--set", "epochs=1", "--set", "train_samples=12000", "--set", "data_folder=" + folder},
                  {.ranks = 2});
    const auto results = run.wait(std::chrono::seconds(500));
    INFO(results[0].log);
    REQUIRE(results[0].exitCode == 0);
    REQUIRE(results[1].exitCode == 0);
    const series::FeedSeries reported = run.reported(0);
    CHECK(reported.find("val_accuracy")->back().value >= 0.93);
    CHECK(reported.find("test_accuracy")->back().value >= 0.93);
}

TEST_CASE("truncatedMnistFileIsNamed")
{
    const std::string folder = mnistFolder();
    if (folder.empty())
        return;
    std::string pattern = (std::filesystem::temp_directory_path() / "tst_mnist.XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        const auto copy = std::filesystem::path(pattern) / entry.path().filename();
        std::filesystem::copy_file(entry.path(), copy);
        std::filesystem::permissions(copy, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
        if (copy.string().find("t10k-images") != std::string::npos)
            std::filesystem::resize_file(copy, 100'000);
    }
    WorkerRun run({"--set", "dataset=mnist", "--set", "data_folder=" + pattern}, {.launched = false});
    const auto results = run.wait();
    std::filesystem::remove_all(pattern);
    INFO(results[0].log);
    CHECK(results[0].exitCode == 2);
    CHECK(results[0].lastLine().find("t10k-images-idx3-ubyte") != std::string::npos);
    CHECK(results[0].lastLine().find(": expected 7840016 bytes, found ") != std::string::npos);
}
