#include "remote/machinecheck.h"
#include "remote/machines.h"
#include "sweep/deviceplace.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::remote;

namespace {

std::string errorOf(const std::string &toml)
{
    const auto machines = machinesIn(toml, "machines.toml");
    return machines ? "accepted" : machines.error().message;
}

std::string pythonOf(const std::string &output, int gpus)
{
    const CheckRow row = pythonRow(output, "sh: no python3", Machine{}, gpus);
    const char *const words[] = {"good: ", "warning: ", "bad: "};
    return words[static_cast<int>(row.finding)] + row.text;
}

}  // namespace

TEST_CASE("machines survive their file")
{
    const std::vector<Machine> machines{{"a1",
                                         {"ann@gpu1", 2222, ""},
                                         "/scratch/ann",
                                         "module load 'cuda'\nsource x",
                                         "apptainer exec --nv '/a b/x.sif'",
                                         "python3.11",
                                         "10.1.0.2",
                                         {{"imagenet", "/d/i n"}},
                                         4,
                                         std::chrono::hours(2),
                                         {}},
                                        {"b.c_d-e", {"box", 0, ""}, "", "", "", "python3", "", {}}};
    const auto read = machinesIn(toToml(machines), "machines.toml");
    REQUIRE_MESSAGE(read.has_value(), read.error().message);
    CHECK(*read == machines);
    CHECK(machinesIn("", "x")->empty());
}

TEST_CASE("login nodes keep how jobs are submitted, also this machine")
{
    std::vector<Machine> machines(2);
    machines[0].name = sweep::thisMachine;
    machines[0].slurm.emplace().partition = "gpu";
    machines[1].name = "login.1";
    machines[1].ssh = {"ann@login", 0, ""};
    machines[1].slurm.emplace().modules = {"cuda", "it's"};
    const auto read = machinesIn(toToml(machines), "machines.toml");
    REQUIRE_MESSAGE(read.has_value(), read.error().message);
    CHECK(*read == machines);
    CHECK(errorOf("[m]\nssh = 'x'\nslurm = 3\n") == "machines.toml: machine m must have a table for slurm");
    CHECK(errorOf("[m]\nssh = 'x'\n[m.slurm]\npart = 'x'\n")
          == "machines.toml: machine m has the unknown key part in its table slurm");
    CHECK(errorOf("[localhost]\nssh = 'x'\n[localhost.slurm]\n").find("has no valid name") != std::string::npos);
}

TEST_CASE("a mistake in the file is named")
{
    CHECK(errorOf("[m]\n") == "machines.toml: machine m needs ssh, the address");
    CHECK(errorOf("[m]\nssh = 3\n") == "machines.toml: machine m must have a string for ssh");
    CHECK(errorOf("[m]\nssh = '-x'\n").starts_with("machines.toml: machine m '-x' names no machine"));
    CHECK(errorOf("[m]\nssh = 'x'\npassword = 'y'\n") == "machines.toml: machine m has the unknown key password");
    CHECK(errorOf("[m]\nssh = 'x'\ndata = 'y'\n") == "machines.toml: machine m must have a table for data");
    CHECK(errorOf("[m]\nssh = 'x'\ndata = { a = 1 }\n") == "machines.toml: machine m must have strings in data");
    CHECK(errorOf("['a b']\nssh = 'x'\n").find("has no valid name") != std::string::npos);
    CHECK(errorOf("[localhost]\nssh = 'x'\n").find("has no valid name") != std::string::npos);
    CHECK(errorOf("m = 'x'\n") == "machines.toml: m must be a table: write [NAME] and its keys");
    CHECK(errorOf("[m\n").starts_with("machines.toml:1: "));
    CHECK(errorOf(std::string(5000, '[')).starts_with("machines.toml: "));
}

