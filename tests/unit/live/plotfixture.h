#pragma once

#include "pixels.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/plotcursor.h"
#include "ui/plot/plotgestures.h"
#include "ui/plot/plotkeys.h"

#include <QCoreApplication>
#include <QImage>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <limits>

namespace sweepscope::tests {

inline const double start = toSeconds(ui::AttemptFixture::start);
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

inline series::Column column(double x, double value)
{
    return {x, value, value, value, value, 1, !std::isfinite(value)};
}

/// `seconds` of data of one rank: a straight line from 0 to 1.
inline ui::PlotFrame frameOf(int seconds, int ranks = 1)
{
    ui::PlotFrame frame;
    frame.from = start;
    frame.to = start + seconds;
    frame.start = start;
    frame.main.id = QStringLiteral("loss");
    frame.seriesNames = QStringList{QStringLiteral("loss")};
    for (int rank = 0; rank < ranks; ++rank) {
        ui::PlotCurve curve;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = rank;
        for (int i = 0; i <= seconds; ++i)
            curve.columns.push_back(column(start + i, static_cast<double>(i) / seconds + rank));
        curve.newest = 1.0 + rank;
        frame.main.curves.push_back(curve);
    }
    return frame;
}

inline ui::PlotPanel cpuStrip()
{
    ui::PlotPanel strip;
    strip.id = QStringLiteral("rank.cpu");
    strip.unit = QStringLiteral("%");
    ui::PlotCurve curve;
    curve.name = QStringLiteral("rank 0");
    curve.columns = {column(start, 50), column(start + 10, 60)};
    strip.curves.push_back(curve);
    return strip;
}

/// A plot of one rank with mouse, keyboard and cursor, but without the toolbar and files of a page.
struct Plot {
    ui::LivePlot plot;
    ui::PlotCursor cursor{&plot};
    ui::PlotGestures gestures{&plot};
    ui::PlotKeys plotKeys{&plot, &cursor};

    Plot()
    {
        plot.resize(800, 500);
        plot.show();
        show(frameOf(100));
    }
    void show(const ui::PlotFrame &frame)
    {
        ui::PlotRequest request;
        plot.fillRequest(request);
        ui::PlotFrame answered = frame;
        answered.view = request.view;
        plot.setFrame(answered);
        plot.replot();
    }
    ui::PlotPane &curves() { return *plot.panes()[0]; }
    QPointF center() const { return plot.panes()[0]->area()->center(); }
    QImage image() { return plot.toPixmap(800, 500).toImage(); }
    QPointF pixel(double x, double value)
    {
        return {curves().xAxis()->coordToPixel(x), curves().yAxis()->coordToPixel(value)};
    }
    /// Returns whether the plot accepted the event.
    bool wheel(const QPointF &at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWheelEvent event(at, plot.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot, &event);
        return event.isAccepted();
    }
    void drag(QPointF from, QPointF to, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
              Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(&plot, button, modifiers, from.toPoint());
        QTest::mouseMove(&plot, to.toPoint());
        QTest::mouseRelease(&plot, button, modifiers, to.toPoint());
    }
};

}  // namespace sweepscope::tests
