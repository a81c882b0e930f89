#include "train/rankenvironment.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <map>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

/// Reads an environment that has, of the worker's variables, only these.
Expected<RankEnvironment> readWith(const std::map<std::string, std::string> &variables)
{
    for (const char *name : {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                             "SWEEPSCOPE_ATTEMPT_FOLDER", "TORCHELASTIC_USE_AGENT_STORE", "TORCHELASTIC_RESTART_COUNT",
                             "SWEEPSCOPE_DEVICES", "CUDA_VISIBLE_DEVICES"})
        unsetenv(name);
    for (const auto &[name, value] : variables)
        setenv(name.c_str(), value.c_str(), 1);
    return readRankEnvironment();
}

std::string failure(const std::map<std::string, std::string> &variables)
{
    const auto environment = readWith(variables);
    REQUIRE_FALSE(environment.has_value());
    CHECK(environment.error().code == ErrorCode::BadInput);
    return environment.error().message;
}

}  // namespace

TEST_CASE("withoutVariablesThereIsOneRank")
{
    const auto environment = readWith({});
    REQUIRE(environment.has_value());
    CHECK(environment->alone());
    CHECK(environment->rank == 0);
}

TEST_CASE("torchrunsVariablesAreRead")
{
    const auto environment = readWith({{"RANK", "5"},
                                       {"LOCAL_RANK", "1"},
                                       {"WORLD_SIZE", "8"},
                                       {"LOCAL_WORLD_SIZE", "4"},
                                       {"MASTER_ADDR", "node1"},
                                       {"MASTER_PORT", "29500"},
                                       {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                       {"TORCHELASTIC_RESTART_COUNT", "3"}});
    REQUIRE(environment.has_value());
    CHECK(environment->rank == 5);
    CHECK(environment->localRank == 1);
    CHECK(environment->worldSize == 8);
    CHECK_FALSE(environment->oneMachine());
    CHECK(environment->masterPort == 29500);
    CHECK(environment->agentStore);
    CHECK(environment->restartCount == 3);
}

TEST_CASE("attemptFolderReplacesTheMaster")
{
    CHECK(readWith({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"SWEEPSCOPE_ATTEMPT_FOLDER", "/tmp"}}).has_value());
}

TEST_CASE("badVariablesAreNamed")
{
    CHECK(failure({{"RANK", "0"}}).find("only one of them is set") != std::string::npos);
    CHECK(failure({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "1"}})
          == "environment variable RANK=2: expected an integer from 0 to 1");
    CHECK(failure({{"RANK", "x"}, {"WORLD_SIZE", "2"}}).find("RANK=x") != std::string::npos);
    CHECK(failure({{"RANK", "0"}, {"WORLD_SIZE", "2"}}).find("MASTER_ADDR and MASTER_PORT") != std::string::npos);
    CHECK(failure({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}})
              .find("MASTER_PORT=70000")
          != std::string::npos);
}

TEST_CASE("withSeveralGpusPerRankTheFirstAssignedOneIsUsed")
{
    std::map<std::string, std::string> variables{{"RANK", "1"},
                                                 {"WORLD_SIZE", "2"},
                                                 {"LOCAL_RANK", "1"},
                                                 {"MASTER_ADDR", "127.0.0.1"},
                                                 {"MASTER_PORT", "29500"},
                                                 {"CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b,GPU-c,GPU-d"},
                                                 {"SWEEPSCOPE_DEVICES", "GPU-c,GPU-d"}};
    CHECK(readWith(variables)->gpu == 2);
    variables.erase("SWEEPSCOPE_DEVICES");  // torchrun: one GPU per rank
    CHECK(readWith(variables)->gpu == 1);
    variables["SWEEPSCOPE_DEVICES"] = "cpu:1";
    CHECK(readWith(variables)->gpu == 1);
}
