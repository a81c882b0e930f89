#pragma once

#include <QObject>
#include <QPointF>

class QCPItemRect;
class QMouseEvent;
class QWheelEvent;

namespace sweepscope::ui {

class LivePlot;
class PlotPane;

/// The mouse on the plots; keys: PlotKeys. Wheel: zoom time at the pointer (over a y axis: that axis). Left drag: box zoom; a flat
/// or a narrow box zooms one axis. Middle or Shift drag: pan. Double click: all of it, following again. A
/// chart is dragged by its title.
class PlotGestures : public QObject {
    Q_OBJECT

public:
    explicit PlotGestures(LivePlot *plot);

    /// The wheel is the page's, of which the plot is a part, and zooms with Ctrl.
    void setWheelScrollsPage() { m_wheelScrollsPage = true; }

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    enum class Drag { None, Box, Pan, Chart };
    bool press(QMouseEvent *event);
    bool move(QMouseEvent *event);
    bool release(QMouseEvent *event);
    bool wheel(QWheelEvent *event);
    void zoomBox(const QPointF &from, const QPointF &to);
    void showBox(const QPointF &from, const QPointF &to);
    void cancel();

    LivePlot *m_plot;
    QCPItemRect *m_box;
    bool m_wheelScrollsPage = false;
    Drag m_drag = Drag::None;
    int m_pane = 0;   ///< index: panes come and go under a drag
    QString m_chart;  ///< that is dragged
    QPointF m_from;
    QPointF m_last;
};

}  // namespace sweepscope::ui
