#include "ui/exporting/reportchart.h"

#include "ui/exporting/pagelayout.h"
#include "ui/models/axisscale.h"

#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

struct ReportChartWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::PdfReport)
};

constexpr double legendHeight = 16 * pagePoint;
constexpr double stepsHeight = 26 * pagePoint;  ///< ticks and title of the lower axis
constexpr int mostValueTicks = 6;
constexpr int mostStepTicks = 8;
const QColor gridColor(0xe3, 0xe7, 0xea);
const QColor textColor(0x5c, 0x66, 0x70);

using Kind = ReportCurve::Kind;
constexpr Kind kinds[] = {Kind::Other, Kind::Pruned, Kind::Completed, Kind::Best};  // the best one on top

QColor colorOf(Kind kind)
{
    switch (kind) {
    case Kind::Completed:
        return {0x1f, 0x77, 0xb4};
    case Kind::Pruned:
        return {0x8c, 0x6b, 0xb1};
    case Kind::Best:
        return {0xd1, 0x49, 0x0c};
    case Kind::Other:
        break;
    }
    return {0x7a, 0x85, 0x8f};
}

/// Opaque, because translucent lines multiply the size of a PDF.
QColor faded(const QColor &color)
{
    const auto part = [](int value) { return (value + 255) / 2; };
    return {part(color.red()), part(color.green()), part(color.blue())};
}

QString nameOf(Kind kind, const QString &best)
{
    switch (kind) {
    case Kind::Completed:
        return ReportChartWords::tr("completed");
    case Kind::Pruned:
        return ReportChartWords::tr("pruned");
    case Kind::Best:
        return best;
    case Kind::Other:
        break;
    }
    return ReportChartWords::tr("failed or not finished");
}

QFont chartFont()
{
    QFont font;
    font.setPixelSize(qRound(7.5 * pagePoint));
    return font;
}

void paintLegend(QPainter &painter, double x, double y, const std::vector<ReportCurve> &curves, const QString &best)
{
    const QFontMetricsF metrics(painter.font());
    for (auto kind = std::rbegin(kinds); kind != std::rend(kinds); ++kind) {
        if (std::ranges::none_of(
                curves, [kind](const ReportCurve &curve) { return curve.kind == *kind && !curve.points.empty(); }))
            continue;
        painter.setPen(QPen(*kind == Kind::Best ? colorOf(*kind) : faded(colorOf(*kind)),
                            *kind == Kind::Best ? 1.8 * pagePoint : 1.2 * pagePoint));
        painter.drawLine(QPointF(x, y), QPointF(x + 14 * pagePoint, y));
        const QString name = nameOf(*kind, best);
        painter.setPen(textColor);
        painter.drawText(QPointF(x + 18 * pagePoint, y + metrics.capHeight() / 2), name);
        x += 18 * pagePoint + metrics.horizontalAdvance(name) + 14 * pagePoint;
    }
}

}  // namespace

bool isLogarithmic(std::vector<double> values)
{
    if (values.empty())
        return false;
    std::sort(values.begin(), values.end());
    const double middle = values[values.size() / 2];
    return values.front() > 0 && values.back() / values.front() > 100
           && values.back() - values.front() > 20 * (middle - values.front());
}

bool hasFinitePoint(const std::vector<ReportCurve> &curves)
{
    return std::ranges::any_of(curves, [](const ReportCurve &curve) {
        return std::ranges::any_of(curve.points, [](const feed::Point &point) { return std::isfinite(point.value); });
    });
}

void paintReportChart(QPainter &painter, const QRectF &area, const std::vector<ReportCurve> &curves,
                      const QString &objective, const QString &bestName)
{
    std::vector<double> values;
    std::vector<double> steps;
    for (const ReportCurve &curve : curves) {
        for (const feed::Point &point : curve.points) {
            if (!std::isfinite(point.value))
                continue;
            values.push_back(point.value);
            steps.push_back(static_cast<double>(point.step));
        }
    }
    AxisScale step = scaleOf(steps, false);
    step.isWhole = true;
    const AxisScale value = scaleOf(values, isLogarithmic(values));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font());

    const std::vector<AxisTick> valueTicks = value.ticks(value.lowest(), value.highest(), mostValueTicks);
    double left = 0;
    for (const AxisTick &tick : valueTicks)
        left = std::max(left, metrics.horizontalAdvance(tick.text));
    const QRectF plot = area.adjusted(left + 6 * pagePoint, legendHeight, 0, -stepsHeight);
    for (const AxisTick &tick : valueTicks) {
        const double y = plot.bottom() - value.positionOfUnit(tick.unit) * plot.height();
        painter.setPen(QPen(gridColor, 0.5 * pagePoint));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(textColor);
        painter.drawText(
            QPointF(plot.left() - 5 * pagePoint - metrics.horizontalAdvance(tick.text), y + metrics.capHeight() / 2),
            tick.text);
    }
    painter.setPen(QPen(textColor, 0.5 * pagePoint));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    for (const AxisTick &tick : step.ticks(step.lowest(), step.highest(), mostStepTicks)) {
        const double x = plot.left() + step.positionOfUnit(tick.unit) * plot.width();
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 2.5 * pagePoint));
        const double half = metrics.horizontalAdvance(tick.text) / 2;
        painter.drawText(QPointF(std::min(x - half, plot.right() - 2 * half), plot.bottom() + 10.5 * pagePoint),
                         tick.text);
    }
    const QString stepTitle = ReportChartWords::tr("Step");
    painter.drawText(
        QPointF(plot.center().x() - metrics.horizontalAdvance(stepTitle) / 2, plot.bottom() + 20 * pagePoint),
        stepTitle);
    painter.drawText(QPointF(area.left(), area.top() + metrics.ascent()),
                     metrics.elidedText(objective, Qt::ElideRight, area.width() / 3));
    paintLegend(painter,
                area.left() + std::min(metrics.horizontalAdvance(objective), area.width() / 3) + 18 * pagePoint,
                area.top() + metrics.ascent() - metrics.capHeight() / 2, curves, bestName);

    painter.setClipRect(plot.adjusted(-2 * pagePoint, -2 * pagePoint, 2 * pagePoint, 2 * pagePoint));
    const double usual = (curves.size() > 200 ? 0.3 : 0.7) * pagePoint;
    for (const Kind kind : kinds) {
        const QColor color = kind == Kind::Best ? colorOf(kind) : faded(colorOf(kind));
        for (const ReportCurve &curve : curves) {
            if (curve.kind != kind)
                continue;
            QPainterPath path;
            bool isDrawing = false;
            for (const feed::Point &point : curve.points) {
                if (!std::isfinite(point.value)) {
                    isDrawing = false;
                    continue;
                }
                const QPointF place(plot.left() + step.positionOf(static_cast<double>(point.step)) * plot.width(),
                                    plot.bottom() - value.positionOf(point.value) * plot.height());
                if (std::exchange(isDrawing, true))
                    path.lineTo(place);
                else
                    path.moveTo(place);
            }
            painter.setPen(
                QPen(color, kind == Kind::Best ? 1.6 * pagePoint : usual, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            if (path.elementCount() > 1) {
                painter.drawPath(path);
            } else if (path.elementCount() == 1) {
                painter.setBrush(color);
                painter.drawEllipse(path.currentPosition(), pagePoint, pagePoint);
                painter.setBrush(Qt::NoBrush);
            }
        }
    }
}

}  // namespace sweepscope::ui
