#pragma once

#include <map>
#include <string>

namespace sweepscope::output {

enum class OutputFormat {
    Text,  ///< lines, searched with regular expressions (outputpattern.h)
    Json,  ///< lines that are JSON objects
    Auto,  ///< lines as training scripts usually print them (printedline.h)
};

/// Curves from the output of a command that does not report metrics itself.
struct MetricsSection {
    OutputFormat format = OutputFormat::Text;
    bool everyRank = false;                     ///< else only of rank 0
    std::string step;                           ///< expression or key; empty = each series counts its own points from 1
    std::map<std::string, std::string> series;  ///< expression, key or printed name by name; Text needs one

    bool operator==(const MetricsSection &) const = default;
};

}  // namespace sweepscope::output
