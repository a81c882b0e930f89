#pragma once

#include <map>
#include <string>

namespace sweepscope::output {

enum class OutputFormat {
    Text,  ///< lines, searched with regular expressions (outputpattern.h)
    Json,  ///< lines that are JSON objects
};

/// Curves from the output of a command that does not report metrics itself.
struct MetricsSection {
    OutputFormat format = OutputFormat::Text;
    bool everyRank = false;                     ///< else only of rank 0
    std::string step;                           ///< expression or key; empty = each series counts its own points from 1
    std::map<std::string, std::string> series;  ///< expression or key by name; Json: empty = every number

    bool operator==(const MetricsSection &) const = default;
};

}  // namespace sweepscope::output
