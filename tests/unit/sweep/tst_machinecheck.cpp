#include "sweep/bytesize.h"
#include "sweep/machinecheck.h"

#include "base/builtworker.h"
#include "specs.h"
#include "sweep/launchpreparation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdlib.h>
#include <sys/stat.h>

using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;

namespace {

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        char name[] = "/tmp/sweepscope-machine-XXXXXX";
        path = ::mkdtemp(name);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path); }

    void makeFile(const std::string &name, mode_t mode = 0644) const
    {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name) << "#!/bin/sh\n";
        ::chmod((path / name).c_str(), mode);
    }

    void makeIdxFile(const std::string &name, const std::vector<char> &shape) const
    {
        std::string bytes{0, 0, 8, static_cast<char>(shape.size())};
        std::size_t values = 1;
        for (const char extent : shape) {
            bytes += std::string(3, '\0') + extent;
            values *= static_cast<std::size_t>(extent);
        }
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << bytes + std::string(values, '\1');
    }
};

/// Sets or removes an environment variable for its lifetime.
class Variable {
public:
    Variable(const char *name, const char *value) : m_name(name)
    {
        if (const char *before = std::getenv(name))
            m_before = before;
        if (value != nullptr)
            ::setenv(name, value, 1);
        else
            ::unsetenv(name);
    }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;
    ~Variable()
    {
        if (m_before)
            ::setenv(m_name, m_before->c_str(), 1);
        else
            ::unsetenv(m_name);
    }

private:
    const char *m_name;
    std::optional<std::string> m_before;
};

constexpr Capacity twoCores{0, 2};
constexpr Capacity twoGpus{2, 16};

/// Returns all problems as one string, "" if there are none.
std::string problems(const SweepSpec &spec, const Capacity &capacity, const std::filesystem::path &folder)
{
    std::string text;
    for (const Problem &problem : checkMachine(spec, capacity, folder))
        text += describe(problem, "") + "\n";
    return text;
}

bool saysOnly(const std::string &text, const std::string &part)
{
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    return text.find(part) != std::string::npos;
}

SweepSpec running(std::vector<std::string> command)
{
    SweepSpec spec = commandSweep({});
    spec.run.command = std::move(command);
    return spec;
}

}  // namespace

TEST_CASE("an energy budget needs GPUs whose energy is measured")
{
    const TemporaryFolder folder;
    SweepSpec spec = running({"true"});
    spec.budget = BudgetSection{std::nullopt, std::nullopt, 2.5};
    const auto isRefused = [&](const Capacity &capacity, const std::string &trials) {
        return saysOnly(problems(spec, capacity, folder.path),
                        "budget.energy_kwh: would never end the sweep, because the energy of " + trials
                            + " is not measured");
    };
    CHECK(problems(spec, twoGpus, folder.path).empty());
    CHECK(isRefused(twoCores, "trials on CPUs"));
    spec.devices.kind = DeviceKind::Cpu;
    CHECK(isRefused(twoGpus, "trials on CPUs"));
    spec.devices.kind = DeviceKind::Auto;

    Capacity parts{2, 16};
    parts.gpuNames = {{0, "GPU-a", "", "", 0}, {0, "MIG-b", "", "", 0}};
    CHECK(problems(spec, parts, folder.path).empty());
    spec.devices.exclude = {"GPU-a"};
    CHECK(isRefused(parts, "trials on MIG instances"));
    spec.devices.exclude.clear();

    Capacity cluster{0, 2};
    cluster.clusters = {"localhost", "frontend"};
    CHECK(isRefused(cluster, "Slurm jobs"));
    spec.devices.machines = {"frontend"};
    CHECK(isRefused(cluster, "Slurm jobs"));
    spec.devices.machines = {"frontend", "gpu1"};
    CHECK(problems(spec, cluster, folder.path).empty());
    spec.budget->kilowattHours.reset();
    spec.budget->deviceTime = std::chrono::hours(1);
    CHECK(problems(spec, twoCores, folder.path).empty());
}

