#pragma once

#include <map>
#include <string>

namespace sweepscope::output {

enum class OutputFormat {
    Text,  ///< lines, searched with regular expressions (outputpattern.h)
    Json,  ///< lines that are JSON objects
    Auto,  ///< lines as training scripts usually print them (printedline.h)
};

/// Curves of a command that does not report metrics itself: from its output, or from event files of TensorBoard.
struct MetricsSection {
    OutputFormat format = OutputFormat::Text;
    bool everyRank = false;                     ///< else only of rank 0
    std::string step;                           ///< expression or key; empty = each series counts its own points from 1
    std::map<std::string, std::string> series;  ///< expression, key, printed name or tag by name; Text needs one
    std::string tensorboard{};  ///< folder of event files, which are read instead of the output; empty: none

    bool operator==(const MetricsSection &) const = default;
};

}  // namespace sweepscope::output
