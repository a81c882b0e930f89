#pragma once

#include <string>

namespace sweepscope {

enum class Finding { Good, Warning, Bad };

/// One row of a check of a machine or a cluster.
struct CheckRow {
    std::string subject;  ///< "ssh", "clock"
    Finding finding = Finding::Good;
    std::string text;
    std::string remedy{};   ///< what to do; empty if nothing
    std::string setting{};  ///< of the machine that the remedy changes, as machines.toml names it; may be empty
};

}  // namespace sweepscope