TEST_CASE("a program is searched in PATH, or by its path from the working directory")
{
    const TemporaryFolder folder;
    folder.makeFile("train.sh", 0755);
    folder.makeFile("notes.txt");
    folder.makeFile("inner/go", 0755);

    CHECK(problems(running({"sh", "-c", "true"}), twoCores, folder.path).empty());
    CHECK(problems(running({"./train.sh"}), twoCores, folder.path).empty());
    CHECK(problems(running({folder.path / "train.sh"}), twoCores, "/").empty());
    CHECK(saysOnly(problems(running({"no-such-program-anywhere"}), twoCores, folder.path),
                   "run.command: there is no program 'no-such-program-anywhere' in PATH"));
    CHECK(saysOnly(problems(running({"train.sh"}), twoCores, folder.path), "./train.sh"));
    CHECK(saysOnly(problems(running({"./none.sh"}), twoCores, folder.path),
                   "there is no program " + (folder.path / "none.sh").string()));
    CHECK(saysOnly(problems(running({"./notes.txt"}), twoCores, folder.path), "chmod +x"));
    CHECK(saysOnly(problems(running({"./inner"}), twoCores, folder.path), "there is no program"));

    SweepSpec spec = running({"./go"});
    spec.run.workingFolder = "inner";
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.run.command = {"go"};
    spec.run.environment["PATH"] = "/nowhere:" + (folder.path / "inner").string();
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.run.workingFolder = "outer";
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "run.working_folder: there is no folder"));
}

TEST_CASE("a program that chooses points must exist, and so must its script")
{
    const TemporaryFolder folder;
    folder.makeFile("sampler.py");
    SweepSpec spec = running({"sh"});
    spec.method = SearchMethod::Command;
    spec.searchCommand = {"python3", "sampler.py"};
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.searchCommand = {"python3", "other.py"};
    CHECK(saysOnly(problems(spec, twoCores, folder.path),
                   "search.command: there is no file " + (folder.path / "other.py").string()));
    spec.searchCommand = {"no-such-program-anywhere"};
    CHECK(saysOnly(problems(spec, twoCores, folder.path),
                   "search.command: there is no program 'no-such-program-anywhere' in PATH"));
}

TEST_CASE("an environment file must exist")
{
    const TemporaryFolder folder;
    SweepSpec spec = running({"true"});
    spec.run.environmentFile = "keys.env";
    CHECK(saysOnly(problems(spec, twoCores, folder.path),
                   "run.environment_file: there is no file " + (folder.path / "keys.env").string()));
    std::filesystem::create_directory(folder.path / "keys.env");
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "is a folder"));
    std::filesystem::remove(folder.path / "keys.env");
    std::ofstream(folder.path / "keys.env") << "A=1\n";
    CHECK(problems(spec, twoCores, folder.path).empty());
}

TEST_CASE("a script passed to an interpreter must exist")
{
    const TemporaryFolder folder;
    folder.makeFile("train.py");
    const auto check = [&folder](std::vector<std::string> command) {
        return problems(running(std::move(command)), twoCores, folder.path);
    };
    CHECK(check({"python3", "train.py", "--lr", "{lr}"}).empty());
    CHECK(check({"python3", "-u", "train.py"}).empty());
    CHECK(check({"python3", "-m", "none.py"}).empty());
    CHECK(check({"python3", "{script}"}).empty());
    CHECK(saysOnly(check({"python3", "tarin.py"}), "there is no file " + (folder.path / "tarin.py").string()));
    CHECK(saysOnly(check({"sh", "none.sh"}), "there is no file"));
}

TEST_CASE("more ranks than devices are reported with a remedy")
{
    const TemporaryFolder folder;
    SweepSpec spec = running({"true"});
    spec.run.ranks = 2;
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.run.ranks = 4;
    CHECK(
        saysOnly(problems(spec, twoCores, folder.path),
                 "run.ranks: a trial needs 4 ranks, but there are only 2 CPU slots (one per core): use fewer ranks, or "
                 "let ranks share cores with devices.cpu_slots = 4"));
    spec.devices.cpuSlots = 4;
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.devices.perRank = 2;
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "devices.cpu_slots = 8"));

    spec.devices = {};
    CHECK(saysOnly(problems(spec, twoGpus, folder.path), "there are only 2 GPUs, and a GPU takes one rank"));
    spec.devices.kind = DeviceKind::Cpu;
    CHECK(problems(spec, twoGpus, folder.path).empty());
}

TEST_CASE("only ranks of actual trials count, not those that constraints remove")
{
    const TemporaryFolder folder;
    SweepSpec spec = commandSweep({integers("ranks", 1, 4)});
    spec.run.command = {"true"};
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "space.ranks: a trial needs 4 ranks"));
    spec.constraints = {{"small", "ranks <= 2"}};
    CHECK(problems(spec, twoCores, folder.path).empty());
}

