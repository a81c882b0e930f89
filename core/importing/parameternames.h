#pragma once

#include <set>
#include <string>

namespace sweepscope::importing {

/// Gives parameters of another program names that the sweep file accepts, each once.
class ParameterNames {
public:
    /// The name itself if it is valid: "optimizer.lr" becomes optimizer_lr, and names that a sweep file reserves get a
    /// `_` at their end.
    std::string nameFor(const std::string &original);

private:
    std::set<std::string> m_taken;
};

}  // namespace sweepscope::importing
