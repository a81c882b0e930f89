#include "ui/plot/chartpicture.h"

#include "ui/plot/liveplot.h"

#include <QRegularExpression>

#include <algorithm>
#include <memory>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize leastSize(480, 240);

PlotFrame frameOfChart(const PlotFrame &frame, const QString &id)
{
    PlotFrame one;
    one.from = frame.from;
    one.to = frame.to;
    one.start = frame.start;
    one.charts = {{id}};
    one.main.id = frame.main.id;
    if (id == chosenChart())
        one.main = frame.main;
    else if (const auto strip = std::ranges::find(frame.strips, id, &PlotPanel::id); strip != frame.strips.end())
        one.strips = {*strip};
    return one;
}

void copyRanges(PlotPane &pane, const PlotPane &of)
{
    pane.xAxis()->setRange(of.xAxis()->range());
    pane.yAxis()->setRange(of.yAxis()->range());
    pane.pinY(of.yPinned());
}

/// The number of ticks depends on the room, which is known after the layout.
void layOut(LivePlot &plot)
{
    plot.setViewport(plot.rect());
    plot.replot();
    plot.replot();
}

std::shared_ptr<LivePlot> plotOfChart(const LivePlot &plot, const PlotPane &pane, const QString &id)
{
    auto one = std::make_shared<LivePlot>();
    one->setPalette(plot.palette());
    one->setFont(plot.font());
    one->setXScale(plot.xScale());
    one->setLogarithmic(plot.isLogarithmic());
    one->setIgnoringOutliers(plot.ignoresOutliers());
    one->setHidden(plot.hidden());
    PlotFrame frame = frameOfChart(plot.frame(), id);
    PlotRequest request;
    one->fillRequest(request);
    frame.view = request.view;
    one->setFrame(frame);
    copyRanges(*one->panes().front(), pane);
    const QRect place = pane.titleArea().united(pane.area()->outerRect());
    one->resize(place.size().expandedTo(leastSize));
    layOut(*one);
    return one;
}

}  // namespace

std::optional<PictureSheet> sheetOfChart(const LivePlot &plot, const QString &id, const QString &title)
{
    const auto pane =
        std::ranges::find_if(plot.panes(), [&](const auto &candidate) { return plot.chartOf(*candidate) == id; });
    if (pane == plot.panes().end())
        return std::nullopt;
    const std::shared_ptr<LivePlot> one = plotOfChart(plot, **pane, id);
    PictureSheet sheet = sheetOf(*one, title);
    sheet.paint = [one, paint = std::move(sheet.paint)](QCPPainter &painter) { paint(painter); };
    return sheet;
}

QString fileNameOfChart(const QString &title)
{
    static const QRegularExpression others(u"[^\\w.]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    return QString(title).remove(u'\'').replace(others, u"-"_s);
}

}  // namespace sweepscope::ui
