#pragma once

#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// Says in plain words what the TOML parser described: "Error while parsing array: encountered end-of-file" is "the array
/// is not closed".
std::string plainTomlError(std::string_view description);

}  // namespace sweepscope::sweep