TEST_CASE("sweeps that need GPUs are refused on a machine without any")
{
    const TemporaryFolder folder;
    SweepSpec spec = running({"true"});
    spec.devices.kind = DeviceKind::Gpu;
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "devices.kind: is gpu, but no GPU was found"));
    CHECK(problems(spec, twoGpus, folder.path).empty());
    spec.devices.kind = DeviceKind::Auto;
    spec.run.backend = "nccl";
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "run.backend: is nccl"));
    CHECK(problems(spec, twoGpus, folder.path).empty());
}

TEST_CASE("mnist needs its four files, in a folder set by the sweep or the environment")
{
    const TemporaryFolder folder;
    const Variable none("SWEEPSCOPE_MNIST", nullptr);
    SweepSpec spec;
    spec.run.settings["dataset"] = std::string("mnist");
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "run.data_folder: is missing"));
    SweepSpec unresolved = spec;
    resolveForLaunch(unresolved);
    CHECK((unresolved == spec));

    folder.makeIdxFile("data/train-images-idx3-ubyte", {7, 4, 5});
    folder.makeIdxFile("data/train-labels-idx1-ubyte", {7});
    folder.makeIdxFile("data/t10k-images-idx3-ubyte", {2, 4, 5});
    const Variable named("SWEEPSCOPE_MNIST", (folder.path / "data").c_str());
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "lacks t10k-labels-idx1-ubyte (plain"));
    folder.makeIdxFile("data/t10k-labels-idx1-ubyte", {2});
    CHECK(problems(spec, twoCores, folder.path).empty());
    std::filesystem::resize_file(folder.path / "data/train-images-idx3-ubyte", 100);
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "expected 156 bytes, found 100: the file is truncated"));
    folder.makeIdxFile("data/train-images-idx3-ubyte", {7, 4, 5});

    resolveForLaunch(spec);
    CHECK(spec.run.settings.at("data_folder") == ParameterValue((folder.path / "data").string()));
    spec.run.settings["data_folder"] = std::string("data");
    resolveForLaunch(spec);
    CHECK(spec.run.settings.at("data_folder") == ParameterValue(std::string("data")));
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.run.settings["data_folder"] = std::string("elsewhere");
    CHECK(
        saysOnly(problems(spec, twoCores, folder.path), "there is no folder " + (folder.path / "elsewhere").string()));

    spec.run.settings.erase("data_folder");
    spec.space = {choice("data_folder", {"data", "elsewhere"})};
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "space.data_folder: there is no folder"));
}

TEST_CASE("the data set may be a parameter, and digits needs no folder")
{
    const TemporaryFolder folder;
    const Variable none("SWEEPSCOPE_MNIST", nullptr);
    SweepSpec spec;
    CHECK(problems(spec, twoCores, folder.path).empty());
    spec.space = {choice("dataset", {"digits", "mnist"})};
    CHECK(saysOnly(problems(spec, twoCores, folder.path), "run.data_folder: is missing"));
    spec.run.worker = WorkerKind::Command;
    spec.run.command = {"true"};
    CHECK(problems(spec, twoCores, folder.path).empty());
}

TEST_CASE("pinned GPUs must exist, and excluding GPUs must leave enough")
{
    constexpr std::uint64_t gib = 1024ULL * 1024 * 1024;
    const TemporaryFolder folder;
    Capacity capacity{2, 8};
    capacity.gpuNames = {{0, "GPU-aaaaaaaa", "00000000:1B:00.0", "NVIDIA H200", 140 * gib},
                         {1, "GPU-bbbbbbbb", "00000000:3B:00.0", "NVIDIA A100", 40 * gib}};
    SweepSpec spec = running({"true"});
    spec.run.ranks = 2;
    CHECK(problems(spec, capacity, folder.path).empty());
    spec.devices.pin = {"H200", "7"};
    CHECK(saysOnly(problems(spec, capacity, folder.path),
                   "devices.pin: '7' matches none of this machine's GPUs: 0 (NVIDIA H200, GPU-aaaaaaaa), 1 (NVIDIA "
                   "A100, GPU-bbbbbbbb)"));
    spec.devices.pin = {};
    spec.devices.exclude = {"GPU-bbbbbb"};
    CHECK(saysOnly(problems(spec, capacity, folder.path),
                   "there is only 1 GPU of 2 allowed by devices.pin and devices.exclude, and a GPU takes one rank"));
    spec.devices.exclude = {"7"};
    CHECK(saysOnly(problems(spec, capacity, folder.path), "devices.exclude: '7' matches none of this machine's GPUs"));
    spec.devices.exclude = {};
    spec.devices.memoryBytes = 60 * gib;
    CHECK(saysOnly(problems(spec, capacity, folder.path),
                   "devices.memory: is 60 GiB, which exceeds the memory of 1 GPU"));
}

