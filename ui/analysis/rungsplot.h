#pragma once

#include "analysis/savedbypruning.h"
#include "ui/plot/qcustomplotheader.h"

namespace sweepscope::ui {

/// A bar for each step at which trials were pruned: those that reached it, and the part that was pruned there. Left and
/// Right go from bar to bar.
class RungsPlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit RungsPlot(QWidget *parent = nullptr);

    void setSaved(analysis::SavedByPruning saved);
    const analysis::SavedByPruning &saved() const { return m_saved; }
    /// Returns the tooltip of a bar: the step and its numbers of trials.
    QString textOf(int rung) const;
    /// Returns the bar at a place in pixels, over its whole height; -1 if there is none.
    int rungAt(const QPointF &place) const;
    void paintPicture(QCPPainter *painter);

    QSize sizeHint() const override { return {300, 200}; }
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void applyColors();
    void choose(int rung);

    QCPBars *m_pruned;
    QCPBars *m_continued;
    analysis::SavedByPruning m_saved;
    int m_rung = -1;  ///< whose tooltip is shown
};

}  // namespace sweepscope::ui
