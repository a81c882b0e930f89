#pragma once

#include "base/error.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::snapshot {

struct GitCommand {
    std::vector<std::string> arguments;  ///< after "git"
    std::filesystem::path folder;        ///< to run in
    /// In addition to this process's, of which variables that begin with GIT_ are left out, but for GIT_CONFIG_GLOBAL.
    std::map<std::string, std::string> environment{};
    std::string input{};  ///< on standard input
    int output = -1;      ///< the file that standard output goes to; -1: it is collected
    std::size_t mostOutput = std::size_t{64} << 20;
    std::chrono::milliseconds limit = std::chrono::minutes(2);
    int inherited = -1;  ///< a file descriptor that it keeps open
};

struct GitOutput {
    int exitCode = 0;
    std::string text;  ///< on standard output, if it is collected
    std::string
        complaint;       ///< the first message on standard error, without "fatal: ", printable; empty if there is none
    bool isCut = false;  ///< it wrote more than `mostOutput`, and was killed
};

/// Runs git until it ends. Blocks. Unavailable: git is not installed, was killed, or `cancelled` has become true. Timeout:
/// it did not end in time.
Expected<GitOutput> runGit(const GitCommand &command, const std::atomic<bool> &cancelled);

/// Splits the output of a command with -z.
std::vector<std::string> namesIn(const std::string &zeroTerminated);

/// Returns the first message of git's standard error.
std::string complaintIn(const std::string &untrustedErrors);

}  // namespace sweepscope::snapshot
