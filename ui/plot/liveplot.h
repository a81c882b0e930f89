#pragma once

#include "ui/plot/colorkey.h"
#include "ui/plot/panegrid.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/showncharts.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

enum class XScale { WallTime, Relative, Step };

/// The plots of one trial, in rows, on one x axis. Follows new data until the user zooms; from then on only the user
/// changes the view. Gestures: PlotGestures; cursor: PlotCursor.
class LivePlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit LivePlot(QWidget *parent = nullptr);
    ~LivePlot() override;

    void setFrame(std::shared_ptr<const PlotFrame> frame);
    void setFrame(const PlotFrame &frame) { setFrame(std::make_shared<PlotFrame>(frame)); }
    const PlotFrame &frame() const { return *m_frame; }
    /// Shows empty plots with this sentence in the middle; an empty text removes it.
    void setMessage(const QString &text);

    void setXScale(XScale scale);
    XScale xScale() const { return m_scale; }
    void setLogarithmic(bool logarithmic);
    bool isLogarithmic() const { return m_logarithmic; }

    /// Ignores outliers when y axes are fitted to curves.
    void setIgnoringOutliers(bool ignoring);
    bool ignoresOutliers() const { return m_ignoresOutliers; }
    /// Emphasizes the curves with this hiding key; empty for none.
    void setEmphasized(const QString &key);
    const QString &emphasized() const { return m_emphasized; }

    const QSet<QString> &hidden() const { return m_hidden; }
    void setHidden(const QSet<QString> &hidden);

    /// What the colors of trials mean, for the key of a picture.
    void setColorKey(const ColorKey &key) { m_colorKey = key; }
    const ColorKey &colorKey() const { return m_colorKey; }

    /// Following shows the whole growing attempt. Any zoom or pan ends it.
    bool isFollowing() const { return m_following; }
    void follow();
    /// Adds the user's view: axis, range, width, and a number that increases with each change.
    void fillRequest(PlotRequest &request) const;

    // For gestures by the user, so it ends following.
    void setXRange(QCPRange range);
    void setYRange(PlotPane &pane, QCPRange range);
    QCPRange xRange() const;
    const std::vector<std::unique_ptr<PlotPane>> &panes() const { return m_grid.panes(); }
    /// Returns the pane whose plot, title or axis is at this point; null between panes.
    PlotPane *paneAt(const QPointF &point) const { return m_grid.paneAt(point); }
    const TimeTicker &timeTicker() const { return *m_timeTicker; }
    /// The chart that keys act on: the last one clicked or selected, initially the first.
    PlotPane &currentPane() const;
    void choose(const PlotPane &pane);
    /// Selects the previous (-1) or the next (1) chart.
    void chooseBeside(int step);
    QRect currentPlace() const;
    /// Shows this chart alone while a trial has it; an empty id shows all charts again.
    void setAlone(const QString &id);
    /// The id of the chart shown alone; empty for none.
    QString alone() const;
    /// Updates the text of the cursor for assistive programs.
    void setCursorText(const QString &values);
    const QString &cursorText() const { return m_cursorText; }
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
    /// If false, charts cannot be moved or removed.
    void setArrangeable(bool arrangeable) { m_isArrangeable = arrangeable; }
    /// If true, curves can be selected with the mouse.
    void setSelectable(bool selectable) { m_isSelectable = selectable; }
    bool isSelectable() const { return m_isSelectable; }
    void selectCurves(const QStringList &keys) { Q_EMIT curvesSelected(keys); }
    /// Returns the id of the chart in this pane.
    const QString &chartOf(const PlotPane &pane) const { return m_grid.cells()[m_grid.indexOf(pane)].chart; }
    /// Returns the chart that can be moved or enlarged by its title at this point; null for none.
    PlotPane *titleAt(const QPointF &point) const;
    /// Returns the place of a chart dropped here; nullopt if it would not move.
    std::optional<ChartPlace> placeAt(const QPointF &point, const QString &dragged) const
    {
        return m_grid.placeAt(point, dragged);
    }
    /// Marks the place; nullopt removes the mark.
    void showInsertion(const std::optional<ChartPlace> &place);
    void moveChart(const QString &id, const ChartPlace &place) { Q_EMIT chartMoved(id, place); }
    void removeChart(const QString &id);

Q_SIGNALS:
    void viewChanged();  ///< another frame is needed
    void followingChanged(bool following);
    void updated();  ///< there is a new frame or range: the cursor's values may differ
    void hiddenChanged();
    void curvesSelected(const QStringList &keys);                                 ///< hiding keys, by the user
    void chartMoved(const QString &id, const sweepscope::ui::ChartPlace &place);  ///< by the user
    void chartRemoved(const QString &id);                                         ///< by the user
    void currentChanged(const QRect &place);
    void aloneChanged(bool isAlone);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    std::vector<ShownChart> chartsToShow() const;
    void arrange(const std::vector<PaneGrid::Cell> &cells);
    void describe();
    void fitTimeTicks();
    PlotPane *chosenPane() const;
    void applyRange(const QCPRange &range);
    void applyScale();
    void applyHeights();
    void applyColors();
    void commitView();

    PaneGrid m_grid;  ///< never empty
    QCPItemText *m_message;
    QCPItemLine *m_insertion = nullptr;
    QSharedPointer<TimeTicker> m_timeTicker;
    QSharedPointer<StepTicker> m_stepTicker;
    std::shared_ptr<const PlotFrame> m_frame = std::make_shared<PlotFrame>();
    QSet<QString> m_hidden;
    QString m_current;  ///< id of a chart, which may no longer exist
    QString m_alone;    ///< id of a chart, which may not exist; empty: all are shown
    QString m_cursorText;
    XScale m_scale = XScale::WallTime;
    QString m_emphasized;
    ColorKey m_colorKey;
    bool m_logarithmic = false;
    bool m_ignoresOutliers = false;
    bool m_following = true;
    bool m_isArrangeable = true;
    bool m_isSelectable = false;
    quint64 m_view = 1;
    quint64 m_fittedView = 0;
};

}  // namespace sweepscope::ui
