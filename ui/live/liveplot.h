#pragma once

#include "ui/live/panegrid.h"
#include "ui/live/plotframe.h"
#include "ui/live/showncharts.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

enum class XScale { WallTime, Relative, Step };

/// The plots of one trial, in rows, on one x axis. Follows what comes in until the person zooms; then nothing
/// but the person moves the view. Gestures: PlotGestures; cursor: PlotCursor.
class LivePlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit LivePlot(QWidget *parent = nullptr);
    ~LivePlot() override;

    void setFrame(std::shared_ptr<const PlotFrame> frame);
    void setFrame(const PlotFrame &frame) { setFrame(std::make_shared<PlotFrame>(frame)); }
    const PlotFrame &frame() const { return *m_frame; }
    /// Empty plots with this sentence in the middle; an empty text takes it away.
    void setMessage(const QString &text);

    void setXScale(XScale scale);
    XScale xScale() const { return m_scale; }
    void setLogarithmic(bool logarithmic);
    bool isLogarithmic() const { return m_logarithmic; }

    /// Where y axes are fitted to what curves show, single values far from all others do not count.
    void setIgnoringOutliers(bool ignoring);
    bool ignoresOutliers() const { return m_ignoresOutliers; }
    /// The curves that are hidden by this name stand out; an empty one: none do.
    void setEmphasized(const QString &key);
    const QString &emphasized() const { return m_emphasized; }

    const QSet<QString> &hidden() const { return m_hidden; }
    void setHidden(const QSet<QString> &hidden);

    /// Following: the whole attempt, growing. Any zoom or pan ends it.
    bool isFollowing() const { return m_following; }
    void follow();
    /// Fills in what the person looks at: axis, range, width, and a count that grows with each change.
    void fillRequest(PlotRequest &request) const;

    // For gestures: each is the person's doing, so it ends following.
    void setXRange(QCPRange range);
    void setYRange(PlotPane &pane, QCPRange range);
    QCPRange xRange() const;
    const std::vector<std::unique_ptr<PlotPane>> &panes() const { return m_grid.panes(); }
    /// The pane whose plot, title or axis is at this point; null between them.
    PlotPane *paneAt(const QPointF &point) const { return m_grid.paneAt(point); }
    const TimeTicker &timeTicker() const { return *m_timeTicker; }
    /// The chart that keys act on: the one that was clicked or chosen last, the first one before.
    PlotPane &currentPane() const;
    void choose(const PlotPane &pane);
    /// The one before (-1) or behind (1).
    void chooseBeside(int step);
    QRect currentPlace() const;
    /// This chart fills the whole place while a trial has it; an empty id: all have their places again.
    void setAlone(const QString &id);
    /// The id of the one that does now; empty: none.
    QString alone() const;
    /// What stands under the cursor, in words, for assistive programs.
    void tell(const QString &values);
    const QString &told() const { return m_told; }
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
    /// False: nothing can be moved or removed.
    void setArrangeable(bool arrangeable) { m_isArrangeable = arrangeable; }
    /// The id of the chart that this pane shows.
    const QString &chartOf(const PlotPane &pane) const { return m_grid.cells()[m_grid.indexOf(pane)].chart; }
    /// The chart that can be dragged here, by its title; null: none can.
    PlotPane *titleAt(const QPointF &point) const;
    /// Where a chart would go that is dropped here. None: it would stay where it is.
    std::optional<ChartPlace> placeAt(const QPointF &point, const QString &dragged) const
    {
        return m_grid.placeAt(point, dragged);
    }
    /// Marks that place; none: no more.
    void showInsertion(const std::optional<ChartPlace> &place);
    void moveChart(const QString &id, const ChartPlace &place) { Q_EMIT chartMoved(id, place); }
    void removeChart(const QString &id);

Q_SIGNALS:
    void viewChanged();  ///< ask for another frame
    void followingChanged(bool following);
    void updated();  ///< a frame was taken or the range changed: the cursor's values may differ
    void hiddenChanged();
    void chartMoved(const QString &id, const sweepscope::ui::ChartPlace &place);  ///< the person wants it there
    void chartRemoved(const QString &id);                                         ///< the person wants it gone
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
    void takeView();

    PaneGrid m_grid;  ///< never empty
    QCPItemText *m_message;
    QCPItemLine *m_insertion = nullptr;
    QSharedPointer<TimeTicker> m_timeTicker;
    QSharedPointer<StepTicker> m_stepTicker;
    std::shared_ptr<const PlotFrame> m_frame = std::make_shared<PlotFrame>();
    QSet<QString> m_hidden;
    QString m_current;  ///< id of a chart, which may be gone
    QString m_alone;    ///< likewise; empty: all are shown
    QString m_told;
    XScale m_scale = XScale::WallTime;
    QString m_emphasized;
    bool m_logarithmic = false;
    bool m_ignoresOutliers = false;
    bool m_following = true;
    bool m_isArrangeable = true;
    quint64 m_view = 1;
    quint64 m_fittedView = 0;
};

}  // namespace sweepscope::ui
