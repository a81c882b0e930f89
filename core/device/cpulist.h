#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device {

/// Logical CPUs as Linux writes them, "0-3,8": each once, in rising order.
std::string cpuListText(std::vector<int> cpus);

/// Empty when that is no such list, or one of more CPUs than any machine has. "" is a list of none.
std::optional<std::vector<int>> parseCpuList(const std::string &untrusted);

}  // namespace sweepscope::device