TEST_CASE("two ranks of a trial on one GPU are refused except with Gloo, because NCCL refuses them")
{
    const TemporaryFolder folder;
    SweepSpec spec = running({"true"});
    const Capacity oneGpu{1, 8};
    spec.run.ranks = 2;
    spec.devices.perGpu = 2;
    for (const char *backend : {"auto", "nccl"}) {
        spec.run.backend = backend;
        CHECK(
            saysOnly(problems(spec, oneGpu, folder.path), "ranks of one trial can share a GPU only with run.backend"));
    }
    spec.run.backend = "gloo";
    CHECK(problems(spec, oneGpu, folder.path).empty());
    spec.run.ranks = 3;
    CHECK(saysOnly(problems(spec, oneGpu, folder.path), "room for 2 ranks"));
    spec.devices.perGpu = 0;  // "auto"
    CHECK(saysOnly(problems(spec, oneGpu, folder.path), "a GPU takes one rank"));
    spec.run.ranks = 1;
    CHECK(problems(spec, oneGpu, folder.path).empty());
}

TEST_CASE("sizes are parsed with their unit, and formatted so that they can be parsed again")
{
    CHECK(parseBytes("10 GiB") == 10737418240U);
    CHECK(parseBytes("1.5MiB") == 1572864U);
    CHECK(parseBytes("500 MB") == 500000000U);
    CHECK(parseBytes("7B") == 7U);
    for (const char *wrong : {"", "10", "GiB", "-1 GiB", "10 gib", "10 GiB x", "1e300 GiB", "nan B", "99999999 TiB"})
        CHECK_MESSAGE(!parseBytes(wrong), wrong);
    for (const std::uint64_t bytes : {1ULL, 1000ULL, 1024ULL, 1536ULL, 80ULL << 30U, 123456789ULL})
        CHECK(parseBytes(bytesToText(bytes)) == bytes);
}

TEST_CASE("a built-in worker that was compiled for another PyTorch than the installed one is a problem")
{
    const TemporaryFolder folder;
    const std::filesystem::path torch = folder.path / "torch";
    const std::filesystem::path worker = folder.path / "worker/bin/sweepscope-worker";
    SweepSpec spec = running({});
    spec.run.worker = WorkerKind::Builtin;
    const std::optional<Problem> missing = missingWorker(spec, worker);
    REQUIRE(missing);
    CHECK(missing->message.find("not installed") != std::string::npos);
    folder.makeFile("worker/bin/sweepscope-worker");
    CHECK_FALSE(missingWorker(spec, worker));  // of a package, or linked to the torch of the system

    std::filesystem::create_directory(torch);
    std::ofstream(torch / "version.py") << "__all__ = []\n__version__ = '2.7.1+cpu'\ndebug = False\n";
    REQUIRE(sweepscope::torchVersion(torch) == "2.7.1+cpu");
    REQUIRE(sweepscope::recordTorch(folder.path / "worker", {"/venv/bin/python3", torch, "2.7.1+cpu"}));
    CHECK_FALSE(missingWorker(spec, worker));

    std::ofstream(torch / "version.py") << "__version__ = \"2.8.0\"\n";
    std::optional<Problem> outdated = missingWorker(spec, worker);
    REQUIRE(outdated);
    CHECK(outdated->message
          == "the built-in worker was compiled for PyTorch 2.7.1+cpu, but " + torch.string()
                 + " has 2.8.0 now: compile it again with `sweepctl worker build --python /venv/bin/python3`");
    std::filesystem::remove_all(torch);
    outdated = missingWorker(spec, worker);
    REQUIRE(outdated);
    CHECK(outdated->message.find("no longer has it") != std::string::npos);
    spec.run.worker = WorkerKind::Command;
    CHECK_FALSE(missingWorker(spec, worker));
}
