#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace sweepscope::process {

/// Whose process it is: a user's name, or the number of one without; empty when the process is not visible from here.
std::optional<std::string> userOfProcess(pid_t pid, const std::string &procFolder);
/// As the kernel calls it: "python3".
std::optional<std::string> nameOfProcess(pid_t pid, const std::string &procFolder);

}  // namespace sweepscope::process
