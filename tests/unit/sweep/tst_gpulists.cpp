#include "sweep/gpulists.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope::sweep;

namespace {

using Names = std::vector<std::string>;

const std::vector<GpuIdentity> machine{{0, "GPU-00cafe", "00000000:1B:00.0", "NVIDIA H200"},
                                       {1, "GPU-11cafe", "00000000:2B:00.0", "NVIDIA A100"},
                                       {2, "GPU-22cafe", "00000000:3B:00.0", "NVIDIA H200"}};

DevicesSection lists(Names pin, Names exclude)
{
    DevicesSection devices;
    devices.pin = std::move(pin);
    devices.exclude = std::move(exclude);
    return devices;
}

DevicesSection changed(const DevicesSection &devices, GpuListChange change, std::size_t gpu)
{
    return withChange(devices, change, machine[gpu], machine);
}

}  // namespace

TEST_CASE("lists determine whether a sweep may use a GPU, and the reason if not")
{
    CHECK(gpuRule(lists({}, {}), machine[0]) == GpuRule::None);
    CHECK(gpuRule(lists({}, {"0"}), machine[0]) == GpuRule::Excluded);
    CHECK(gpuRule(lists({}, {"0"}), machine[1]) == GpuRule::None);
    CHECK(gpuRule(lists({"H200"}, {}), machine[2]) == GpuRule::Pinned);
    CHECK(gpuRule(lists({"H200"}, {}), machine[1]) == GpuRule::NotPinned);
    CHECK(gpuRule(lists({"H200"}, {"2"}), machine[2]) == GpuRule::Excluded);
}

TEST_CASE("a GPU is excluded by its UUID, once, and included again")
{
    const DevicesSection once = changed(lists({}, {"1"}), GpuListChange::Exclude, 0);
    CHECK(once.exclude == Names{"1", "GPU-00cafe"});
    CHECK(changed(once, GpuListChange::Exclude, 0) == once);
    CHECK(changed(once, GpuListChange::Exclude, 1) == once);  // already excluded by its index
    CHECK(changed(once, GpuListChange::Include, 0) == lists({}, {"1"}));
    CHECK(changed(once, GpuListChange::Include, 2) == once);
}

TEST_CASE("an entry that matches several GPUs keeps matching the others")
{
    CHECK(changed(lists({}, {"H200", "1"}), GpuListChange::Include, 0) == lists({}, {"1", "GPU-22cafe"}));
    CHECK(changed(lists({"H200"}, {}), GpuListChange::Unpin, 2) == lists({"GPU-00cafe"}, {}));
    CHECK(changed(lists({"2", "H200"}, {}), GpuListChange::Unpin, 0) == lists({"2"}, {}));
}

TEST_CASE("a pinned GPU is used even if it is excluded")
{
    CHECK(changed(lists({}, {}), GpuListChange::Pin, 1) == lists({"GPU-11cafe"}, {}));
    CHECK(changed(lists({"0"}, {"H200"}), GpuListChange::Pin, 2) == lists({"0", "GPU-22cafe"}, {"GPU-00cafe"}));
    CHECK(changed(lists({"GPU-11cafe"}, {}), GpuListChange::Unpin, 1) == lists({}, {}));
}

TEST_CASE("a selection of GPUs replaces all lists")
{
    const DevicesSection some = withOnly(lists({"H200"}, {"1"}), {machine[0], machine[1]}, machine);
    CHECK(some.pin == Names{"GPU-00cafe", "GPU-11cafe"});
    CHECK(some.exclude.empty());
    const DevicesSection all = withOnly(lists({"H200"}, {"1"}), machine, machine);
    CHECK((all.pin.empty() && all.exclude.empty()));
}
