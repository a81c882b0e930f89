#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The Python of a command and its packages, read from files: nothing is started.
namespace sweepscope::launch {

/// Returns the interpreter that `command` runs in `folder`: the command itself, that of its first line (`#!`), or for uv,
/// conda and shells that of the active environment. Empty: the command runs no Python that can be found. `environment` is
/// that of the command; PATH, VIRTUAL_ENV and CONDA_PREFIX matter.
std::filesystem::path pythonOf(const std::vector<std::string> &command, const std::filesystem::path &folder,
                               const std::map<std::string, std::string> &environment);

struct PythonPackages {
    std::map<std::string, std::string> ofPython{};  ///< version by name, in the form of PEP 503
    std::map<std::string, std::string> ofConda{};   ///< version and build by name; other than Python's, too
};

/// Returns what this interpreter can import, from the names of *.dist-info, *.egg-info and conda-meta/*.json. A package
/// in several folders has the version that Python finds first. `environment`: PYTHONPATH, HOME and PYTHONNOUSERSITE matter.
PythonPackages packagesOf(const std::filesystem::path &interpreter,
                          const std::map<std::string, std::string> &environment);

}  // namespace sweepscope::launch
