#include "train/parallel/compute.h"

#include <doctest/doctest.h>
#include <string>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

GpuInventory usable()
{
    return {.hasCudaBuild = true, .visible = 2, .driverVersion = 13000, .libtorchVersion = 13020};
}

GpuInventory oldDriver()
{
    GpuInventory inventory{.hasCudaBuild = true, .driverVersion = 12040, .libtorchVersion = 13020};
    inventory.problem = gpuProblem(inventory, 2, {});
    return inventory;
}

GpuInventory cpuBuild()
{
    GpuInventory inventory;
    inventory.problem = gpuProblem(inventory, 2, {});
    return inventory;
}

GpuInventory noDriver()
{
    GpuInventory inventory{.hasCudaBuild = true, .libtorchVersion = 13020};
    inventory.problem = gpuProblem(inventory, 0, "there is no NVIDIA driver here");
    return inventory;
}

/// "cpu", "gpu", or the error.
std::string choice(const std::string &wanted, const std::string &given, const GpuInventory &inventory)
{
    const auto device = chooseDevice(wanted, given, inventory);
    if (!device)
        return (device.error().code == ErrorCode::Unavailable ? "unavailable: " : "unsupported: ")
               + device.error().message;
    return *device == ComputeDevice::Gpu ? "gpu" : "cpu";
}

std::string transport(const std::string &wanted, const std::vector<std::string> &gpus, bool nccl = true)
{
    const auto backend = chooseBackend(wanted, gpus, nccl);
    return backend ? toString(*backend) : backend.error().message;
}

}  // namespace

TEST_CASE("deviceIsTheGivenOneOrNone")
{
    for (const char *given : {"", "GPU-a", "GPU-a,GPU-b", "MIG-a"}) {
        CAPTURE(std::string(given));
        CHECK(choice("auto", given, usable()) == "gpu");
        CHECK(choice("cuda", given, usable()) == "gpu");
        CHECK(choice("cpu", given, usable()) == "cpu");
        CHECK(choice("cpu", given, noDriver()) == "cpu");
    }
    for (const char *given : {"", "cpu:0", "cpu:0,cpu:1"}) {
        for (const GpuInventory &inventory : {oldDriver(), cpuBuild(), noDriver()}) {
            CHECK(choice("auto", given, inventory) == "cpu");
            CHECK(choice("cuda", given, inventory).starts_with("unsupported: device: cuda needs an NVIDIA GPU, but "));
        }
    }
    for (const char *wanted : {"auto", "cuda"}) {
        CHECK(choice(wanted, "GPU-a", oldDriver())
              == "unavailable: device mismatch: this rank was given GPU-a, but cannot use it: the driver runs CUDA "
                 "12.4 at "
                 "most, and LibTorch was built with CUDA 13.2; update the driver, or install a torch for CUDA 12 "
                 "(driver: "
                 "CUDA 12.4, LibTorch: CUDA 13.2); set device = \"cpu\" to train on the CPU all the same");
        CHECK(choice(wanted, "MIG-a", cpuBuild())
                  .starts_with(
                      "unavailable: device mismatch: this rank was given MIG-a, but cannot use it: this worker was "
                      "built with a LibTorch without CUDA"));
        CHECK(choice(wanted, "GPU-a", noDriver()).find("there is no NVIDIA driver here") != std::string::npos);
    }
}

TEST_CASE("gpuProblemsAreNamed")
{
    CHECK(gpuProblem(usable(), 2, {}).empty());
    CHECK(gpuProblem({.hasCudaBuild = true, .driverVersion = 13000, .libtorchVersion = 13020}, 0, {})
          == "the driver shows no GPU (CUDA_ERROR_NO_DEVICE)");
    // A driver of the same major version is new enough.
    CHECK(gpuProblem({.hasCudaBuild = true, .driverVersion = 13000, .libtorchVersion = 13020}, 1, {})
          == "the driver shows 1, but LibTorch can use none");
    CHECK(fitsOnGpu(25, 100));
    CHECK_FALSE(fitsOnGpu(26, 100));
    CHECK_FALSE(fitsOnGpu(1, 0));
    CHECK(cudaVersionText(12040) == "12.4");
    CHECK(cudaVersionText(13000) == "13.0");
}

TEST_CASE("transportFollowsTheDevicesOfAllRanks")
{
    CHECK(transport("auto", {"", ""}) == "gloo");
    CHECK(transport("gloo", {"", ""}) == "gloo");
    CHECK(transport("nccl", {"", ""}).find("rank 0 computes on the CPU") != std::string::npos);
    CHECK(transport("nccl", {""}).find("rank 0 computes on the CPU") != std::string::npos);

    CHECK(transport("auto", {"GPU-a of x", "GPU-b of x"}) == "nccl");
    CHECK(transport("nccl", {"GPU-a of x", "GPU-b of x"}) == "nccl");
    CHECK(transport("gloo", {"GPU-a of x", "GPU-b of x"}) == "gloo");
    CHECK(transport("auto", {"GPU-a of x", "GPU-b of x"}, false) == "gloo");
    CHECK(transport("nccl", {"GPU-a of x", "GPU-b of x"}, false).find("was built without NCCL") != std::string::npos);

    CHECK(transport("auto", {"GPU-a of x", "GPU-b of x", "GPU-a of x"}) == "gloo");
    CHECK(transport("nccl", {"GPU-a of x", "GPU-b of x", "GPU-a of x"})
          == "backend: nccl cannot be used, because ranks 0 and 2 would use the same GPU, and NCCL needs one for each "
             "rank; "
             "use gloo or auto");
    CHECK(transport("auto", {"MIG-a of x"}) == "nccl");
    CHECK(transport("auto", {"MIG-a of x", "MIG-b of x"}) == "gloo");
    CHECK(transport("nccl", {"MIG-a of x", "MIG-b of x"}).find("rank 0 has a MIG instance") != std::string::npos);

    for (const char *wanted : {"auto", "gloo", "nccl"})
        CHECK(transport(wanted, {"GPU-a of x", ""})
              == "rank 1 computes on the CPU, rank 0 on a GPU: all ranks must use the same kind of device");
}
