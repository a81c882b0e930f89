#pragma once

#include <QObject>
#include <QPointF>

#include <optional>
#include <vector>

class QCPItemLine;
class QCPItemText;

namespace sweepscope::ui {

class LivePlot;
class PlotPane;

/// A line through all plots at the pointer or where keys have moved it, with the time below it. It has a separate
/// layer, so that moving it redraws no curve.
class PlotCursor : public QObject {
    Q_OBJECT

public:
    explicit PlotCursor(LivePlot *plot);

    /// Its position on the x axis; nullopt while it is hidden.
    std::optional<double> position() const { return m_x; }
    /// Set by a key: stays until the pointer moves.
    void putAt(double x);
    bool isPut() const { return m_put.has_value(); }
    /// Hides a cursor that a key has set; returns false if there is none.
    bool release();
    /// Its values as text; requires a position.
    QString text() const;

Q_SIGNALS:
    void moved();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void place();
    void hide();
    const PlotPane *paneAbove(const QPointF &point) const;
    void moveTo(std::optional<QPointF> pointer, std::optional<double> x);

    LivePlot *m_plot;
    std::vector<QCPItemLine *> m_lines;  // one for each pane; owned by the plot
    QCPItemText *m_label;
    std::optional<QPointF> m_pointer;
    std::optional<double> m_put;
    std::optional<double> m_x;
};

}  // namespace sweepscope::ui
