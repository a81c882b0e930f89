#include "ui/probe/probeplot.h"

#include "ui/theme/plotcolors.h"
#include "ui/theme/textsize.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int parts = 3;
constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double headroom = 1.15;
constexpr int labelWidth = 44;  ///< pixels
constexpr int leftMargin = 60;
constexpr QSize usualSize{900, 210};

}  // namespace

ProbePlot::ProbePlot(QWidget *parent) : QCustomPlot(parent)
{
    setObjectName(u"probePlot"_s);
    setAccessibleName(tr("Throughput, utilization and memory by probed value"));
    plotLayout()->clear();
    for (int column = 0; column < parts; ++column) {
        Part part;
        part.title = new QCPTextElement(this, {}, font());
        part.title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        part.rect = new QCPAxisRect(this);
        part.rect->setupFullAxesBox(false);
        for (const QCPAxis::AxisType far : {QCPAxis::atTop, QCPAxis::atRight})
            part.rect->axis(far)->setTicks(false);
        plotLayout()->addElement(0, column, part.title);
        plotLayout()->addElement(1, column, part.rect);
        m_parts.push_back(part);
    }
    plotLayout()->setRowStretchFactor(0, 0.001);
    setMinimumHeight(150);
}

QSize ProbePlot::sizeHint() const
{
    return usualSize;
}

void ProbePlot::setProbe(const diagnosis::BatchProbe &probe)
{
    m_probe = probe;
    // Values that were never tried are left out; those that ran out of memory are shown.
    std::erase_if(m_probe.measurements, [](const diagnosis::BatchMeasurement &measurement) {
        return !measurement.samplesPerSecond && !measurement.outOfMemory;
    });
    draw();
}

void ProbePlot::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

void ProbePlot::resizeEvent(QResizeEvent *event)
{
    QCustomPlot::resizeEvent(event);
    for (const Part &part : m_parts)
        labelValues(part);
    replot(rpQueuedReplot);
}

void ProbePlot::draw()
{
    clearPlottables();
    clearItems();
    using diagnosis::BatchMeasurement;
    drawPart(m_parts[0], &BatchMeasurement::samplesPerSecond, 1, tr("samples/s, all ranks"));
    drawPart(m_parts[1], &BatchMeasurement::utilization, 1,
             m_probe.onGpus ? tr("GPU utilization (%)") : tr("CPU per rank (%)"));
    drawPart(m_parts[2], &BatchMeasurement::memory, mebibyte,
             m_probe.onGpus ? tr("GPU memory, MiB") : tr("memory, MiB"));
    replot(rpQueuedReplot);
}

void ProbePlot::drawPart(const Part &part, Reading reading, double unit, const QString &title)
{
    applyColors(part);
    part.title->setText(title);
    QCPAxis *x = part.rect->axis(QCPAxis::atBottom);
    QCPAxis *y = part.rect->axis(QCPAxis::atLeft);
    const QColor color = palette().color(QPalette::Link);
    const QColor problem = plotColors(palette()).gap;

    auto *curve = new QCPGraph(x, y);
    curve->setPen(QPen(color, 1.6));
    curve->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color, 1.6), palette().base(), 7));
    auto *proposed = new QCPGraph(x, y);
    proposed->setLineStyle(QCPGraph::lsNone);
    proposed->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(color), QBrush(color), 9));
    double highest = 0;
    for (std::size_t i = 0; i < m_probe.measurements.size(); ++i) {
        const diagnosis::BatchMeasurement &measurement = m_probe.measurements[i];
        const auto place = static_cast<double>(i);
        if (measurement.outOfMemory) {
            auto *band = new QCPItemRect(this);
            for (QCPItemPosition *corner : {band->topLeft, band->bottomRight}) {
                corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
                corner->setAxes(x, y);
                corner->setAxisRect(part.rect);
            }
            band->topLeft->setCoords(place - 0.5, 0);
            band->bottomRight->setCoords(place + 0.5, 1);
            band->setClipAxisRect(part.rect);
            band->setPen(Qt::NoPen);
            band->setBrush(problem);
            auto *label = new QCPItemText(this);
            label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            label->position->setAxes(x, y);
            label->position->setAxisRect(part.rect);
            label->position->setCoords(place, 0.5);
            label->setRotation(-90);
            label->setText(tr("out of memory"));
            label->setColor(plotColors(palette()).text);
            label->setFont(font());
            continue;
        }
        const std::optional<double> value = measurement.*reading;
        if (!value)
            continue;
        curve->addData(place, *value / unit);
        highest = std::max(highest, *value / unit);
        if (m_probe.knee == measurement.value) {
            proposed->addData(place, *value / unit);
            auto *line = new QCPItemStraightLine(this);
            line->point1->setAxes(x, y);
            line->point2->setAxes(x, y);
            line->point1->setAxisRect(part.rect);
            line->point2->setAxisRect(part.rect);
            line->point1->setCoords(place, 0);
            line->point2->setCoords(place, 1);
            line->setClipAxisRect(part.rect);
            line->setPen(QPen(color, 1, Qt::DashLine));
        }
    }
    x->setRange(-0.5, std::max(0.5, static_cast<double>(m_probe.measurements.size()) - 0.5));
    y->setRange(0, highest > 0 ? headroom * highest : 1);
    labelValues(part);
}

/// Labels as many values as fit.
void ProbePlot::labelValues(const Part &part)
{
    const auto count = static_cast<int>(m_probe.measurements.size());
    const int room =
        std::max(1, (width() / parts - leftMargin) / textScaled(labelWidth));  // the axis rects are not laid out yet
    const int every = std::max(1, (count + room - 1) / room);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int i = 0; i < count; i += every)
        ticker->addTick(i, QString::number(m_probe.measurements[static_cast<std::size_t>(i)].value, 'f', 0));
    part.rect->axis(QCPAxis::atBottom)->setTicker(ticker);
}

void ProbePlot::applyColors(const Part &part)
{
    const PlotColors colors = plotColors(palette());
    setBackground(colors.background);
    part.title->setTextColor(colors.subtleText);
    part.title->setFont(font());
    for (QCPAxis *axis : part.rect->axes()) {
        axis->setBasePen(QPen(colors.axis));
        axis->setTickPen(QPen(colors.axis));
        axis->setSubTickPen(QPen(Qt::NoPen));
        axis->setTickLabelColor(colors.subtleText);
        axis->setTickLabelFont(font());
        axis->grid()->setPen(QPen(colors.grid));
        axis->grid()->setZeroLinePen(QPen(colors.grid));
    }
}

}  // namespace sweepscope::ui
