#include "train/parallel/rendezvous.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::vector<std::uint8_t> says(const std::string &text)
{
    return {text.begin(), text.end()};
}

}  // namespace

TEST_CASE("singleRankNeedsNoRendezvous")
{
    CHECK(dynamic_cast<c10d::HashStore *>(openStore(RankEnvironment{}).get()) != nullptr);
}

TEST_CASE("ranksOfAnAttemptMeetInItsFolder")
{
    const TemporaryFolder folder;
    REQUIRE(isLocalFileSystem(folder.path()));
    RankEnvironment environment;
    environment.worldSize = environment.localWorldSize = 2;
    environment.masterAddress = "127.0.0.1";
    environment.masterPort = 1;  // no service listens there: the file is used
    environment.attemptFolder = folder.path();
    const auto first = openStore(environment);
    REQUIRE(dynamic_cast<c10d::FileStore *>(first.get()) != nullptr);
    first->set("key", std::vector<std::uint8_t>{1, 2});
    environment.rank = 1;
    CHECK(openStore(environment)->get("key") == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("ranksThatNeverArriveAreNamed")
{
    const auto store = c10::make_intrusive<c10d::HashStore>();
    const auto comes = [&store](int rank) {
        store->set("present/" + std::to_string(rank), says(std::string("WORLD_SIZE\0004\0", 13)));
    };
    constexpr std::chrono::milliseconds patience{50};
    CHECK_NOTHROW(awaitRanks(c10::make_intrusive<c10d::HashStore>(), 0, 1));
    CHECK_THROWS_WITH(awaitRanks(store, 0, 4, patience), "ranks 1, 2, 3 of 4 have not joined after 1 s");
    comes(1);
    comes(3);
    CHECK_THROWS_WITH(awaitRanks(store, 0, 4, patience), "rank 2 of 4 has not joined after 1 s");
    comes(2);
    CHECK_NOTHROW(awaitRanks(store, 0, 4, patience));
}

TEST_CASE("ranksWithDifferentWorldSizesDoNotWaitForEachOther")
{
    const auto store = c10::make_intrusive<c10d::HashStore>();
    store->set("present/1", says(std::string("WORLD_SIZE\0003\0", 13)));
    CHECK_THROWS_WITH(awaitRanks(store, 0, 2),
                      "rank 1 was started with WORLD_SIZE=3, rank 0 with WORLD_SIZE=2: all ranks must have the same "
                      "WORLD_SIZE");
}

TEST_CASE("ranksWithDifferentSettingsDoNotWaitForEachOther")
{
    const auto store = c10::make_intrusive<c10d::HashStore>();
    const Agreement mine{{"batch_size", "20"}, {"model", "mlp"}};
    awaitRanks(store, 0, 1, std::chrono::seconds(1), mine);
    store->set("present/0", says(std::string("WORLD_SIZE\0002\0batch_size\00030\0model\0mlp\0", 37)));
    CHECK_THROWS_WITH(awaitRanks(store, 1, 2, std::chrono::seconds(1), mine),
                      "rank 0 has batch_size = 30, rank 1 has batch_size = 20: all ranks must have the same settings");
}

TEST_CASE("missingFolderIsNotLocal")
{
    const TemporaryFolder folder;
    CHECK_FALSE(isLocalFileSystem(folder.path() / "none"));
}
