#pragma once

#include <QStyledItemDelegate>

#include <array>

namespace sweepscope::ui {

/// Draws a GPU's row: bars with their numbers next to them, unknown values in a subtle colour.
class DeviceRowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Reserves `width` for the number, so that all bars of a column end at the same position.
    void setNumberWidth(int column, int width);
    /// The margins on the left and right of a cell's content.
    static int margins();

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    void paintBar(QPainter *painter, const QStyleOptionViewItem &cell, const QModelIndex &index) const;
    static void paintTitle(QPainter *painter, const QStyleOptionViewItem &cell, const QModelIndex &index);

    std::array<int, 2> m_numberWidths{};
};

}  // namespace sweepscope::ui
