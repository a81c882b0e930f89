#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

struct RunningTrial;

/// Sweep, ranks and devices in this width: the name of the sweep gives way first, then the ranks. The tool tip has all.
QString placeText(const RunningTrial &trial, const QFontMetrics &metrics, int width);

/// Draws a running trial as a tile: number and state, curve, step, rate, time left, ranks and devices. A small one, for
/// many trials, leaves out what its tool tip says.
class TrialTileDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    enum class Size { Large, Small };
    /// The least that one needs, with this font.
    static QSize smallest(Size size, const QFontMetrics &metrics);

    void setTile(Size size, const QSize &extent);
    /// The row that is shown large; -1: none.
    void setShown(int row) { m_shown = row; }
    int shown() const { return m_shown; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return m_extent; }

private:
    void paintLarge(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                    const RunningTrial &trial) const;
    void paintSmall(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                    const RunningTrial &trial) const;

    Size m_size = Size::Large;
    QSize m_extent{240, 72};
    int m_shown = -1;
};

}  // namespace sweepscope::ui
