#pragma once

#include <QObject>
#include <QPointF>
#include <QString>
#include <QTimer>

namespace sweepscope::ui {

class CurveLegend;
class LivePlot;

/// The emphasized curve, common to plots and legend: the one under the mouse, or the current one of the legend, or
/// else the one set by setChosen().
class CurveEmphasis : public QObject {
    Q_OBJECT

public:
    CurveEmphasis(LivePlot *plot, CurveLegend *legend);

    /// The hiding key of the curve to emphasize as long as none is pointed at; empty for none.
    void setChosen(const QString &key);

Q_SIGNALS:
    /// The mouse is on another curve; an empty key: on none. `place`: on the screen.
    void pointedAt(const QString &key, const QPoint &place);
    /// The mouse button was pressed and released on a curve, and it was no double click.
    void clicked(const QString &key, Qt::KeyboardModifiers modifiers);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void point(const QPointF &at, const QPoint &place);
    void show(const QString &key);
    QString curveAt(const QPointF &point) const;

    LivePlot *m_plot;
    CurveLegend *m_legend;
    QString m_chosen;
    QString m_pointed;
    QString m_pressed;
    QPointF m_pressedAt;
    QString m_clicked;
    Qt::KeyboardModifiers m_modifiers;
    QTimer m_click;  ///< until it is no double click
};

}  // namespace sweepscope::ui
