#pragma once

#include <optional>
#include <vector>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// Which curve is of the worst rank, by a value of each curve (none: not known). Equal ranks have no worst one; nor has a
/// rank alone.
std::optional<std::size_t> worstRank(const PlotPanel &panel, const std::vector<std::optional<double>> &values);
/// By the newest values; null: there is none.
const PlotCurve *worstRankNow(const PlotPanel &panel);

}  // namespace sweepscope::ui
