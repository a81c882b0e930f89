#include "ui/plot/worstrank.h"

#include "ui/models/usualgoal.h"
#include "ui/plot/chart.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/showncharts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

std::optional<std::size_t> worstRank(const PlotPanel &panel, const std::vector<std::optional<double>> &values)
{
    if (panel.isOfTrials || panel.isOfSeries)
        return std::nullopt;
    const double sign = usualGoal(panelTitle(panel)) == sweep::Goal::Maximize ? -1 : 1;
    double best = std::numeric_limits<double>::infinity();
    double worst = -best;
    std::size_t place = 0;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        if (!values[i] || panel.curves[i].name.isEmpty())
            continue;
        const double badness = std::isfinite(*values[i]) ? sign * *values[i] : std::numeric_limits<double>::infinity();
        best = std::min(best, badness);
        if (badness > worst) {
            worst = badness;
            place = i;
        }
    }
    constexpr double leastShare = 0.05;  // as of a slow rank, see docs/diagnosis.md
    const bool differs =
        worst > best && (std::isinf(worst) || worst - best >= leastShare * std::max(std::abs(worst), std::abs(best)));
    return differs ? std::optional(place) : std::nullopt;
}

const PlotCurve *worstRankNow(const PlotPanel &panel)
{
    std::vector<std::optional<double>> values;
    for (const PlotCurve &curve : panel.curves)
        values.push_back(curve.newest);
    const std::optional<std::size_t> worst = worstRank(panel, values);
    return worst ? &panel.curves[*worst] : nullptr;
}

}  // namespace sweepscope::ui
