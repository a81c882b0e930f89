#pragma once

#include "sweep/sweepspec.h"
#include "sweep/validation.h"

#include <cstdint>
#include <filesystem>
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

/// Reads and checks `file`. When something is wrong, every problem is on stderr as file:line:column: field: message,
/// and nothing comes back.
std::optional<SweepInput> readSweepInput(const std::string &file);

}  // namespace sweepscope::ctl
