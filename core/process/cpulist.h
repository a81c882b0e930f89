#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::process {

/// Logical CPUs as Linux writes them, "0-3,8": each once, in rising order.
std::string cpuListText(std::vector<int> cpus);

constexpr int mostCpus = 1 << 20;  ///< more than any machine has

/// Empty when that is no such list, or it names a CPU from `most` on, or more of them. "" is a list of none.
std::optional<std::vector<int>> parseCpuList(const std::string &untrusted, int most = mostCpus);

}  // namespace sweepscope::process
