#include "train/parallel/gpu.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <array>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdlib>
#include <dlfcn.h>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// CUDA's driver API, which keeps its binary interface (docs.nvidia.com/cuda/cuda-driver-api). The library belongs to
/// the driver, and is never closed: LibTorch uses it, too.
class Driver {
public:
    Driver() : m_library(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    {
        if (m_library == nullptr) {
            m_error = "there is no NVIDIA driver here (libcuda.so.1 cannot be loaded)";
            return;
        }
        const int status = call("cuInit", 0U);
        if (status != 0)
            m_error = "cuInit: " + nameOf(status);
    }

    const std::string &error() const { return m_error; }

    int version() const
    {
        int version = 0;
        return call("cuDriverGetVersion", &version) == 0 ? version : 0;
    }

    int count() const
    {
        int count = 0;
        return m_error.empty() && call("cuDeviceGetCount", &count) == 0 ? count : 0;
    }

    /// The 16 bytes that identify a GPU, or an instance of one.
    bool identify(int index, std::array<unsigned char, 16> &uuid) const
    {
        int device = 0;
        return m_error.empty() && call("cuDeviceGet", &device, index) == 0
               && (call("cuDeviceGetUuid_v2", uuid.data(), device) == 0
                   || call("cuDeviceGetUuid", uuid.data(), device) == 0);
    }

    std::uint64_t freeMemory() const
    {
        std::size_t free = 0;
        std::size_t total = 0;
        return m_error.empty() && call("cuMemGetInfo_v2", &free, &total) == 0 ? free : 0;
    }

private:
    static constexpr int notFound = -1;

    template <typename... Arguments>
    int call(const char *name, Arguments... arguments) const
    {
        void *symbol = m_library != nullptr ? dlsym(m_library, name) : nullptr;
        return symbol != nullptr ? reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...) : notFound;
    }

    std::string nameOf(int status) const
    {
        const char *name = nullptr;
        const bool isKnown = call("cuGetErrorName", status, &name) == 0 && name != nullptr;
        return isKnown ? name : "error " + std::to_string(status);
    }

    void *m_library;
    std::string m_error;
};

const Driver &driver()
{
    static const Driver theDriver;
    return theDriver;
}

}  // namespace

std::string cudaVersionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string gpuProblem(const GpuInventory &inventory, int seenByDriver, const std::string &driverError)
{
    if (inventory.visible > 0)
        return {};
    if (!inventory.hasCudaBuild)
        return "this worker was built with a LibTorch without CUDA";
    if (!driverError.empty())
        return driverError;
    if (seenByDriver == 0)
        return "the driver shows no GPU (CUDA_ERROR_NO_DEVICE)";
    // Minor versions of one major version are compatible.
    if (inventory.driverVersion / 1000 < inventory.libtorchVersion / 1000)
        return "the driver runs CUDA " + cudaVersionText(inventory.driverVersion)
               + " at most, and LibTorch was built with CUDA " + cudaVersionText(inventory.libtorchVersion)
               + "; update the driver, or install a torch for CUDA " + std::to_string(inventory.driverVersion / 1000);
    return "the driver shows " + std::to_string(seenByDriver) + ", but LibTorch can use none";
}

GpuInventory lookForGpus()
{
    GpuInventory inventory;
    inventory.hasCudaBuild = at::detail::getCUDAHooks().hasCUDART();
    const char *narrowed = std::getenv("CUDA_VISIBLE_DEVICES");
    const bool isHidden = narrowed != nullptr && *narrowed == '\0';
    if (inventory.hasCudaBuild && !isHidden) {
        inventory.driverVersion = driver().version();
        inventory.libtorchVersion = static_cast<int>(at::detail::getCUDAHooks().versionCUDART());
        inventory.visible = static_cast<int>(torch::cuda::device_count());
    }
    if (inventory.hasCudaBuild && isHidden)
        inventory.problem = "CUDA_VISIBLE_DEVICES is empty";
    else
        inventory.problem = gpuProblem(inventory, inventory.hasCudaBuild ? driver().count() : 0,
                                       inventory.hasCudaBuild ? driver().error() : std::string());
    return inventory;
}

std::string gpuUuid(int index)
{
    std::array<unsigned char, 16> bytes{};
    if (!driver().identify(index, bytes))
        return {};
    const char *own = std::getenv("CUDA_VISIBLE_DEVICES");
    std::string text = own != nullptr && std::string(own).starts_with("MIG-") ? "MIG-" : "GPU-";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        constexpr const char *digits = "0123456789abcdef";
        const bool isBoundary = i == 4 || i == 6 || i == 8 || i == 10;
        text += (isBoundary ? "-" : "") + std::string{digits[bytes[i] >> 4U], digits[bytes[i] & 15U]};
    }
    return text;
}

std::uint64_t freeGpuMemory()
{
    return driver().freeMemory();
}

bool fitsOnGpu(std::uint64_t bytes, std::uint64_t freeBytes)
{
    return bytes <= freeBytes / 4;
}

void openGpu(int index)
{
    const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
    c10::impl::VirtualGuardImpl(torch::kCUDA).setDevice(device);
    const auto sum = torch::ones({2}, device).sum().item<float>();
    TORCH_CHECK(sum == 2, "GPU ", index, " added 1 and 1 to ", sum);
}

}  // namespace sweepscope::train
