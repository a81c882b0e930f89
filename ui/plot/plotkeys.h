#pragma once

#include <QObject>
#include <QPointF>

#include <optional>

class QKeyEvent;

namespace sweepscope::ui {

class LivePlot;
class PlotCursor;
class PlotPane;

/// Controls the plots by keyboard. Left, Right, + and - move and zoom in time; with Ctrl, Left and Right move the
/// cursor by a twentieth of the plot, with Shift to the next value; Escape hides it. Up and Down select another chart,
/// Delete removes it, M maximizes and restores it; with Ctrl, Up and Down zoom its vertical axis, with Shift they move
/// it. Home resets and follows.
class PlotKeys : public QObject {
    Q_OBJECT

public:
    PlotKeys(LivePlot *plot, PlotCursor *cursor);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    bool key(const QKeyEvent &event);
    bool moveInTime(int direction, Qt::KeyboardModifiers modifiers);
    bool moveUpOrDown(int direction, Qt::KeyboardModifiers modifiers);
    void moveCursor(int direction, bool far);
    const PlotPane *meantPane() const;
    bool removeChart();
    bool fillPlace();

    LivePlot *m_plot;
    PlotCursor *m_cursor;
    std::optional<QPointF> m_pointer;  ///< set if it moved after the last key: then keys act on what is under it
};

}  // namespace sweepscope::ui
