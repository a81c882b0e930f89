#include "launch/networkinterface.h"
#include "launch/rankenvironment.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace sweepscope::launch;

namespace {

LaunchSpec twoRanks()
{
    LaunchSpec spec;
    spec.attemptId = "0001-x/4/2";
    spec.trial = 4;
    spec.attempt = 2;
    spec.argv = {"true"};
    spec.workingFolder = "/";
    spec.ranks = 2;
    spec.ompThreads = 3;
    return spec;
}

auto environmentOf(const LaunchSpec &spec, int rank)
{
    return rankEnvironment(spec, rank, 29555, "/dev/shm/ring", "/ws/attempt");
}

}  // namespace

TEST_CASE("a rank has all of torchrun's variables")
{
    const auto e = environmentOf(twoRanks(), 1);
    CHECK(e.at("RANK") == "1");
    CHECK(e.at("LOCAL_RANK") == "1");
    CHECK(e.at("ROLE_RANK") == "1");
    CHECK(e.at("WORLD_SIZE") == "2");
    CHECK(e.at("LOCAL_WORLD_SIZE") == "2");
    CHECK(e.at("ROLE_WORLD_SIZE") == "2");
    CHECK(e.at("GROUP_RANK") == "0");
    CHECK(e.at("GROUP_WORLD_SIZE") == "1");
    CHECK(e.at("ROLE_NAME") == "default");
    CHECK(e.at("MASTER_ADDR") == "127.0.0.1");
    CHECK(e.at("MASTER_PORT") == "29555");
    CHECK(e.at("TORCHELASTIC_RUN_ID") == "0001-x/4/2");
    CHECK(e.at("TORCHELASTIC_RESTART_COUNT") == "0");
    CHECK(e.at("TORCHELASTIC_MAX_RESTARTS") == "0");
    CHECK(e.at("TORCHELASTIC_USE_AGENT_STORE") == "False");
    CHECK(e.at("TORCHELASTIC_ERROR_FILE") == "/ws/attempt/rank-1.error.json");
    CHECK(e.at("TORCH_NCCL_ASYNC_ERROR_HANDLING") == "1");
    CHECK(e.at("OMP_NUM_THREADS") == "3");
}

TEST_CASE("a rank on one of several machines has its place among all ranks")
{
    LaunchSpec spec = twoRanks();
    spec.node = NodePart{1, 3, 2, 6, "10.0.0.1", 40000};
    spec.devices = {{"GPU-a"}, {"GPU-b"}};
    const auto e = environmentOf(spec, 3);
    CHECK(e.at("RANK") == "3");
    CHECK(e.at("ROLE_RANK") == "3");
    CHECK(e.at("LOCAL_RANK") == "1");
    CHECK(e.at("WORLD_SIZE") == "6");
    CHECK(e.at("ROLE_WORLD_SIZE") == "6");
    CHECK(e.at("LOCAL_WORLD_SIZE") == "2");
    CHECK(e.at("GROUP_RANK") == "1");
    CHECK(e.at("GROUP_WORLD_SIZE") == "3");
    CHECK(e.at("MASTER_ADDR") == "10.0.0.1");
    CHECK(e.at("CUDA_VISIBLE_DEVICES") == "GPU-a,GPU-b");
    CHECK(e.at("SWEEPSCOPE_DEVICES") == "GPU-b");
}

TEST_CASE("the interface is the one with the route to the others, unless the user chose one")
{
    CHECK(interfaceTowards("127.0.0.1") == "lo");
    CHECK(interfaceTowards("a name") == "");
    CHECK(interfaceTowards("") == "");
    std::map<std::string, std::string> environment{{"NCCL_SOCKET_IFNAME", "ib0"}};
    useInterfaceTowards("127.0.0.1", environment);
    CHECK(environment
          == std::map<std::string, std::string>{
              {"GLOO_SOCKET_IFNAME", "lo"}, {"NCCL_SOCKET_IFNAME", "ib0"}, {"TP_SOCKET_IFNAME", "lo"}});
}

TEST_CASE("ranks with GPUs record what NCCL does, unless the user says otherwise")
{
    LaunchSpec spec = twoRanks();
    CHECK_FALSE(environmentOf(spec, 0).contains("NCCL_DEBUG"));
    spec.devices = {{"GPU-a"}, {"GPU-b"}};
    spec.environment["NCCL_DEBUG"] = "INFO";
    const auto e = environmentOf(spec, 1);
    CHECK(e.at("NCCL_DEBUG") == "INFO");
    CHECK(e.at("TORCH_NCCL_TRACE_BUFFER_SIZE") == "2000");
    CHECK(e.at("TORCH_NCCL_DUMP_ON_TIMEOUT") == "1");
    CHECK(e.at("TORCH_NCCL_DEBUG_INFO_TEMP_FILE") == "/ws/attempt/nccl-trace-rank-");
    spec.ranks = 1;
    spec.devices = {{"GPU-a"}};
    CHECK_FALSE(environmentOf(spec, 0).contains("TORCH_NCCL_TRACE_BUFFER_SIZE"));
}

