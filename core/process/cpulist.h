#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::process {

/// Returns logical CPUs in Linux notation, "0-3,8": each once, in ascending order.
std::string cpuListText(std::vector<int> cpus);

constexpr int mostCpus = 1 << 20;  ///< more than any machine has

/// Returns nullopt if it is not such a list, contains a CPU of at least `most`, or more than `most` CPUs. "" is an
/// empty list.
std::optional<std::vector<int>> parseCpuList(const std::string &untrusted, int most = mostCpus);

}  // namespace sweepscope::process
