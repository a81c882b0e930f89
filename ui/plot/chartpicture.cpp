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

/// Returns a copy of the plot with these charts.
std::shared_ptr<LivePlot> copyOf(const LivePlot &plot, PlotFrame frame, double points)
{
    auto copy = std::make_shared<LivePlot>();
    copy->setPalette(plot.palette());
    QFont font = plot.font();
    if (points > 0)
        font.setPointSizeF(points);
    copy->setFont(font);
    copy->setXScale(plot.xScale());
    copy->setLogarithmic(plot.isLogarithmic());
    copy->setIgnoringOutliers(plot.ignoresOutliers());
    copy->setHidden(plot.hidden());
    copy->setColorKey(plot.colorKey());
    PlotRequest request;
    copy->fillRequest(request);
    frame.view = request.view;
    copy->setFrame(frame);
    for (const auto &pane : copy->panes()) {
        for (const auto &of : plot.panes()) {
            if (plot.chartOf(*of) == copy->chartOf(*pane))
                copyRanges(*pane, *of);
        }
    }
    return copy;
}

/// The sheet keeps the plot.
PictureSheet keeping(const std::shared_ptr<LivePlot> &plot, const QString &title)
{
    PictureSheet sheet = sheetOf(*plot, title);
    sheet.paint = [plot, paint = std::move(sheet.paint)](QCPPainter &painter) { paint(painter); };
    return sheet;
}

PictureSheet shaped(const std::shared_ptr<LivePlot> &copy, const QString &title, const PictureShape &shape)
{
    copy->resize(shape.size);  // the width decides how high the names are
    const int around = heightAroundPlot(*copy, title);
    const int height = std::max(shape.size.height() - around, shape.size.height() / 2);
    // A plot that is too high for its place is scaled, which keeps the proportions of the picture.
    const int needed = std::max(height, copy->minimumHeight());
    const int width = shape.size.width() * (needed + around) / (height + around);
    copy->resize(width, needed);
    layOut(*copy);
    return fittedTo(keeping(copy, title), shape.size);
}

}  // namespace

std::optional<PictureSheet> sheetOfChart(const LivePlot &plot, const QString &id, const QString &title,
                                         const PictureShape &shape)
{
    const auto pane =
        std::ranges::find_if(plot.panes(), [&](const auto &candidate) { return plot.chartOf(*candidate) == id; });
    if (pane == plot.panes().end())
        return std::nullopt;
    const std::shared_ptr<LivePlot> one = copyOf(plot, frameOfChart(plot.frame(), id), shape.points);
    if (!shape.isAsOnScreen())
        return shaped(one, title, shape);
    const QRect place = (*pane)->titleArea().united((*pane)->area()->outerRect());
    one->resize(place.size().expandedTo(leastSize));
    layOut(*one);
    return keeping(one, title);
}

PictureSheet sheetOfCharts(const LivePlot &plot, const QString &title, const PictureShape &shape)
{
    const PlotFrame frame = plot.alone().isEmpty() ? plot.frame() : frameOfChart(plot.frame(), plot.alone());
    return shaped(copyOf(plot, frame, shape.points), title, shape);
}

QString fileNameOfChart(const QString &title)
{
    static const QRegularExpression others(u"[^\\w.]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    return QString(title).remove(u'\'').replace(others, u"-"_s);
}

}  // namespace sweepscope::ui
