#pragma once

#include <optional>
#include <vector>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// Returns the curve of the worst rank by the value of each curve (nullopt: unknown). A single rank, or ranks
/// that differ by less than 5%, have no worst one.
std::optional<std::size_t> worstRank(const PlotPanel &panel, const std::vector<std::optional<double>> &values);
/// By the newest values; null if there is none.
const PlotCurve *worstRankNow(const PlotPanel &panel);

}  // namespace sweepscope::ui
