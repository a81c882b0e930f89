#pragma once

#include <QObject>
#include <QPointF>

class QCPItemRect;
class QMouseEvent;
class QWheelEvent;

namespace sweepscope::ui {

class LivePlot;
class PlotPane;

/// Mouse gestures on the plots; for keys, see PlotKeys. Wheel: zoom time at the pointer (over a y axis: that axis); only
/// with Ctrl if there is something to scroll.
/// Left drag: zoom to a box; a flat or narrow box zooms one axis. Middle or Shift drag: pan. Double click: reset and
/// follow. Drag a title to move its chart; click it to show the chart alone, or all again. Ctrl+drag, if the plot has
/// curves that can be selected: a box that selects them.
class PlotGestures : public QObject {
    Q_OBJECT

public:
    explicit PlotGestures(LivePlot *plot);

    /// The wheel scrolls the page, and zooms only with Ctrl.
    void setWheelScrollsPage() { m_wheelScrollsPage = true; }

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    enum class Drag { None, Box, Selection, Pan, Chart };
    bool press(QMouseEvent *event);
    bool move(QMouseEvent *event);
    bool release(QMouseEvent *event);
    bool wheel(QWheelEvent *event);
    void zoomBox(const QPointF &from, const QPointF &to);
    void showBox(const QPointF &from, const QPointF &to);
    void selectBox(const QPointF &from, const QPointF &to);
    void cancel();

    LivePlot *m_plot;
    QCPItemRect *m_box;
    bool m_wheelScrollsPage = false;
    Drag m_drag = Drag::None;
    int m_pane = 0;   ///< an index, because panes come and go during a drag
    QString m_chart;  ///< the dragged one
    QPointF m_from;
    QPointF m_last;
};

}  // namespace sweepscope::ui
