#pragma once

#include "chartsamples.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/showncharts.h"
#include "ui/plot/trialplots.h"

#include <QTest>

#include <algorithm>

namespace sweepscope::tests {

/// The plots of an attempt in a window, as the user sees them.
struct Plots {
    ui::AttemptFixture attempt{2};
    ui::TrialPlots plots;

    Plots()
    {
        report(attempt, 60);
        plots.resize(1000, 700);
        plots.charts()->restore(below({QStringLiteral("rank.cpu"), QStringLiteral("core.utilization")}));
        plots.showSource(attempt.source());
        plots.show();
    }
    bool isReady()
    {
        return QTest::qWaitForWindowExposed(&plots)
               && waitFor({QStringLiteral("rank.cpu"), QStringLiteral("core.utilization")});
    }
    ui::ChartRows shown() const
    {
        ui::ChartRows rows;
        for (const ui::ShownChart &chart : ui::shownCharts(plots.plot()->frame())) {
            rows.resize(chart.row + 1);
            rows.last().append(chart.id);
        }
        return rows;
    }
    bool waitFor(const ui::ChartRows &rows)
    {
        const bool isThere = QTest::qWaitFor([&] { return shown() == rows; }, 10'000);
        plots.plot()->replot();  // until then, remaining charts keep their former positions
        return isThere && titlesArePlaced();
    }
    /// Below the chosen series.
    bool waitFor(const QStringList &ids) { return waitFor(below(ids)); }
    bool titlesArePlaced() const
    {
        const auto &panes = plots.plot()->panes();
        return panes.size() == ui::shownCharts(plots.plot()->frame()).size()
               && std::ranges::all_of(panes, [](const auto &pane) { return pane->titleArea().height() > 0; });
    }
    ui::PlotPane &pane(const QString &id) const
    {
        for (const auto &pane : plots.plot()->panes()) {
            if (plots.plot()->chartOf(*pane) == id)
                return *pane;
        }
        qFatal("there is no such chart");
    }
    void drag(const QPoint &from, const QPoint &to)
    {
        ui::LivePlot *plot = plots.plot();
        QTest::mouseMove(plot, from);
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(plot, (from + to) / 2);
        QTest::mouseMove(plot, to);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
    }
};

}  // namespace sweepscope::tests
