#pragma once

#include <QStyledItemDelegate>

namespace sweepscope::ui {

struct RunningTrial;

/// Returns sweep, ranks and devices in this width: elides the sweep's name first, then the ranks. The tooltip has all
/// of it.
QString placeText(const RunningTrial &trial, const QFontMetrics &metrics, int width);

/// Draws a running trial as a tile: number and state, curve, step, rate, time left, ranks and devices. A small tile,
/// for many trials, leaves out details that its tooltip has.
class TrialTileDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    enum class Size { Large, Small };
    /// The minimum size of a tile with this font.
    static QSize smallest(Size size, const QFontMetrics &metrics);

    void setTile(Size size, const QSize &extent);
    /// The row of the selected trial; -1 if none.
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
