#pragma once

#include <filesystem>

namespace sweepscope {

/// Where this program's own file lies: its siblings (agent, worker, sweepctl) are there too, in a build as installed.
std::filesystem::path executableFolder();

/// share/sweepscope next to that bin/: examples, the built-in data set, the Python reporter, icons.
std::filesystem::path shareFolder();

}  // namespace sweepscope
