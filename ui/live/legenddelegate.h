#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// One line of the legend: a dash of the curve's colour, its name, its value at the right.
class LegendDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
