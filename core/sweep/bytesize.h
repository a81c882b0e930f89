#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// "10 GiB", "512MiB", "1.5 GB": a number and a unit (B; KiB, MiB, GiB, TiB; kB, MB, GB, TB in powers of 1000). Nothing
/// for anything else, and for more than 2^60.
std::optional<std::uint64_t> parseBytes(std::string_view text);

/// The shortest text that parses back: "10 GiB", "1500000 B".
std::string bytesToText(std::uint64_t bytes);

}  // namespace sweepscope::sweep
