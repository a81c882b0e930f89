#include "ui/media/histogramsview.h"

#include "ui/models/valuetext.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr QSize usualHistogramsSize(420, 420);
constexpr int rowsOfMap = 128;
constexpr double barsShare = 0.3;  ///< of the height

QColor between(const QColor &from, const QColor &to, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

}  // namespace

HistogramMap histogramMap(const std::vector<StepHistogram> &histograms, int rows)
{
    HistogramMap map;
    map.rows = rows;
    map.shares.assign(histograms.size() * static_cast<std::size_t>(rows), 0.0);
    bool isFirst = true;
    for (const StepHistogram &each : histograms) {
        if (each.histogram.edges.empty())
            continue;
        map.lowest = isFirst ? each.histogram.edges.front() : std::min(map.lowest, each.histogram.edges.front());
        map.highest = isFirst ? each.histogram.edges.back() : std::max(map.highest, each.histogram.edges.back());
        isFirst = false;
    }
    // Halves, because the whole range may be infinite.
    const double half = map.highest / 2 - map.lowest / 2;
    if (!(half > 0))
        return map;
    const auto rowOf = [&](double value) { return (1 - (value / 2 - map.lowest / 2) / half) * rows; };
    for (std::size_t column = 0; column < histograms.size(); ++column) {
        const media::Histogram &histogram = histograms[column].histogram;
        double *shares = map.shares.data() + column * static_cast<std::size_t>(rows);
        for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
            const double top = rowOf(histogram.edges[bin + 1]);
            const double bottom = rowOf(histogram.edges[bin]);
            if (!(bottom > top))
                continue;
            const double density = histogram.counts[bin] / (bottom - top);
            const int last = std::min(rows - 1, static_cast<int>(std::ceil(bottom)) - 1);
            for (int row = std::max(0, static_cast<int>(top)); row <= last; ++row)
                shares[row] += density * (std::min(bottom, row + 1.0) - std::max(top, static_cast<double>(row)));
        }
        const double most = *std::max_element(shares, shares + rows);
        for (int row = 0; most > 0 && row < rows; ++row)
            shares[row] /= most;
    }
    return map;
}

std::optional<HistogramRange> extended(const std::optional<HistogramRange> &range, const media::Histogram &histogram)
{
    if (histogram.edges.empty())
        return range;
    const HistogramRange own{histogram.edges.front(), histogram.edges.back()};
    return range ? HistogramRange{std::min(range->lowest, own.lowest), std::max(range->highest, own.highest)} : own;
}

void paintHistogram(QPainter *painter, const QRect &place, const media::Histogram &histogram,
                    const HistogramRange &range, const QColor &color)
{
    if (histogram.counts.empty() || place.width() < 2 || place.height() < 2)
        return;
    // Counts per width: bins of a script may differ.
    const double low = range.lowest / 2;
    const double half = range.highest / 2 - low;
    if (!(half > 0))
        return;
    double most = 0;
    std::vector<QRectF> bars;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const double left = (histogram.edges[bin] / 2 - low) / half;
        const double width = (histogram.edges[bin + 1] / 2 - low) / half - left;
        const double density = width > 0 ? histogram.counts[bin] / width : 0;
        most = std::max(most, density);
        bars.emplace_back(place.left() + left * place.width(), 0, std::max(1.0, width * place.width()), density);
    }
    for (QRectF &bar : bars) {
        const double height = most > 0 ? bar.height() / most * place.height() : 0;
        painter->fillRect(QRectF(bar.left(), place.bottom() + 1 - height, bar.width(), height), color);
    }
}

HistogramsView::HistogramsView(QWidget *parent) : QWidget(parent)
{
    setMinimumSize(120, 120);
}

void HistogramsView::setHistograms(std::vector<StepHistogram> histograms, std::int64_t current)
{
    m_histograms = std::move(histograms);
    m_current = current;
    m_map = histogramMap(m_histograms, rowsOfMap);
    draw();
}

