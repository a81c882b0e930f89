#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws a sweep in the side bar: icon, name and number, state and start time, progress bar, progress and best value.
class SweepItemDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
