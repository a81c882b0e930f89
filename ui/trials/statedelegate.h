#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws a trial's state: icon and text, and the progress while it runs.
class StateDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