TEST_CASE("limits of a machine are checked")
{
    CHECK(errorOf("[a]\nssh = 'b'\nconcurrent = 0").find("an integer from 1 to 10,000 for concurrent")
          != std::string::npos);
    CHECK(errorOf("[a]\nssh = 'b'\nconcurrent = '2'").find("an integer from 1") != std::string::npos);
    CHECK(errorOf("[a]\nssh = 'b'\nlost_after = 'soon'").find("a duration such as \"2h\"") != std::string::npos);
    CHECK(errorOf("[a]\nssh = 'b'\nlost_after = 7").find("a duration") != std::string::npos);
}

TEST_CASE("the Python of a machine is judged by what it says")
{
    const std::string noise = "Loading module cuda\n";
    CHECK(pythonOf(noise + R"({"python": "3.11.2", "torch": "2.5.0", "cuda": "12.4", "gpus": 8, "nccl": "2.21.5"})", 8)
          == "good: 3.11.2, torch 2.5.0, CUDA 12.4, NCCL 2.21.5");
    CHECK(pythonOf(R"({"python": "3.11.2", "torch": "2.5.0+cpu", "cuda": null, "gpus": 0})"
                   "\n",
                   0)
          == "good: 3.11.2, torch 2.5.0+cpu for CPUs");
    CHECK(pythonOf(R"({"python": "3.11.2", "torch": "2.5.0+cpu", "cuda": null, "gpus": 0})", 2)
          == "warning: 3.11.2, torch 2.5.0+cpu for CPUs, which sees no GPU");
    CHECK(pythonOf(R"({"python": "3.9.1", "error": "ModuleNotFoundError: No module named 'torch'"})", 0)
          == "warning: 3.9.1, without torch: ModuleNotFoundError: No module named 'torch'");
    for (const char *output : {"", "\n", "{}", "[1]", "3", "{\"python\": 3}", "nonsense", "{\"python\": \"\"}"})
        CHECK(pythonOf(output, 0) == "bad: 'python3' does not run: sh: no python3");
}

TEST_CASE("a folder of data that trials cannot use is named with its remedy")
{
    CHECK(dataRow("mnist", "/data/mnist", true).text == "mnist: /data/mnist");
    CHECK(dataRow("mnist", "/data/mnist", true).finding == Finding::Good);
    const CheckRow missing = dataRow("mnist", "/data/mnist", false);
    CHECK(missing.finding == Finding::Warning);
    CHECK(missing.text == "mnist: /data/mnist does not exist there or cannot be read");
    CHECK(missing.setting == "data");
    CHECK(dataRow("mnist", "~/mnist", true).text == "mnist: ~/mnist is not an absolute path");
    CHECK(dataRow("mnist", "", true).finding == Finding::Warning);
}

TEST_CASE("what to do about a connection that fails depends on ssh's words")
{
    const SshTarget target{"ann@gpu1", 2222, ""};
    CHECK(sshRemedy("ann@gpu1: Permission denied (publickey).", target)
          == "allow your key there: ssh-copy-id -p 2222 ann@gpu1");
    CHECK(sshRemedy("Host key verification failed.", target)
          == "connect once to check and accept its key: ssh -p 2222 ann@gpu1");
    CHECK(sshRemedy("WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! Host key verification failed.", target)
              .find("remove its old key")
          != std::string::npos);
    CHECK(sshRemedy("Could not resolve hostname gpu1", {"gpu1", 0, ""})
          == "correct the address, or name the host in ~/.ssh/config");
    CHECK(sshRemedy("Connection refused", {"gpu1", 0, ""})
          == "check that the machine runs and that sshd answers: ssh gpu1");
}

TEST_CASE("a machine gets a name that none has")
{
    const auto nameFor = [](const std::string &address) {
        const std::vector<Machine> known{{"gpu1", {"x", 0, ""}}, {"gpu1-2", {"y", 0, ""}}};
        return freeMachineName(parseSshTarget(address).value(), known);
    };
    CHECK(nameFor("ann@gpu2.lab.example") == "gpu2");
    CHECK(nameFor("ssh://ann@gpu1:2222/folder") == "gpu1-3");
    CHECK(nameFor("10.1.0.2") == "10.1.0.2");
    CHECK(nameFor("localhost") == "machine");
    CHECK(nameFor("localhosts") == "localhosts");
}