QSize HistogramsView::sizeHint() const
{
    return usualHistogramsSize;
}

void HistogramsView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        draw();
    QWidget::changeEvent(event);
}

void HistogramsView::draw()
{
    m_picture = QImage(std::max(1, static_cast<int>(m_histograms.size())), rowsOfMap, QImage::Format_RGB32);
    const QColor background = plotColors(palette()).background;
    m_picture.fill(background);
    const QColor full = palette().color(QPalette::Highlight);
    for (int column = 0; column < static_cast<int>(m_histograms.size()); ++column) {
        for (int row = 0; row < rowsOfMap; ++row) {
            const double share =
                m_map.shares[static_cast<std::size_t>(column) * rowsOfMap + static_cast<std::size_t>(row)];
            if (share > 0)
                m_picture.setPixelColor(column, row, between(background, full, 0.15 + 0.85 * share));
        }
    }
    update();
}

void HistogramsView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_histograms.empty())
        return;
    const PlotColors colors = plotColors(palette());
    const int line = fontMetrics().height();
    const QString lowest = numberText(m_map.lowest);
    const QString highest = numberText(m_map.highest);
    const int left =
        std::max(fontMetrics().horizontalAdvance(lowest), fontMetrics().horizontalAdvance(highest)) + spacing::small;
    const int barsHeight = static_cast<int>(barsShare * height());
    const QRect bars(left, 0, width() - left, barsHeight - line - spacing::small);
    const QRect map(left, barsHeight, width() - left, height() - barsHeight - line - spacing::tiny);
    const auto current = std::ranges::find(m_histograms, m_current, &StepHistogram::step);
    painter.setPen(colors.subtleText);
    if (current != m_histograms.end()) {
        const auto range = extended({}, current->histogram);
        paintHistogram(&painter, bars, current->histogram, range.value_or(HistogramRange()),
                       palette().color(QPalette::Highlight));
        painter.drawLine(bars.bottomLeft() + QPoint(0, 1), bars.bottomRight() + QPoint(0, 1));
        const QRect below(left, bars.bottom() + 2, width() - left, line);
        if (!current->histogram.edges.empty()) {
            painter.drawText(below, Qt::AlignLeft, numberText(current->histogram.edges.front()));
            painter.drawText(below, Qt::AlignRight, numberText(current->histogram.edges.back()));
        }
        painter.drawText(below, Qt::AlignHCenter, tr("Step %L1").arg(m_current));
        const double notFinite = current->histogram.notFinite;
        if (notFinite > 0)
            painter.drawText(bars, Qt::AlignRight | Qt::AlignTop,
                             notFinite > 1 ? tr("%1 more values are NaN or infinite").arg(numberText(notFinite))
                                           : tr("1 more value is NaN or infinite"));
    }
    painter.drawImage(map, m_picture);
    painter.drawText(QRect(0, map.top(), left - spacing::tiny, line), Qt::AlignRight, highest);
    painter.drawText(QRect(0, map.bottom() - line, left - spacing::tiny, line), Qt::AlignRight, lowest);
    const QRect below(left, map.bottom() + 2, width() - left, line);
    painter.drawText(below, Qt::AlignLeft, QLocale().toString(static_cast<qlonglong>(m_histograms.front().step)));
    if (m_histograms.size() > 1)
        painter.drawText(below, Qt::AlignRight, QLocale().toString(static_cast<qlonglong>(m_histograms.back().step)));
    if (current != m_histograms.end()) {
        const double width = static_cast<double>(map.width()) / static_cast<double>(m_histograms.size());
        const double x = map.left() + (static_cast<double>(current - m_histograms.begin()) + 0.5) * width;
        painter.setPen(QPen(colors.cursor, 1));
        painter.drawLine(QPointF(x, map.top()), QPointF(x, map.bottom()));
    }
}

}  // namespace sweepscope::ui
