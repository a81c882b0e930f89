#include "train/rankdevices.h"

#include <doctest/doctest.h>

using namespace sweepscope::train;

TEST_CASE("a rank on a GPU that is not its own is told with both")
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
