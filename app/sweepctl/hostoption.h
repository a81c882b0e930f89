#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// `sweepctl --host ADDRESS SUBCOMMAND …` runs the subcommand on another machine, over ssh. Returns its exit code;
/// nullopt without the option.
std::optional<int> runOnHost(const std::vector<std::string> &words);

/// The address behind --host if this process runs for a sweepctl on another machine; otherwise empty.
std::string typedHost();
/// Returns the path that the user typed there for a sweep file that arrives on standard input; `file` for any other.
std::string typedFile(const std::string &file);

}  // namespace sweepscope::ctl
