#include "ui/plot/showncharts.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

ChartRows oneChartPerRow(const PlotFrame &frame)
{
    ChartRows rows{{chosenChart()}};
    for (const PlotPanel &panel : frame.strips)
        rows.append(QStringList(panel.id));
    return rows;
}

}  // namespace

std::vector<ShownChart> shownCharts(const PlotFrame &frame)
{
    std::vector<ShownChart> charts;
    int row = 0;
    for (const QStringList &ids : frame.charts.isEmpty() ? oneChartPerRow(frame) : frame.charts) {
        const std::size_t before = charts.size();
        for (const QString &id : ids) {
            if (id == chosenChart()) {
                charts.push_back({id, &frame.main, PanelKind::Curves, row});
                continue;
            }
            const auto panel = std::ranges::find(frame.strips, id, &PlotPanel::id);
            if (panel != frame.strips.end())
                charts.push_back({id, &*panel, panel->isStrip ? PanelKind::Strip : PanelKind::Curves, row});
        }
        row += charts.size() > before ? 1 : 0;
    }
    if (charts.empty())
        charts.push_back({chosenChart(), &frame.main, PanelKind::Curves, 0});
    return charts;
}

}  // namespace sweepscope::ui
