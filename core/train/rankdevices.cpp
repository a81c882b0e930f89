#include "train/rankdevices.h"

#include "train/parallel/compute.h"
#include "train/torcherror.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::int64_t givenDevices()
{
    const char *list = std::getenv("SWEEPSCOPE_DEVICES");
    if (list == nullptr || *list == '\0')
        return 0;
    const std::string text = list;
    return 1 + std::count(text.begin(), text.end(), ',');
}

std::int64_t deviceCount(const TrainSettings &settings)
{
    if (settings.parallel == "ddp")
        return 1;
    return settings.stages > 0 ? settings.stages : std::max<std::int64_t>(givenDevices(), 2);
}

}  // namespace

Expected<void> checkParallel(const TrainSettings &settings, int ranks)
{
    if (ranks == 1 || settings.parallel == "ddp" || settings.parallel == "hybrid")
        return {};
    return makeError(ErrorCode::BadInput,
                     "parallel: " + settings.parallel + " uses one process, but there are " + std::to_string(ranks)
                         + " ranks; use ranks = 1, or parallel = " + (settings.parallel == "model" ? "hybrid" : "ddp"));
}

int firstGpu(const TrainSettings &settings, const RankEnvironment &environment)
{
    if (givenDevices() > 0)
        return environment.gpu;
    return environment.gpu * static_cast<int>(deviceCount(settings));
}

Expected<torch::Device> openDevice(const TrainSettings &settings, const RankEnvironment &environment)
{
    const char *given = std::getenv("SWEEPSCOPE_DEVICES");
    const GpuInventory inventory = settings.device == "cpu" ? GpuInventory{} : lookForGpus();
    const Expected<ComputeDevice> device = chooseDevice(settings.device, given != nullptr ? given : "", inventory);
    if (!device)
        return tl::unexpected(device.error());
    if (*device == ComputeDevice::Cpu)
        return torch::Device(torch::kCPU);
    // With CUDA_VISIBLE_DEVICES narrowed to one GPU per rank, the rank uses that one.
    const int index = inventory.visible == 1 ? 0 : firstGpu(settings, environment);
    if (index >= inventory.visible)
        return makeError(ErrorCode::Unavailable, "rank " + std::to_string(environment.rank) + " would use GPU "
                                                     + std::to_string(index) + ", but it sees "
                                                     + std::to_string(inventory.visible)
                                                     + "; start fewer ranks, or use device = \"cpu\"");
    try {
        openGpu(index);
    } catch (const std::exception &error) {
        return makeError(ErrorCode::Unavailable, "device mismatch: GPU " + std::to_string(index) + " (" + gpuUuid(index)
                                                     + ") cannot be used: " + torchSentence(error.what())
                                                     + " (driver: CUDA " + cudaVersionText(inventory.driverVersion)
                                                     + ", LibTorch: CUDA " + cudaVersionText(inventory.libtorchVersion)
                                                     + ")");
    }
    return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

Expected<std::vector<torch::Device>> rankDevices(const TrainSettings &settings, torch::Device first)
{
    const std::int64_t count = deviceCount(settings);
    if (settings.parallel == "ddp")
        return std::vector<torch::Device>{first};
    if (first.is_cpu())
        return std::vector<torch::Device>(static_cast<std::size_t>(count), first);
    const auto visible = static_cast<std::int64_t>(torch::cuda::device_count());
    if (first.index() + count > visible)
        return makeError(ErrorCode::BadInput, "parallel: " + settings.parallel + " needs " + std::to_string(count)
                                                  + " GPUs for this rank, starting at GPU "
                                                  + std::to_string(first.index()) + ", but it sees "
                                                  + std::to_string(visible)
                                                  + "; increase devices.per_rank, or set stages");
    std::vector<torch::Device> devices;
    for (std::int64_t i = 0; i < count; ++i)
        devices.emplace_back(torch::kCUDA, static_cast<c10::DeviceIndex>(first.index() + i));
    return devices;
}

std::string deviceMismatch(int rank, const std::string &openedUuid, const std::string &given)
{
    constexpr std::string_view gpu = "GPU-";
    bool isGpu = false;
    for (std::size_t begin = 0; begin < given.size();) {
        const std::size_t end = std::min(given.find(',', begin), given.size());
        const std::string one = given.substr(begin, end - begin);
        if (one == openedUuid)
            return {};
        isGpu = isGpu || one.starts_with(gpu);
        begin = end + 1;
    }
    if (!isGpu || openedUuid.empty())
        return {};
    return "device mismatch: rank " + std::to_string(rank) + " computes on " + openedUuid + ", but was given " + given;
}

}  // namespace sweepscope::train
