#include "sweep/deviceplace.h"

#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;

namespace {

std::string problemsOf(const std::string &more)
{
    std::string text;
    const auto parsed = parseSweep("[sweep]\nname = 'a'\nobjective = 'loss'\n[space]\nx = [1]\n" + more);
    for (const Problem &problem : parsed.problems)
        text += problem.field + ": " + problem.message + "\n";
    return text;
}

}  // namespace

TEST_CASE("a device knows its machine")
{
    CHECK(deviceOn("", "cpu:3") == "cpu:3");
    CHECK(deviceOn("gpu1", "MIG-GPU-1/2/0") == "MIG-GPU-1/2/0@gpu1");
    CHECK(machineOf("MIG-GPU-1/2/0@gpu1") == "gpu1");
    CHECK(machineOf("cpu:3").empty());
    CHECK(withoutMachine("cpu:3@gpu1") == "cpu:3");
    CHECK(withoutMachine("cpu:3") == "cpu:3");
}

TEST_CASE("names of machines")
{
    for (const char *right : {"gpu1", "a.b-c_D", "0"})
        CHECK(isMachineName(right));
    for (const char *wrong : {"", "localhost", "*", "-a", ".a", "a b", "a@b", "a/b"})
        CHECK_FALSE(isMachineName(wrong));
    CHECK_FALSE(isMachineName(std::string(65, 'a')));
}

TEST_CASE("which machines a sweep may use")
{
    const auto uses = [](std::vector<std::string> machines) {
        DevicesSection devices;
        devices.machines = std::move(machines);
        return std::pair(usesThisMachine(devices), usesOtherMachines(devices));
    };
    CHECK(uses({}) == std::pair(true, false));
    CHECK(uses({"localhost"}) == std::pair(true, false));
    CHECK(uses({"a"}) == std::pair(false, true));
    CHECK(uses({"a", "localhost"}) == std::pair(true, true));
    CHECK(uses({"*"}) == std::pair(true, true));
}

TEST_CASE("a sweep that cannot run on other machines is refused")
{
    const std::string command = "[run]\ncommand = ['true']\n[run.metrics]\nformat = 'auto'\n";
    const std::string machines = "[devices]\nmachines = ['gpu1']\n";
    CHECK(problemsOf(command + machines).empty());
    CHECK(problemsOf(command + "[devices]\nmachines = ['-x']\n").find("cannot name a machine") != std::string::npos);
    CHECK(problemsOf(command + "[devices]\nmachines = ['a', 'b', 'a']\n").find("names 'a' twice") != std::string::npos);
    CHECK(problemsOf("[run]\ndataset = 'digits'\nmodel = 'mlp'\n" + machines).find("the built-in worker")
          != std::string::npos);
    CHECK(problemsOf("[run]\ncommand = ['true']\nworking_folder = '/x'\n" + machines).find("must be relative")
          != std::string::npos);
    CHECK(problemsOf("[run]\ncommand = ['true']\nenvironment_file = 'x'\n" + machines).find("is not sent")
          != std::string::npos);
}
