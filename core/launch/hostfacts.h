#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::launch {

/// Returns what this machine is, as far as the system says so: host, kernel, os, cpu, memory, gpus, driver (of NVIDIA's
/// kernel module) and cuda (the toolkit in /usr/local/cuda). Asks no driver. `root` is before /proc, /sys and /etc, for tests.
std::map<std::string, std::string> hostFacts(const std::filesystem::path &root = "/");

}  // namespace sweepscope::launch
