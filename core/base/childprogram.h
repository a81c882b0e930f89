#pragma once

#include "base/error.h"

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope {

struct ChildProgram {
    std::vector<std::string> command;      ///< argv; the program is found on PATH
    std::filesystem::path folder;          ///< working directory; empty: that of this process
    std::vector<std::string> environment;  ///< all of it, as "NAME=value"
    int inherited = -1;                    ///< a further file descriptor that it keeps open
};

/// Starts a child process with these files as standard input, output and error. It leads its own process group. The kernel
/// kills it if this process, or the thread that started it, dies first. NotFound if there is no such program or folder.
Expected<pid_t> startChild(const ChildProgram &wanted, const std::array<int, 3> &standard);

/// Returns the environment of this process with these variables added or replaced.
std::vector<std::string> environmentWith(const std::map<std::string, std::string> &more);

}  // namespace sweepscope
