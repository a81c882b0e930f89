#include "parsedsettings.h"
#include "train/rankdevices.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace sweepscope::train;

namespace {

/// Sets the rank's devices for its lifetime.
class Given {
public:
    explicit Given(const char *devices) { setenv("SWEEPSCOPE_DEVICES", devices, 1); }
    ~Given() { unsetenv("SWEEPSCOPE_DEVICES"); }
    Given(const Given &) = delete;
    Given &operator=(const Given &) = delete;
};

}  // namespace

TEST_CASE("the number of a rank's logical devices is that of its assigned GPUs, or from the settings")
{
    const auto count = [](const std::vector<std::string> &assignments) {
        return rankDevices(settings(assignments), torch::kCPU)->size();
    };
    CHECK(count({"parallel=model"}) == 2);
    CHECK(count({"parallel=ddp", "stages=3"}) == 1);
    CHECK(count({"parallel=hybrid", "stages=3"}) == 3);
    const Given given("cpu-4,cpu-5,cpu-6,cpu-7");
    CHECK(count({"parallel=data_parallel"}) == 4);
    CHECK(count({"parallel=data_parallel", "stages=3"}) == 3);
    CHECK(count({"parallel=ddp"}) == 1);
}

TEST_CASE("ranks with several GPUs each do not share one if no GPUs were assigned")
{
    RankEnvironment environment;
    environment.gpu = 2;  // torchrun's LOCAL_RANK
    CHECK(firstGpu(settings({"parallel=ddp"}), environment) == 2);
    CHECK(firstGpu(settings({"parallel=hybrid", "stages=3"}), environment) == 6);
    CHECK(firstGpu(settings({"parallel=hybrid"}), environment) == 4);
    const Given given("GPU-a,GPU-b");
    CHECK(firstGpu(settings({"parallel=hybrid"}), environment) == 2);
}

TEST_CASE("a rank on a GPU that was not assigned is reported with both GPUs")
{
    CHECK(deviceMismatch(1, "GPU-b", "GPU-a") == "device mismatch: rank 1 computes on GPU-b, but was given GPU-a");
    CHECK(deviceMismatch(0, "GPU-b", "GPU-a,GPU-c").ends_with("given GPU-a,GPU-c"));
    CHECK(deviceMismatch(0, "GPU-b", "GPU-a,GPU-b").empty());
    CHECK(deviceMismatch(0, "GPU-b", "GPU-bb") != "");
    CHECK(deviceMismatch(0, "GPU-b", "").empty());
    CHECK(deviceMismatch(0, "GPU-b", "cpu:0").empty());
    CHECK(deviceMismatch(0, "GPU-b", "MIG-a").empty());
    CHECK(deviceMismatch(0, "", "GPU-a").empty());
}
