#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace sweepscope::process {

/// Returns the name of the user who owns the process, or the user id if it has no name; nullopt if the process is not
/// visible.
std::optional<std::string> userOfProcess(pid_t pid, const std::string &procFolder);
/// Returns the kernel's name of the process: "python3".
std::optional<std::string> nameOfProcess(pid_t pid, const std::string &procFolder);

}  // namespace sweepscope::process
