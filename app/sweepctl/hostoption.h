#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// `sweepctl --host ADDRESS SUBCOMMAND …` runs the subcommand on another machine, over ssh. Replaces this process by ssh;
/// returns an exit code if that fails, and nullopt without the option.
std::optional<int> runOnHost(const std::vector<std::string> &words);

}  // namespace sweepscope::ctl
