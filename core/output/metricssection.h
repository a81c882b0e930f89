#pragma once

#include <map>
#include <string>

namespace sweepscope::output {

enum class OutputFormat {
    Text,  ///< lines, searched with regular expressions (outputpattern.h)
    Json,  ///< lines that are JSON objects
};

/// Curves of a command that knows nothing of us, from what it prints.
struct MetricsSection {
    OutputFormat format = OutputFormat::Text;
    bool everyRank = false;                     ///< else of rank 0 alone
    std::string step;                           ///< expression or key; empty = each series counts its own points from 1
    std::map<std::string, std::string> series;  ///< expression or key by name; Json: empty = every number

    bool operator==(const MetricsSection &) const = default;
};

}  // namespace sweepscope::output
