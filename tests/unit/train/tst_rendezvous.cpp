#include "train/parallel/rendezvous.h"

#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

using namespace sweepscope;
using namespace sweepscope::train;

TEST_CASE("aRankAloneNeedsNoMeetingPlace")
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
    environment.masterPort = 1;  // nobody may listen there: the file is used
    environment.attemptFolder = folder.path();
    const auto first = openStore(environment);
    REQUIRE(dynamic_cast<c10d::FileStore *>(first.get()) != nullptr);
    first->set("key", std::vector<std::uint8_t>{1, 2});
    environment.rank = 1;
    CHECK(openStore(environment)->get("key") == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("rankThatNeverComesIsNamed")
{
    const auto store = c10::make_intrusive<c10d::HashStore>();
    CHECK_NOTHROW(awaitRanks(store, 0, 1));
    CHECK_THROWS_WITH(awaitRanks(store, 0, 2, std::chrono::milliseconds(50)), "rank 1 of 2 did not come within 1 s");
    store->set("present/1", std::vector<std::uint8_t>{1});
    CHECK_NOTHROW(awaitRanks(store, 0, 2, std::chrono::milliseconds(50)));
}

TEST_CASE("missingFolderIsNotLocal")
{
    const TemporaryFolder folder;
    CHECK_FALSE(isLocalFileSystem(folder.path() / "none"));
}
