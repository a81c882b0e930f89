#include "launch/rankenvironment.h"

#include <algorithm>
#include <cstdlib>

namespace sweepscope::launch {

namespace {

constexpr const char *cpuPrefix = "cpu:";

std::string join(const std::vector<std::string> &texts)
{
    std::string joined;
    for (const std::string &text : texts)
        joined += (joined.empty() ? "" : ",") + text;
    return joined;
}

/// Lists all GPUs of the attempt, in the order of its ranks: a script selects its own by LOCAL_RANK, as under torchrun.
/// Each is listed once, because CUDA shows no device at all if one is repeated. Of MIG instances a process can use one
/// alone, so a rank sees its own.
std::vector<std::string> visibleGpus(const LaunchSpec &spec, std::size_t ownRank)
{
    std::vector<std::string> gpus;
    for (std::size_t rank = 0; rank < spec.devices.size(); ++rank) {
        for (const std::string &id : spec.devices[rank]) {
            const bool isOthersInstance = rank != ownRank && id.starts_with("MIG-");
            if (!id.starts_with(cpuPrefix) && !isOthersInstance
                && std::find(gpus.begin(), gpus.end(), id) == gpus.end())
                gpus.push_back(id);
        }
    }
    return gpus;
}

/// The user's setting wins, in the sweep file or in the shell that started Sweepscope.
void setUnlessGiven(std::map<std::string, std::string> &environment, const std::string &name, const std::string &value)
{
    if (std::getenv(name.c_str()) == nullptr)
        environment.emplace(name, value);
}

/// What helps to find out why collectives hang: NCCL's warnings in the log, and PyTorch's flight recorder, which keeps
/// the last collectives and writes them into the attempt's folder on a timeout. Its variables were renamed.
void setForDiagnosis(std::map<std::string, std::string> &environment, const std::filesystem::path &attemptFolder)
{
    const std::string dumps = (attemptFolder / "nccl-trace-rank-").string();
    setUnlessGiven(environment, "NCCL_DEBUG", "WARN");
    for (const char *size : {"TORCH_NCCL_TRACE_BUFFER_SIZE", "TORCH_FR_BUFFER_SIZE"})
        setUnlessGiven(environment, size, "2000");
    for (const char *onTimeout : {"TORCH_NCCL_DUMP_ON_TIMEOUT", "TORCH_FR_DUMP_ON_TIMEOUT"})
        setUnlessGiven(environment, onTimeout, "1");
    for (const char *place : {"TORCH_NCCL_DEBUG_INFO_TEMP_FILE", "TORCH_FR_DUMP_TEMP_FILE"})
        setUnlessGiven(environment, place, dumps);
}

void setTorchrunVariables(std::map<std::string, std::string> &environment, const LaunchSpec &spec, int rank,
                          int masterPort)
{
    environment["RANK"] = environment["ROLE_RANK"] = std::to_string(rank);
    environment["LOCAL_RANK"] = std::to_string(spec.indexOf(rank));
    environment["WORLD_SIZE"] = environment["ROLE_WORLD_SIZE"] = std::to_string(spec.worldSize());
    environment["LOCAL_WORLD_SIZE"] = std::to_string(spec.ranks);
    environment["GROUP_RANK"] = std::to_string(spec.node ? spec.node->index : 0);
    environment["GROUP_WORLD_SIZE"] = std::to_string(spec.node ? spec.node->count : 1);
    environment["ROLE_NAME"] = "default";
    environment["MASTER_ADDR"] = spec.node ? spec.node->masterAddress : "127.0.0.1";
    environment["MASTER_PORT"] = std::to_string(masterPort);
    environment["TORCHELASTIC_RUN_ID"] = spec.attemptId;
    environment["TORCHELASTIC_RESTART_COUNT"] = "0";  // a retry is a new attempt with a new run id
    environment["TORCHELASTIC_MAX_RESTARTS"] = "0";
    environment["TORCHELASTIC_USE_AGENT_STORE"] = "False";  // rank 0 serves the store itself
    setUnlessGiven(environment, "TORCH_NCCL_ASYNC_ERROR_HANDLING", "1");
}

/// The folder that watches scripts comes first: Python imports the first sitecustomize that it finds.
std::string pythonPath(const LaunchSpec &spec, int rank)
{
    const auto given = spec.environment.find("PYTHONPATH");
    const char *inherited = std::getenv("PYTHONPATH");
    std::string path = given != spec.environment.end() ? given->second : inherited != nullptr ? inherited : "";
    if (spec.pythonPath.empty())
        return path;
    path += (path.empty() ? "" : ":") + spec.pythonPath;
    return spec.watch && !spec.readsOutputOf(rank) ? spec.pythonPath + "/watch:" + path : path;
}

}  // namespace

std::filesystem::path rankErrorFile(const std::filesystem::path &attemptFolder, int rank)
{
    return attemptFolder / ("rank-" + std::to_string(rank) + ".error.json");
}

std::map<std::string, std::string> rankEnvironment(const LaunchSpec &spec, int rank, int masterPort,
                                                   const std::filesystem::path &ringPath,
                                                   const std::filesystem::path &attemptFolder)
{
    std::map<std::string, std::string> environment = spec.environment;
    // Many scripts for one process switch to distributed training when they find torchrun's variables.
    if (spec.worldSize() > 1 || spec.distributed)
        setTorchrunVariables(environment, spec, rank, masterPort);
    environment["TORCHELASTIC_ERROR_FILE"] = rankErrorFile(attemptFolder, rank).string();
    setUnlessGiven(environment, "OMP_NUM_THREADS", std::to_string(spec.ompThreads));
    setUnlessGiven(environment, "PYTHONUNBUFFERED", "1");  // so that output reaches the log immediately

    environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
    const std::vector<std::string> gpus = visibleGpus(spec, spec.indexOf(rank));
    environment["CUDA_VISIBLE_DEVICES"] = join(gpus);
    if (const char *inherited = std::getenv("CUDA_VISIBLE_DEVICES"); spec.gpusOfJob && inherited != nullptr)
        environment["CUDA_VISIBLE_DEVICES"] = inherited;
    if (spec.worldSize() > 1 && !environment["CUDA_VISIBLE_DEVICES"].empty())
        setForDiagnosis(environment, attemptFolder);

    if (spec.readsOutputOf(rank))
        environment["SWEEPSCOPE_RING"] = "";  // a ring has a single writer: here the agent
    else
        environment["SWEEPSCOPE_RING"] = ringPath.string();
    environment["SWEEPSCOPE_ATTEMPT_ID"] = spec.attemptId;
    environment["SWEEPSCOPE_ATTEMPT_FOLDER"] = attemptFolder.string();
    environment["SWEEPSCOPE_TRIAL"] = std::to_string(spec.trial);
    const std::size_t index = spec.indexOf(rank);
    environment["SWEEPSCOPE_DEVICES"] = index < spec.devices.size() ? join(spec.devices[index]) : std::string();
    if (const std::string path = pythonPath(spec, rank); !path.empty())
        environment["PYTHONPATH"] = path;
    return environment;
}

}  // namespace sweepscope::launch
