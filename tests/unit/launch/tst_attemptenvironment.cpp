#include "launch/attemptenvironment.h"
#include "launch/hostfacts.h"
#include "launch/pythonpackages.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::launch;
namespace fs = std::filesystem;

namespace {

void writeText(const fs::path &file, const std::string &content)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << content;
}

void writeProgram(const fs::path &file, const std::string &content)
{
    writeText(file, content);
    fs::permissions(file, fs::perms::owner_all);
}

/// A virtual environment with one package, over an installation with another.
struct TwoPythons {
    TemporaryFolder folder;
    fs::path base = folder.path / "base";
    fs::path venv = folder.path / "venv";

    explicit TwoPythons(const std::string &more = {})
    {
        writeProgram(base / "bin/python3.11", "");
        fs::create_directories(base / "lib/python3.11/site-packages/numpy-1.26.4.dist-info");
        fs::create_directories(base / "lib/python3.11/site-packages/torch-2.1.0.dist-info");
        fs::create_directories(venv / "bin");
        fs::create_symlink(base / "bin/python3.11", venv / "bin/python");
        writeText(venv / "pyvenv.cfg", "home = " + (base / "bin").string() + "\n" + more);
        fs::create_directories(venv / "lib/python3.11/site-packages/torch-2.2.0+cu121.dist-info");
        fs::create_directories(venv / "lib/python3.11/site-packages/~orch-2.0.0.dist-info");
        writeText(venv / "lib/python3.11/site-packages/Ruamel_Yaml-0.18-py3.11.egg-info", "");
    }
};

}  // namespace

TEST_CASE("the Python of a command is found without running it")
{
    const TwoPythons pythons;
    const std::string venv = pythons.venv.string();
    const std::map<std::string, std::string> inPath{{"PATH", venv + "/bin"}};
    CHECK(pythonOf({"python", "train.py"}, "/", inPath) == venv + "/bin/python");
    CHECK(pythonOf({"venv/bin/python", "train.py"}, pythons.folder.path, {}) == venv + "/bin/python");
    CHECK(pythonOf({"bash", "train.sh"}, "/", {{"PATH", "/bin"}, {"VIRTUAL_ENV", venv}}) == venv + "/bin/python");
    CHECK(pythonOf({"bash", "train.sh"}, "/", {{"PATH", "/bin:" + venv + "/bin"}})
              .filename()
              .string()
              .starts_with("python"));

    writeProgram(pythons.venv / "bin/accelerate", "#!" + venv + "/bin/python\n");
    CHECK(pythonOf({"accelerate", "launch"}, "/", inPath) == venv + "/bin/python");
    writeProgram(pythons.folder.path / "train.py", "#!/usr/bin/env python\n");
    CHECK(pythonOf({"./train.py"}, pythons.folder.path, inPath) == venv + "/bin/python");

    writeProgram(pythons.folder.path / "pyenv/shims/python", "#!/bin/sh\n");
    writeProgram(pythons.folder.path / "pyenv/versions/3.12.1/bin/python", "");
    writeText(pythons.folder.path / "pyenv/version", "3.12.1\n");
    const std::map<std::string, std::string> pyenv{{"PATH", pythons.folder.path.string() + "/pyenv/shims"}};
    CHECK(pythonOf({"python", "train.py"}, pythons.folder.path, pyenv)
          == pythons.folder.path / "pyenv/versions/3.12.1/bin/python");
    writeText(pythons.folder.path / ".python-version", "3.9.0\n");  // not installed
    CHECK(pythonOf({"python", "train.py"}, pythons.folder.path, pyenv) == pythons.folder.path / "pyenv/shims/python");

    writeProgram(pythons.folder.path / "program", "\177ELF");
    CHECK(pythonOf({"./program"}, pythons.folder.path, inPath).empty());
    CHECK(pythonOf({"missing"}, "/", inPath).empty());
    CHECK(pythonOf({}, "/", inPath).empty());
}

