#pragma once

#include "base/error.h"
#include "remote/machines.h"
#include "sweep/machinecheck.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sweepscope::ctl {

/// A valid sweep file, ready to be launched on this machine.
struct SweepInput {
    sweep::SweepSpec spec;
    std::string text;                  ///< of the file; lines and columns refer to it
    std::string toml;                  ///< sent to the engine: includes values that only this environment knows
    std::filesystem::path baseFolder;  ///< absolute
    std::uint64_t trials = 0;          ///< at most, where points are repeated; 0: no limit
    sweep::Capacity capacity;
    std::optional<remote::Machine> cluster{};  ///< whose jobs the trials are: a machine with the table `slurm`
};

/// Derives another sweep from the definition of a file, or returns the problem.
using SweepChange = std::function<tl::expected<sweep::SweepSpec, sweep::Problem>(sweep::SweepSpec)>;

/// Reads and validates `file`, after `change` if there is one. Prints every problem to stderr as file:line:column:
/// field: message, and returns nullopt if there is any. `workspace`: where it is to run, which may submit to a cluster.
std::optional<SweepInput> readSweepInput(const std::string &file, const SweepChange &change = {},
                                         const std::string &workspace = {});

}  // namespace sweepscope::ctl
