#pragma once

#include <QObject>
#include <QPointF>

#include <optional>

class QKeyEvent;

namespace sweepscope::ui {

class LivePlot;
class PlotCursor;
class PlotPane;

/// The plots by keyboard alone. Left, Right, + and -: move and zoom in time; with Ctrl: the cursor by a twentieth of the
/// plot; with Shift: to the next value; Escape: without a cursor. Up and Down: another chart is the current one, which
/// Delete removes and M lets fill the place, and back; with Ctrl they zoom its vertical axis, with Shift they move it. Home: everything, following.
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
    std::optional<QPointF> m_pointer;  ///< moved after the last key: what it points at is meant
};

}  // namespace sweepscope::ui