TEST_CASE("packages are those that the interpreter imports")
{
    {
        const TwoPythons pythons;
        const auto packages = packagesOf(pythons.venv / "bin/python", {}).ofPython;
        CHECK(packages == std::map<std::string, std::string>{{"torch", "2.2.0+cu121"}, {"ruamel-yaml", "0.18"}});
        CHECK(packagesOf(pythons.base / "bin/python3.11", {}).ofPython.at("torch") == "2.1.0");
        fs::create_directories(pythons.folder.path / "target/torch-9.dist-info");
        CHECK(packagesOf(pythons.venv / "bin/python", {{"PYTHONPATH", (pythons.folder.path / "target").string()}})
                  .ofPython.at("torch")
              == "9");
    }
    const TwoPythons pythons("include-system-site-packages = true\n");
    const auto packages = packagesOf(pythons.venv / "bin/python", {}).ofPython;
    CHECK(packages.at("torch") == "2.2.0+cu121");
    CHECK(packages.at("numpy") == "1.26.4");
}

TEST_CASE("packages of Conda include libraries")
{
    const TwoPythons pythons;
    writeText(pythons.base / "conda-meta/cuda-cudart-12.1.105-0.json", "{}");
    writeText(pythons.base / "conda-meta/history", "");
    CHECK(packagesOf(pythons.base / "bin/python3.11", {}).ofConda
          == std::map<std::string, std::string>{{"cuda-cudart", "12.1.105 0"}});
}

