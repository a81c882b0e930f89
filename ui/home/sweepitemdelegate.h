#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// One sweep of the side bar: icon, name and number, state and start, a progress bar, how far and how good.
class SweepItemDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
