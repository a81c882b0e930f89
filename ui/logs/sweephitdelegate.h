#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Paints the text of a line with its match marked.
class SweepHitDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
