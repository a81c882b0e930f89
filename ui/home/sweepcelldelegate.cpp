#include "ui/home/sweepcelldelegate.h"

#include "ui/home/sweepbar.h"
#include "ui/models/sweeptablemodel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

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

void paintName(QPainter *painter, const QRect &area, const QStyleOptionViewItem &cell, const QModelIndex &index)
{
    QRect left = area;
    if (index.data(SweepTableModel::StarredRole).toBool()) {
        const int size = textScaled(spacing::iconSize);
        symbolIcon(u"starred"_s).paint(painter, QRect(left.left(), left.center().y() - size / 2, size, size));
        left.setLeft(left.left() + size + spacing::tiny);
    }
    const QString number = u"#%1"_s.arg(index.data(SweepTableModel::IdRole).toLongLong());
    const QFont numberFont = smallFont(cell.widget ? cell.widget->font() : cell.font);
    const int numberWidth = QFontMetrics(numberFont).horizontalAdvance(number) + spacing::small;
    const QString name =
        cell.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, left.width() - numberWidth);
    painter->setFont(cell.font);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter, name);
    left.setLeft(left.left() + cell.fontMetrics.horizontalAdvance(name) + spacing::small);
    painter->setFont(numberFont);
    painter->setPen(subtleTextColor(cell.palette));
    painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter, number);
}

}  // namespace

void SweepCellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (!index.data(SweepTableModel::IdRole).isValid())  // a group
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const auto summary = index.data(SweepTableModel::SummaryRole).value<SweepSummary>();
    const QRect inner = option.rect.adjusted(spacing::small, 0, -spacing::small, 0);
    painter->save();
    if (index.column() == static_cast<int>(Column::Name)) {
        paintName(painter, inner, cell, index);
    } else if (index.column() == static_cast<int>(Column::Course)) {
        const double height = inner.height() - 2.0 * spacing::small;
        paintCourse(
            painter,
            QRectF(inner.left() + dotRadius, inner.top() + spacing::small, inner.width() - 2 * dotRadius, height),
            summary.bestSoFar, option.palette);
    } else {
        const int room = inner.width() - option.fontMetrics.horizontalAdvance(text) - spacing::small;
        const int width = std::clamp(room, 0, barWidth);
        const QRectF bar(inner.left(), inner.center().y() - barInCell / 2.0, width, barInCell);
        paintSweepBar(painter, bar, summary, option.palette);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(inner.adjusted(width + spacing::small, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter->restore();
}

QSize SweepCellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (index.column() == static_cast<int>(Column::Name)) {
        const int star = index.data(SweepTableModel::StarredRole).toBool() ? textScaled(spacing::iconSize) : 0;
        const QString number = u" #%1"_s.arg(index.data(SweepTableModel::IdRole).toLongLong());
        return QStyledItemDelegate::sizeHint(option, index)
               + QSize(star + option.fontMetrics.horizontalAdvance(number) + 2 * spacing::small, 0);
    }
    const bool isCourse = index.column() == static_cast<int>(Column::Course);
    const int text = option.fontMetrics.horizontalAdvance(index.data().toString());
    return {isCourse ? curveWidth + 2 * spacing::small : barWidth + text + 4 * spacing::small,
            option.fontMetrics.height()};
}

}  // namespace sweepscope::ui
