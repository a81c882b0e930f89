#include "sweep/machinecheck.h"

#include "base/builtworker.h"
#include "base/installation.h"
#include "base/suggestion.h"
#include "data/mnistfiles.h"
#include "sweep/bytesize.h"
#include "sweep/command.h"
#include "sweep/deviceplace.h"
#include "sweep/keys.h"
#include "sweep/launchpreparation.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::sweep {

namespace {

namespace fs = std::filesystem;
using Problems = std::vector<Problem>;

bool isFolder(const fs::path &path)
{
    std::error_code error;
    return fs::is_directory(path, error);
}

bool isFile(const fs::path &path)
{
    std::error_code error;
    return fs::is_regular_file(path, error);
}

bool isProgram(const fs::path &path)
{
    return isFile(path) && ::access(path.c_str(), X_OK) == 0;
}

std::string ownPath()
{
    const char *path = std::getenv("PATH");
    return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

/// What the ranks' PATH will be: the sweep may set its own.
std::string pathOfRanks(const SweepSpec &spec)
{
    const auto own = spec.run.environment.find("PATH");
    return own != spec.run.environment.end() ? own->second : ownPath();
}

/// A command of the sweep: the key that has it, and where it will run.
struct Start {
    const char *field;
    std::string path;
    const fs::path &folder;
};

bool isInSearchPath(const std::string &program, const std::string &path, const fs::path &workingFolder)
{
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path folder = path.substr(begin, end - begin);
        if (isProgram(workingFolder / folder / program))
            return true;
        begin = end + 1;
    }
    return false;
}

void checkProgram(const Start &start, const std::string &program, Problems &problems)
{
    if (program.find('/') == std::string::npos) {
        if (!isInSearchPath(program, start.path, start.folder))
            problems.push_back(
                {start.field, "there is no program '" + program
                                  + "' in PATH: install it, correct the name, or write its path (for one "
                                    "in the sweep's folder, ./"
                                  + program + ")"});
        return;
    }
    const fs::path path = start.folder / program;
    if (!isFile(path))
        problems.push_back({start.field, "there is no program " + path.lexically_normal().string()
                                             + ": correct the path; a relative path starts in "
                                             + start.folder.string()});
    else if (!isProgram(path))
        problems.push_back({start.field, path.lexically_normal().string()
                                             + " is not executable: run chmod +x, or put its interpreter first"});
}

/// A script named to an interpreter, as in python3 -u train.py. Only what is surely a file is looked at.
void checkScript(const Start &start, const std::vector<std::string> &argv, Problems &problems)
{
    const std::string interpreter = fs::path(argv.front()).filename().string();
    const std::array<std::string_view, 3> interpreters{"python", "bash", "sh"};
    const auto runs = [&interpreter](std::string_view name) { return interpreter.rfind(name, 0) == 0; };
    if (std::none_of(interpreters.begin(), interpreters.end(), runs))
        return;
    for (std::size_t i = 1; i < argv.size(); ++i) {
        const std::string &argument = argv[i];
        if (argument == "-m" || argument == "-c")
            return;
        if (argument.empty() || argument.front() == '-')
            continue;
        const std::string extension = fs::path(argument).extension().string();
        if ((extension == ".py" || extension == ".sh") && !isFile(start.folder / argument))
            problems.push_back({start.field, "there is no file " + (start.folder / argument).lexically_normal().string()
                                                 + ": correct the path; a relative path starts in "
                                                 + start.folder.string()});
        return;
    }
}

void checkCommand(const SweepSpec &spec, const fs::path &workingFolder, Problems &problems)
{
    std::vector<std::string> argv;
    for (const std::string &argument : spec.run.command) {
        const auto names = placeholders(argument);
        if (!names || !names->empty())
            break;  // known for each trial only
        argv.push_back(argument);
    }
    if (argv.empty() || argv.front().empty())
        return;
    const Start start{"run.command", pathOfRanks(spec), workingFolder};
    checkProgram(start, argv.front(), problems);
    checkScript(start, argv, problems);
}

/// Of a program that chooses points or prunes.
void checkOutsideCommand(const char *key, const std::vector<std::string> &command, const fs::path &baseFolder,
                         Problems &problems)
{
    if (command.empty())
        return;
    const Start start{key, ownPath(), baseFolder};
    checkProgram(start, command.front(), problems);
    checkScript(start, command, problems);
}

std::string filesOf(const FolderDataset &dataset)
{
    if (dataset.name == "cifar10")
        return "the six binary files of CIFAR-10";
    return std::string("the four IDX files of ") + (dataset.name == "mnist" ? "MNIST" : "Fashion-MNIST");
}

void checkFolder(const FolderDataset &dataset, fs::path folder, const std::string &field, Problems &problems)
{
    if (!isFolder(folder)) {
        problems.push_back({field, "there is no folder " + folder.lexically_normal().string() + ": use the folder with "
                                       + filesOf(dataset)});
        return;
    }
    if (dataset.name != "cifar10") {
        for (std::string &problem : data::mnistProblems(folder))
            problems.push_back({field, std::move(problem)});
        return;
    }
    if (isFolder(folder / "cifar-10-batches-bin"))
        folder /= "cifar-10-batches-bin";
    std::string missing;
    for (const std::string &name : dataset.files) {
        if (!isFile(folder / name) && !isFile(folder / (name + ".gz")))
            missing += (missing.empty() ? "" : ", ") + name;
    }
    if (!missing.empty())
        problems.push_back({field, folder.lexically_normal().string() + " lacks " + missing
                                       + " (plain, or with .gz): put " + filesOf(dataset) + " there"});
}

void checkDataFolder(const SweepSpec &spec, const FolderDataset &dataset, const fs::path &baseFolder,
                     Problems &problems)
{
    for (const Dimension &dimension : spec.space) {
        if (dimension.name != "data_folder")
            continue;
        for (const ParameterValue &value : dimension.values)
            checkFolder(dataset, baseFolder / toText(value), "space.data_folder", problems);
        return;
    }
    const fs::path named = dataFolder(spec, dataset);
    if (named.empty())
        problems.push_back({"run.data_folder", "is missing: set the folder with " + filesOf(dataset)
                                                   + " here or in the environment variable " + dataset.variable});
    else
        checkFolder(dataset, baseFolder / named, "run.data_folder", problems);
}

std::string noFile(const fs::path &baseFolder, const std::string &path)
{
    const fs::path file = (baseFolder / path).lexically_normal();
    if (isFolder(file))
        return file.string() + " is a folder; name a file";
    return "there is no file " + file.string() + ": correct the path; a relative path starts in " + baseFolder.string();
}

/// Files that fixed settings name.
void checkNamedFiles(const SweepSpec &spec, const fs::path &baseFolder, Problems &problems)
{
    const std::string &environment = spec.run.environmentFile;
    if (!environment.empty() && !isFile(baseFolder / environment))
        problems.push_back({"run.environment_file", noFile(baseFolder, environment)});
    if (spec.run.worker != WorkerKind::Builtin)
        return;
    for (const auto &[name, value] : spec.run.settings) {
        const auto *text = std::get_if<std::string>(&value);
        if (name == "data_folder" || !isPathSetting(name) || text == nullptr || text->empty())
            continue;
        if (!isFile(baseFolder / *text))
            problems.push_back({"run." + name, noFile(baseFolder, *text)});
    }
}

/// The most ranks that one trial has.
int mostRanks(const SweepSpec &spec)
{
    const auto named = std::find_if(spec.space.begin(), spec.space.end(),
                                    [](const Dimension &dimension) { return dimension.name == "ranks"; });
    if (named == spec.space.end())
        return spec.run.ranks;
    int most = 0;
    constexpr std::size_t mostDrawn = 10'000;
    if (const auto plans = typicalTrials(spec, mostDrawn)) {
        for (const TrialPlan &plan : *plans)
            most = std::max(most, plan.ranks);
    }
    return most;
}

std::string count(std::int64_t number, const std::string &what)
{
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string gpusInWords(const std::vector<GpuIdentity> &gpus)
{
    std::string words;
    for (const GpuIdentity &gpu : gpus)
        words += (words.empty() ? "" : ", ") + std::to_string(gpu.index) + " (" + gpu.name + ", " + gpu.id + ")";
    return words;
}

/// `demand`: the field that says how many are needed, and how many those are in words.
void checkGpus(const SweepSpec &spec, const Capacity &capacity, std::int64_t needed, const Problem &demand,
               Problems &problems)
{
    const DevicesSection &devices = spec.devices;
    const std::size_t known = problems.size();
    for (const auto &[field, entries] :
         {std::pair("devices.pin", &devices.pin), std::pair("devices.exclude", &devices.exclude)}) {
        for (const std::string &entry : *entries) {
            const auto names = [&entry](const GpuIdentity &gpu) { return namesGpu(entry, gpu); };
            if (!capacity.gpuNames.empty() && std::ranges::none_of(capacity.gpuNames, names))
                problems.push_back(
                    {field, "'" + entry + "' matches none of this machine's GPUs: " + gpusInWords(capacity.gpuNames)});
        }
    }
    if (problems.size() > known)
        return;
    const bool ranksShare = ranksMayShareGpu(spec);
    std::int64_t there = capacity.gpuNames.empty() ? capacity.gpus : 0;
    std::int64_t places = there * (ranksShare ? devices.perGpu : 1);
    std::int64_t tooSmall = 0;
    for (const GpuIdentity &gpu : capacity.gpuNames) {
        if (!mayHaveGpu(devices.pin, devices.exclude, gpu))
            continue;
        ++there;
        const bool isCounted = devices.memoryBytes > 0 && gpu.memoryBytes > 0;
        const auto byMemory = isCounted ? static_cast<std::int64_t>(gpu.memoryBytes / devices.memoryBytes)
                                        : std::max<std::int64_t>(1, devices.perGpu);
        tooSmall += byMemory == 0 ? 1 : 0;
        places += std::min<std::int64_t>(byMemory, ranksShare ? devices.perGpu : 1);
    }
    if (needed <= places)
        return;
    if (tooSmall > 0 && needed <= places + tooSmall) {
        problems.push_back({"devices.memory", "is " + bytesToText(devices.memoryBytes)
                                                  + ", which exceeds the memory of " + count(tooSmall, "GPU") + "; "
                                                  + demand.message});
        return;
    }
    std::string message =
        demand.message + ", but there " + (there == 1 ? "is only " : "are only ") + count(there, "GPU");
    if (there < capacity.gpus)
        message += " of " + std::to_string(capacity.gpus) + " allowed by devices.pin and devices.exclude";
    if (devices.perGpu > 1 && !ranksShare)
        message += ", and ranks of one trial can share a GPU only with run.backend = \"gloo\" and devices.per_rank = 1";
    else if (devices.perGpu <= 1)
        message += ", and a GPU takes one rank: use fewer ranks, or devices.kind = \"cpu\"";
    else
        message += " with room for " + count(places, "rank") + ": use fewer ranks, or a larger devices.per_gpu";
    problems.push_back({demand.field, std::move(message)});
}

bool isCluster(const Capacity &capacity, const std::string &machine)
{
    return std::ranges::find(capacity.clusters, machine) != capacity.clusters.end();
}

/// Only a cluster has several nodes.
void checkNodes(const DevicesSection &devices, const Capacity &capacity, Problems &problems)
{
    std::set<std::string> machines(devices.machines.begin(), devices.machines.end());
    if (machines.empty())
        machines.insert(thisMachine);
    const bool suffice =
        static_cast<int>(machines.size()) >= devices.nodes || machines.contains(allMachines)
        || std::ranges::any_of(machines, [&](const std::string &name) { return isCluster(capacity, name); });
    if (!suffice)
        problems.push_back({"devices.nodes", "needs " + std::to_string(devices.nodes)
                                                 + " machines, or a Slurm cluster: devices.machines names too few"});
}

void checkDevices(const SweepSpec &spec, const Capacity &capacity, Problems &problems)
{
    const bool noGpu = capacity.gpus == 0;
    if (spec.devices.kind == DeviceKind::Gpu && noGpu) {
        problems.push_back({"devices.kind", "is gpu, but no GPU was found: use kind = \"cpu\" or \"auto\"; `sweepctl "
                                            "devices` shows what was found and why"});
        return;
    }
    if (spec.run.backend == "nccl" && noGpu) {
        problems.push_back(
            {"run.backend", "is nccl, which needs GPUs, but no GPU was found: use \"gloo\" or \"auto\""});
        return;
    }
    const int ranks = mostRanks(spec);
    const std::int64_t needed = std::int64_t{ranks} * spec.devices.perRank;
    const std::string field = ranks == spec.run.ranks ? "run.ranks" : "space.ranks";
    std::string need = "a trial needs " + count(ranks, "rank");
    if (spec.devices.perRank > 1)
        need += " with " + std::to_string(spec.devices.perRank) + " devices each";
    if (spec.devices.kind == DeviceKind::Gpu || (spec.devices.kind == DeviceKind::Auto && !noGpu)) {
        checkGpus(spec, capacity, needed, {field, need}, problems);
        return;
    }
    const int slots = spec.devices.cpuSlots > 0 ? spec.devices.cpuSlots : capacity.cpuCores;
    if (needed > slots)
        problems.push_back({field, need + ", but there " + (slots == 1 ? "is only " : "are only ")
                                       + count(slots, "CPU slot") + (spec.devices.cpuSlots > 0 ? "" : " (one per core)")
                                       + ": use fewer ranks, or let ranks share cores with devices.cpu_slots = "
                                       + std::to_string(needed)});
}

/// Energy is measured of whole GPUs whose engine or node process starts the ranks.
void checkEnergyBudget(const SweepSpec &spec, const Capacity &capacity, Problems &problems)
{
    if (!spec.budget || !spec.budget->kilowattHours)
        return;
    const DevicesSection &devices = spec.devices;
    const bool isHere = !usesOtherMachines(devices);
    const auto isJob = [&capacity](const std::string &name) { return isCluster(capacity, name); };
    const auto isPartOfGpu = [&devices](const GpuIdentity &gpu) {
        return gpu.id.starts_with("MIG-") || !mayHaveGpu(devices.pin, devices.exclude, gpu);
    };
    std::string trials;
    if (isHere ? isJob(thisMachine) : std::ranges::all_of(devices.machines, isJob))
        trials = "Slurm jobs";
    else if (devices.kind == DeviceKind::Cpu || (isHere && capacity.gpus == 0))
        trials = "trials on CPUs";
    else if (isHere && !capacity.gpuNames.empty() && std::ranges::all_of(capacity.gpuNames, isPartOfGpu))
        trials = "trials on MIG instances";
    if (!trials.empty())
        problems.push_back({"budget.energy_kwh", "would never end the sweep, because the energy of " + trials
                                                     + " is not measured: use budget.device_time"});
}

}  // namespace

std::vector<Problem> checkMachine(const SweepSpec &spec, const Capacity &capacity,
                                  const std::filesystem::path &baseFolder)
{
    Problems problems;
    const fs::path workingFolder = spec.run.workingFolder.empty() ? baseFolder : baseFolder / spec.run.workingFolder;
    if (spec.run.worker == WorkerKind::Command && spec.run.workingFolder.find('{') != std::string::npos) {
        // Each trial has its own: the start of a rank says when it is not there.
    } else if (!isFolder(workingFolder)) {
        problems.push_back({"run.working_folder", "there is no folder " + workingFolder.lexically_normal().string()
                                                      + ": create it, or correct the path"});
    } else if (spec.run.worker == WorkerKind::Command && usesThisMachine(spec.devices)) {
        checkCommand(spec, workingFolder, problems);
    }
    if (spec.method == SearchMethod::Command)
        checkOutsideCommand("search.command", spec.searchCommand, baseFolder, problems);
    if (spec.prune && spec.prune->method == PruneMethod::Command)
        checkOutsideCommand("prune.command", spec.prune->command, baseFolder, problems);
    for (const FolderDataset &dataset : folderDatasets(spec))
        checkDataFolder(spec, dataset, baseFolder, problems);
    checkNamedFiles(spec, baseFolder, problems);
    checkNodes(spec.devices, capacity, problems);
    if (!usesOtherMachines(spec.devices)
        && !isCluster(capacity, thisMachine))  // else the scheduler knows what each machine has
        checkDevices(spec, capacity, problems);
    if (problems.empty())
        checkEnergyBudget(spec, capacity, problems);
    return problems;
}

std::vector<Problem> unknownMachines(const DevicesSection &devices, const std::vector<std::string> &known)
{
    std::vector<Problem> problems;
    for (const std::string &name : devices.machines) {
        if (name != thisMachine && name != allMachines && std::ranges::find(known, name) == known.end())
            problems.push_back({"devices.machines", "the workspace has no machine '" + name + "'"
                                                        + suggestion(name, known)
                                                        + "; `sweepctl machine add` adds one"});
    }
    return problems;
}

namespace {

/// A worker that the user compiled, if its PyTorch was upgraded or removed since.
std::optional<Problem> outdatedWorker(const std::filesystem::path &worker)
{
    const std::optional<InstalledTorch> torch = recordedTorch(worker);
    if (!torch)
        return std::nullopt;
    const std::string version = torchVersion(torch->folder);
    if (version == torch->version)
        return std::nullopt;
    const std::string now = version.empty() ? torch->folder.string()
                                                  + " no longer has it: compile it again for another one with "
                                                    "`sweepctl worker build --python PYTHON`"
                                            : torch->folder.string() + " has " + version
                                                  + " now: compile it again with `sweepctl worker build --python "
                                                  + torch->python + "`";
    return Problem{"run.worker", "the built-in worker was compiled for PyTorch " + torch->version + ", but " + now};
}

}  // namespace

std::optional<Problem> missingWorker(const SweepSpec &spec, const std::filesystem::path &worker)
{
    if (spec.run.worker != WorkerKind::Builtin)
        return std::nullopt;
    std::error_code error;
    if (std::filesystem::exists(worker, error))
        return outdatedWorker(worker);
    const std::string remedy =
        std::filesystem::exists(workerSources(), error)
            ? ": compile it with `sweepctl worker build`, or set run.command to a script of yours"
            : " (" + worker.string()
                  + "), because it needs PyTorch's library: set run.command to a script of yours, or build Sweepscope "
                    "with LibTorch";
    return Problem{"run.worker", "the built-in worker is not installed" + remedy + ". An example without it: "
                                     + (shareFolder() / "examples/printed.toml").string()};
}

}  // namespace sweepscope::sweep
