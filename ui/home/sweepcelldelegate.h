#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// How far a sweep is, as a bar with its count, and how its best value came about, as a little curve.
class SweepCellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
