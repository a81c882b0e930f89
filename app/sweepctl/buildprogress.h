#pragma once

#include <optional>
#include <string_view>

namespace sweepscope::ctl {

/// Returns the percentage in a line of Ninja, "[12/101] …", or of make, "[ 12%] …"; nullopt if it has none.
std::optional<int> buildPercentage(std::string_view line);

}  // namespace sweepscope::ctl
