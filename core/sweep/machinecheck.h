#pragma once

#include "sweep/gpunames.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// What this machine offers.
struct Capacity {
    int gpus = 0;
    int cpuCores = 1;
    std::vector<GpuIdentity> gpuNames{};  ///< of those `gpus`, where it is known
    std::vector<std::string> clusters{};  ///< machines where trials are jobs on any nodes; with "localhost": this one
};

/// What is wrong with the spec on this machine: a command or data file that is not there, more ranks than devices
/// allow, NCCL without GPUs. `baseFolder` is the sweep file's folder: relative paths start there. For a spec that
/// validate() finds fine.
std::vector<Problem> checkMachine(const SweepSpec &spec, const Capacity &capacity,
                                  const std::filesystem::path &baseFolder);

/// The built-in worker is not at `worker`, as in a build without LibTorch, or its PyTorch was upgraded or removed since it was
/// compiled. nullopt if it is not used.
std::optional<Problem> missingWorker(const SweepSpec &spec, const std::filesystem::path &worker);

/// Names in devices.machines that are none of `known`.
std::vector<Problem> unknownMachines(const DevicesSection &devices, const std::vector<std::string> &known);

}  // namespace sweepscope::sweep
