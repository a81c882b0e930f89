#pragma once

#include "ui/timeline/timelinepainter.h"

#include <QAbstractScrollArea>

#include <functional>
#include <optional>
#include <utility>

class QRubberBand;

namespace sweepscope::ui {

/// Devices as rows, attempts as bars. The wheel zooms at the pointer, a drag zooms to the covered range, Shift or the
/// middle button pans; a click or Return opens the trial. Until the user zooms, shows everything, including running
/// bars as they grow.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TimelineView(QWidget *parent = nullptr);

    void setTimeline(Timeline timeline);
    const Timeline &timeline() const { return m_timeline; }
    /// For a running sweep: its running bars end at this time.
    void setNow(WallNs now);

    bool isFitted() const { return !m_view.has_value(); }
    void fit();
    void zoom(double factor);  ///< above 1: zoom in, around the middle
    std::pair<WallNs, WallNs> visibleRange() const;
    /// Returns the rectangle of this trial's bar; empty if it is not visible.
    QRect rectOf(int trial, int attempt) const;
    void selectTrial(int trial, int attempt);
    int selectedTrial() const { return m_marks.selectedTrial; }
    /// Sets what the tooltip of a bar adds about its trial.
    void setTrialText(std::function<QString(int trial)> text) { m_trialText = std::move(text); }
    /// Paints what is visible, in another size and without marks.
    void paintPicture(QPainter *painter, const QSize &size) const;

Q_SIGNALS:
    void attemptSelected(int trial, int attempt);  ///< by the user
    void attemptActivated(int trial, int attempt);
    /// The item under the pointer or the selected one, as text; empty for none.
    void detailChanged(const QString &text);
    void fittedChanged(bool fitted);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    static constexpr WallNs narrowest = 1'000'000;  ///< 1 ms

    struct Found {
        int row = -1;
        const TimelineBar *bar = nullptr;
    };
    TimelineScale scale() const { return scaleIn(viewport()->size()); }
    TimelineScale scaleIn(const QSize &size) const;
    Found find(const QPoint &position) const;
    QString textOf(const Found &found, WallNs time) const;
    void setView(std::optional<std::pair<WallNs, WallNs>> view);
    void zoomAt(double factor, double x);
    void pan(double pixels);
    void updateBars();
    void select(int row, const TimelineBar &bar);
    void step(int rows, int bars);
    void setDetail(const QString &text);

    std::function<QString(int)> m_trialText;
    Timeline m_timeline;
    std::optional<std::pair<WallNs, WallNs>> m_view;  ///< nullopt: everything
    TimelineMarks m_marks;
    int m_selectedRow = -1;
    std::optional<QPoint> m_pressed;
    bool m_panning = false;
    int m_lastX = 0;
    QRubberBand *m_band;
    bool m_settingBars = false;
};

}  // namespace sweepscope::ui
