#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws a row of the legend: a dash in the curve's colour, its name, and its value on the right.
class LegendDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The width shows all of its text.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    static QString worstText();
};

}  // namespace sweepscope::ui
