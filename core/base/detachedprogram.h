#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope {

/// A program that outlives the terminal and session of its parent. It leads a new session, blocks and ignores no
/// signals, and inherits only the files in `kept`.
struct DetachedProgram {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::filesystem::path output = "/dev/null";  ///< its standard output and errors are appended to this file
    std::filesystem::path folder{};              ///< where it starts; empty: where we are
    std::vector<int> kept{};                     ///< open descriptors that it inherits
};

/// Starts it, and takes no longer in a large process than in a small one: nothing of our memory is copied. Returns its
/// process id; the caller waits for it, sooner or later. An error, with errno's words, when it cannot be started.
Expected<pid_t> startDetached(const DetachedProgram &wanted);

}  // namespace sweepscope
