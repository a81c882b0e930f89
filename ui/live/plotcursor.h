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

/// A thin line through all plots at the pointer, or where keys have put it, with the time below it. It is on a layer of its own, so that moving
/// the pointer redraws no curve.
class PlotCursor : public QObject {
    Q_OBJECT

public:
    explicit PlotCursor(LivePlot *plot);

    /// Where it stands on the x axis; empty while it is nowhere.
    std::optional<double> position() const { return m_x; }
    /// A key put it there: it stays until the pointer moves.
    void putAt(double x);
    bool isPut() const { return m_put.has_value(); }
    /// Away again; false: no key has put it anywhere.
    bool release();
    /// Where it stands, in words; it must stand somewhere.
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
