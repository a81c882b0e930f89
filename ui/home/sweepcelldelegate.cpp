#include "ui/home/sweepcelldelegate.h"

#include "ui/home/sweepbar.h"
#include "ui/models/sweeptablemodel.h"
#include "ui/theme/spacing.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {

namespace {

using Column = SweepTableModel::Column;

constexpr int barInCell = 6;
constexpr int barWidth = 120;
constexpr int curveWidth = 130;
constexpr double dotRadius = 2;

/// As a step function: a best value holds until a better one comes.
void paintCourse(QPainter *painter, const QRectF &area, const std::vector<double> &values, const QPalette &palette)
{
    if (values.empty())
        return;
    const double low = std::ranges::min(values);
    const double high = std::ranges::max(values);
    const double span = high > low ? high - low : 1;
    const auto y = [&](double value) {
        return high > low ? area.bottom() - (value - low) / span * area.height() : area.center().y();
    };
    const double step = values.size() > 1 ? area.width() / static_cast<double>(values.size() - 1) : 0;
    QPolygonF line;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = area.left() + step * static_cast<double>(i);
        if (i > 0)
            line << QPointF(x, line.back().y());
        line << QPointF(x, y(values[i]));
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(palette.color(QPalette::Link), 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
    painter->setPen(Qt::NoPen);
    painter->setBrush(palette.color(QPalette::Link));
    painter->drawEllipse(line.back(), dotRadius, dotRadius);
}

}  // namespace

void SweepCellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const auto summary = index.data(SweepTableModel::SummaryRole).value<SweepSummary>();
    const QRect inner = option.rect.adjusted(spacing::small, 0, -spacing::small, 0);
    painter->save();
    if (index.column() == static_cast<int>(Column::Course)) {
        const double height = inner.height() - 2.0 * spacing::small;
        paintCourse(
            painter,
            QRectF(inner.left() + dotRadius, inner.top() + spacing::small, inner.width() - 2 * dotRadius, height),
            summary.bestSoFar, option.palette);
    } else {
        const QRectF bar(inner.left(), inner.center().y() - barInCell / 2.0, barWidth, barInCell);
        paintSweepBar(painter, bar, summary, option.palette);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(inner.adjusted(barWidth + spacing::small, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter->restore();
}

QSize SweepCellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isCourse = index.column() == static_cast<int>(Column::Course);
    const int text = option.fontMetrics.horizontalAdvance(index.data().toString());
    return {isCourse ? curveWidth + 2 * spacing::small : barWidth + text + 4 * spacing::small,
            option.fontMetrics.height()};
}

}  // namespace sweepscope::ui
