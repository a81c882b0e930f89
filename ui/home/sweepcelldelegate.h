#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws the name of a sweep with its star and number, its progress as a bar with its count, and its best value over time
/// as a small curve.
class SweepCellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
