#include "engine/preflight.h"

#include "base/files.h"
#include "launch/linktestfile.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace sweepscope::engine {

namespace {

constexpr std::uint64_t mostLinkTestBytes = 16 << 20;

/// A file name for a set of GPUs, in any order.
std::string keyOf(const sweep::LinkTest &test)
{
    std::vector<std::string> ids;
    for (const sweep::LinkTest::Gpu &gpu : test.gpus)
        ids.push_back(gpu.id);
    std::ranges::sort(ids);
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (const std::string &id : ids) {
        for (const char c : id + "\n")
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    std::array<char, 24> name{};
    std::snprintf(name.data(), name.size(), "%016llx.json", static_cast<unsigned long long>(hash));
    return name.data();
}

bool isTested(const std::filesystem::path &kept)
{
    return readFile(kept, mostLinkTestBytes)
        .and_then([](const std::string &text) { return sweep::parseLinkTest(text); })
        .map([](const sweep::LinkTest &test) { return test.isMeasured(); })
        .value_or(false);
}

}  // namespace

Expected<void> addPreflight(launch::LaunchSpec &launch, const std::filesystem::path &worker,
                            const WorkspaceLayout &workspace, const AttemptLayout &attempt,
                            const sweep::SweepSpec &spec, const schedule::Allocation &devices)
{
    // Simulated GPUs have no links, unless a test simulates those, too.
    const bool areReal = !devices.simulated || std::getenv("SWEEPSCOPE_PREFLIGHT_LINKS") != nullptr;
    std::error_code error;
    if (!spec.devices.preflight || !devices.links || !areReal || !std::filesystem::exists(worker, error))
        return {};
    const std::filesystem::path folder = workspace.devicesFeed().parent_path() / "preflight";
    const std::filesystem::path kept = folder / keyOf(*devices.links);
    if (isTested(kept))
        return {};
    std::filesystem::create_directories(folder, error);
    if (const Expected<void> written =
            writeFileAtomically(launch::linkTestFile(attempt), sweep::toJson(*devices.links) + "\n", Survives::Kill);
        !written)
        return written;
    launch.argv.insert(launch.argv.begin(), {worker.string(), "preflight", "--file",
                                             launch::linkTestFile(attempt).string(), "--keep", kept.string(), "--"});
    return {};
}

}  // namespace sweepscope::engine
