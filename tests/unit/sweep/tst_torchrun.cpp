#include "sweep/torchrun.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;
using Words = std::vector<std::string>;

namespace {

TorchrunCommand readTorchrun(const Words &command)
{
    const auto read = parseTorchrun(command, "/venv/bin/python3");
    REQUIRE(read);
    REQUIRE_MESSAGE(read->has_value(), (read->has_value() ? "" : read->error().message));
    return **read;
}

}  // namespace

TEST_CASE("other commands are no torchrun")
{
    CHECK_FALSE(parseTorchrun({}, "python3"));
    CHECK_FALSE(parseTorchrun({"python3", "train.py", "torchrun"}, "python3"));
    CHECK_FALSE(parseTorchrun({"python3", "-m", "train", "torch.distributed.run"}, "python3"));
    CHECK_FALSE(parseTorchrun({"bash", "-c", "torchrun train.py"}, "python3"));
}

TEST_CASE("torchrun starts the script with its Python")
{
    const TorchrunCommand read = readTorchrun(
        {"torchrun", "--standalone", "--nproc_per_node=4", "--rdzv-backend", "c10d", "train.py", "--lr", "1"});
    CHECK(read.command == Words{"/venv/bin/python3", "train.py", "--lr", "1"});
    CHECK(read.processes == "4");
    CHECK(read.restarts == 0);
}

TEST_CASE("the module of torchrun starts the script with the same Python and its flags")
{
    const TorchrunCommand read = readTorchrun({"python3.11", "-u", "-m", "torch.distributed.run", "--nproc-per-node",
                                               "gpu", "--max-restarts", "3", "-m", "package.train", "-m"});
    CHECK(read.command == Words{"python3.11", "-u", "-m", "package.train", "-m"});
    CHECK(read.processes == "gpu");
    CHECK(read.restarts == 3);
    CHECK(readTorchrun({"torchrun", "--nnodes=1:1", "--no-python", "./train", "x"}).command == Words{"./train", "x"});
}

TEST_CASE("options without a counterpart are errors that name them")
{
    const auto problem = [](const Words &command) { return parseTorchrun(command, "python3")->error().message; };
    CHECK(problem({"torchrun", "--nnodes", "2", "train.py"}).find("--nnodes") != std::string::npos);
    CHECK(problem({"torchrun", "--new-option", "2", "train.py"}).find("--new-option") != std::string::npos);
    CHECK(problem({"torchrun", "--nproc-per-node"}).find("no script") != std::string::npos);
    CHECK(problem({"torchrun"}).find("no script") != std::string::npos);
}

TEST_CASE("processes are counted, or there is one for each device")
{
    CHECK(processesOf("3", 8, 16) == 3);
    CHECK(processesOf("gpu", 8, 16) == 8);
    CHECK(processesOf("cpu", 8, 16) == 16);
    CHECK(processesOf("auto", 8, 16) == 8);
    CHECK(processesOf("auto", 0, 16) == 16);
    CHECK_FALSE(processesOf("gpu", 0, 16));
    CHECK_FALSE(processesOf("0", 8, 16));
    CHECK_FALSE(processesOf("many", 8, 16));
    CHECK_FALSE(processesOf("4x", 8, 16));
}