TEST_CASE("facts of the machine come from the system's files, and what they lack is left out")
{
    const TemporaryFolder root;
    writeText(root.path / "proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 9554\n");
    writeText(root.path / "proc/meminfo", "MemTotal:       263856920 kB\n");
    writeText(root.path / "etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    auto facts = hostFacts(root.path);
    CHECK(facts.at("cpu").starts_with("AMD EPYC 9554, "));
    CHECK(facts.at("memory") == "252 GiB");
    CHECK(facts.at("os") == "Debian GNU/Linux 12");
    CHECK_FALSE(facts.at("host").empty());
    CHECK_FALSE(facts.at("kernel").empty());
    CHECK_FALSE(facts.contains("gpus"));
    CHECK_FALSE(facts.contains("driver"));
    CHECK_FALSE(facts.contains("cuda"));

    writeText(root.path / "sys/module/nvidia/version", "550.54.15\n");
    for (const char *gpu : {"0000:1a:00.0", "0000:1b:00.0"})
        writeText(root.path / "proc/driver/nvidia/gpus" / gpu / "information", "Model: \t\t NVIDIA H100\nIRQ: 7\n");
    writeText(root.path / "usr/local/cuda/version.json", R"({"cuda": {"name": "CUDA SDK", "version": "12.4.1"}})");
    facts = hostFacts(root.path);
    CHECK(facts.at("driver") == "550.54.15");
    CHECK(facts.at("gpus") == "2 × NVIDIA H100");
    CHECK(facts.at("cuda") == "12.4.1");
}

TEST_CASE("variables that affect results are recorded, and secrets are masked")
{
    for (const char *name : {"CUDA_LAUNCH_BLOCKING", "NCCL_ALGO", "OMP_NUM_THREADS", "TORCH_LOGS", "PYTHONHASHSEED",
                             "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "SLURM_JOB_PARTITION"})
        CHECK_MESSAGE(affectsResults(name), name);
    for (const char *name : {"HOME", "PATH", "SSH_AUTH_SOCK", "SLURM_NODEID", "EDITOR"})
        CHECK_MESSAGE(!affectsResults(name), name);

    ::setenv("NCCL_ALGO", "Ring", 1);
    ::setenv("CUDA_TOKEN", "hidden1", 1);
    LaunchSpec spec;
    spec.argv = {"/bin/true"};
    spec.workingFolder = "/";
    spec.environment = {{"LEVEL", "3"},
                        {"HF_TOKEN", "hf_12345"},
                        {"LOGIN", "user:hf_12345"},
                        {"SWEEPSCOPE_PARAMS", "{}"},
                        {"RANK", "0"}};
    const AttemptEnvironment environment = currentEnvironment(spec, SecretValues(spec.environment, {}));
    ::unsetenv("NCCL_ALGO");
    ::unsetenv("CUDA_TOKEN");
    CHECK(environment.variables.at("NCCL_ALGO") == "Ring");
    CHECK(environment.variables.at("CUDA_TOKEN") == "***");
    CHECK(environment.variables.at("LEVEL") == "3");
    CHECK(environment.variables.at("HF_TOKEN") == "***");
    CHECK(environment.variables.at("LOGIN") == "user:***");
    CHECK_FALSE(environment.variables.contains("SWEEPSCOPE_PARAMS"));
    CHECK_FALSE(environment.variables.contains("RANK"));
    CHECK(environment.python.empty());
    CHECK(environment.packages.empty());

    const TwoPythons pythons;
    spec.environment = {{"PATH", (pythons.venv / "bin").string() + ":/bin"}};
    spec.argv = {"sh", "-c", "module load torch; exec \"$0\" \"$@\"", "python", "train.py"};
    CHECK(currentEnvironment(spec, {}).packages.contains("torch"));
    spec.machine = "node1";
    CHECK_FALSE(currentEnvironment(spec, {}).packages.contains("torch"));
}

TEST_CASE("equal environments of a sweep are stored once")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path};
    AttemptEnvironment environment{"/usr/bin/python3", {{"torch", "2.1"}}, {}, {{"A", "b\xff"}}, {{"host", "n1"}}};
    for (const int trial : {1, 2, 3}) {
        const AttemptLayout attempt = workspace.attempt("0001-s", trial, 1);
        fs::create_directories(attempt.folder);
        CHECK_FALSE(readEnvironment(attempt));
        if (trial == 3)
            environment.packages["torch"] = "2.2";
        REQUIRE(writeEnvironment(environment, attempt));
    }
    const auto file = [&](int trial) { return workspace.attempt("0001-s", trial, 1).folder / "environment.json"; };
    CHECK(fs::equivalent(file(1), file(2)));
    CHECK_FALSE(fs::equivalent(file(1), file(3)));
    const auto stored = fs::directory_iterator(workspace.sweepFolder("0001-s") / "environments");
    CHECK(std::distance(begin(stored), end(stored)) == 2);
    const auto read = readEnvironment(workspace.attempt("0001-s", 3, 1));
    REQUIRE(read);
    CHECK(read->packages.at("torch") == "2.2");
    CHECK(read->python == "/usr/bin/python3");

    // Outside of a workspace, and without a folder to share.
    fs::create_directories(folder.path / "alone");
    REQUIRE(writeEnvironment(environment, {folder.path / "alone"}));
    CHECK(readEnvironment({folder.path / "alone"}) == read);
    std::ofstream(folder.path / "alone/environment.json") << "[1, 2";
    CHECK_FALSE(readEnvironment({folder.path / "alone"}));
}

TEST_CASE("changes between two environments name what was added, removed and changed")
{
    using Part = EnvironmentChange::Part;
    const AttemptEnvironment before{
        "/a/python", {{"numpy", "1"}, {"torch", "2.1"}}, {}, {{"X", "1"}}, {{"host", "n1"}}};
    const AttemptEnvironment after{"/a/python", {{"scipy", "1"}, {"torch", "2.2"}}, {}, {{"X", "1"}}, {{"host", "n2"}}};
    CHECK(changesBetween(before, before).empty());
    const std::vector<EnvironmentChange> expected{{Part::Package, "numpy", "1", {}},
                                                  {Part::Package, "scipy", {}, "1"},
                                                  {Part::Package, "torch", "2.1", "2.2"},
                                                  {Part::Machine, "host", "n1", "n2"}};
    CHECK(changesBetween(before, after) == expected);
}