TEST_CASE("a single rank runs as its author runs it, unless it wants torchrun's variables")
{
    LaunchSpec spec = twoRanks();
    spec.ranks = 1;
    spec.distributed = false;
    const auto alone = environmentOf(spec, 0);
    for (const char *name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID"})
        CHECK_FALSE(alone.contains(name));
    CHECK(alone.contains("TORCHELASTIC_ERROR_FILE"));
    spec.distributed = true;
    CHECK(environmentOf(spec, 0).at("RANK") == "0");
    spec.ranks = 2;
    spec.distributed = false;
    CHECK(environmentOf(spec, 1).at("RANK") == "1");
}

TEST_CASE("ranks of a Slurm job see its GPUs")
{
    LaunchSpec spec = twoRanks();
    spec.devices = {{}, {}};
    spec.environment["CUDA_VISIBLE_DEVICES"] = "7";
    ::setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES").empty());
    spec.gpusOfJob = true;
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES") == "2,3");
    CHECK(environmentOf(spec, 1).at("CUDA_VISIBLE_DEVICES") == "2,3");
    CHECK(environmentOf(spec, 1).contains("TORCH_NCCL_DUMP_ON_TIMEOUT"));
    ::unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES").empty());
}

TEST_CASE("watched ranks find what watches them first")
{
    LaunchSpec spec = twoRanks();
    spec.pythonPath = "/share/python";
    spec.environment["PYTHONPATH"] = "/mine";
    CHECK(environmentOf(spec, 0).at("PYTHONPATH") == "/mine:/share/python");
    spec.watch = true;
    CHECK(environmentOf(spec, 1).at("PYTHONPATH") == "/share/python/watch:/mine:/share/python");
    spec.metrics.emplace();  // the agent writes what it reads of rank 0
    CHECK(environmentOf(spec, 0).at("PYTHONPATH") == "/mine:/share/python");
    CHECK(environmentOf(spec, 1).at("PYTHONPATH") == "/share/python/watch:/mine:/share/python");
}

TEST_CASE("a rank sees the GPUs of all ranks, and of MIG instances its own")
{
    LaunchSpec spec = twoRanks();
    spec.devices = {{"GPU-a"}, {"GPU-b"}};
    CHECK(environmentOf(spec, 1).at("CUDA_VISIBLE_DEVICES") == "GPU-a,GPU-b");
    spec.devices = {{"MIG-a"}, {"MIG-b"}};
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES") == "MIG-a");
    CHECK(environmentOf(spec, 1).at("CUDA_VISIBLE_DEVICES") == "MIG-b");
    CHECK(environmentOf(spec, 1).at("SWEEPSCOPE_DEVICES") == "MIG-b");
}

TEST_CASE("a rank has the path of its ring and its attempt")
{
    const auto e = environmentOf(twoRanks(), 0);
    CHECK(e.at("SWEEPSCOPE_RING") == "/dev/shm/ring");
    CHECK(e.at("SWEEPSCOPE_ATTEMPT_ID") == "0001-x/4/2");
    CHECK(e.at("SWEEPSCOPE_ATTEMPT_FOLDER") == "/ws/attempt");
    CHECK(e.at("SWEEPSCOPE_TRIAL") == "4");
}

TEST_CASE("every rank sees the GPUs of all ranks, in rank order, each once; CPU slots are no GPUs")
{
    LaunchSpec spec = twoRanks();
    spec.devices = {{"GPU-b", "cpu:0"}, {"GPU-a", "GPU-b"}};
    const auto e = environmentOf(spec, 0);
    CHECK(e.at("CUDA_VISIBLE_DEVICES") == "GPU-b,GPU-a");
    CHECK(e.at("CUDA_DEVICE_ORDER") == "PCI_BUS_ID");
    CHECK(e.at("SWEEPSCOPE_DEVICES") == "GPU-b,cpu:0");
    CHECK(environmentOf(spec, 1).at("CUDA_VISIBLE_DEVICES") == "GPU-b,GPU-a");
}

TEST_CASE("a trial without GPUs sees none, whatever the user's shell sets")
{
    LaunchSpec spec = twoRanks();
    spec.environment["CUDA_VISIBLE_DEVICES"] = "0,1";
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES").empty());
    spec.devices = {{"cpu:0"}, {"cpu:1"}};
    CHECK(environmentOf(spec, 0).at("CUDA_VISIBLE_DEVICES").empty());
}

TEST_CASE("the user's variables are kept, except for those that define a rank")
{
    LaunchSpec spec = twoRanks();
    spec.environment = {{"MINE", "x"}, {"OMP_NUM_THREADS", "7"}, {"RANK", "9"}, {"PYTHONUNBUFFERED", ""}};
    const auto e = environmentOf(spec, 0);
    CHECK(e.at("MINE") == "x");
    CHECK(e.at("OMP_NUM_THREADS") == "7");
    CHECK(e.at("PYTHONUNBUFFERED").empty());
    CHECK(e.at("RANK") == "0");

    ::setenv("OMP_NUM_THREADS", "5", 1);  // from the shell: the rank inherits it
    CHECK_FALSE(environmentOf(twoRanks(), 0).contains("OMP_NUM_THREADS"));
    ::unsetenv("OMP_NUM_THREADS");
}

TEST_CASE("the reporter's folder follows the user's own Python path")
{
    LaunchSpec spec = twoRanks();
    ::unsetenv("PYTHONPATH");
    CHECK_FALSE(environmentOf(spec, 0).contains("PYTHONPATH"));
    spec.pythonPath = "/share/python";
    CHECK(environmentOf(spec, 0).at("PYTHONPATH") == "/share/python");
    ::setenv("PYTHONPATH", "/shell", 1);
    CHECK(environmentOf(spec, 0).at("PYTHONPATH") == "/shell:/share/python");
    spec.environment["PYTHONPATH"] = "/mine:/other";
    CHECK(environmentOf(spec, 0).at("PYTHONPATH") == "/mine:/other:/share/python");
    ::unsetenv("PYTHONPATH");
}
