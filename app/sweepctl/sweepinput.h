#pragma once

#include "base/error.h"
#include "sweep/machinecheck.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sweepscope::ctl {

/// A sweep file that is right, on this machine too, and ready to be launched.
struct SweepInput {
    sweep::SweepSpec spec;
    std::string text;                  ///< of the file, to which lines and columns belong
    std::string toml;                  ///< what the engine gets: with what only this environment knows filled in
    std::filesystem::path baseFolder;  ///< absolute
    std::uint64_t trials = 0;
    sweep::Capacity capacity;
};

/// Makes another sweep of what a file defines, or says why it cannot.
using SweepChange = std::function<tl::expected<sweep::SweepSpec, sweep::Problem>(sweep::SweepSpec)>;

/// Reads and checks `file`, after `change` if there is one. When something is wrong, every problem is on stderr as
/// file:line:column: field: message, and nothing comes back.
std::optional<SweepInput> readSweepInput(const std::string &file, const SweepChange &change = {});

}  // namespace sweepscope::ctl
