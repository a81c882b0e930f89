#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws a row of the importances: name, bar with the interval of the share, share.
class ImportanceDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

    /// Draws neither focus nor selection; also used for pictures.
    static void paintRow(QPainter *painter, const QRect &area, const QModelIndex &index, const QFont &font,
                         const QPalette &palette);
};

}  // namespace sweepscope::ui
