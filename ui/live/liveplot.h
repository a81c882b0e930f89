#pragma once

#include "ui/live/plotframe.h"
#include "ui/live/plotpane.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

enum class XScale { WallTime, Relative, Step };

/// The plots of one trial above each other on one x axis. Follows what comes in until the person zooms; then nothing
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
    const std::vector<std::unique_ptr<PlotPane>> &panes() const { return m_panes; }
    /// The pane whose plot, title or axis is at this point; null between them.
    PlotPane *paneAt(const QPointF &point) const;
    const TimeTicker &timeTicker() const { return *m_timeTicker; }
    /// The chart, but for the first one, whose title is at this point; null: none is.
    PlotPane *titleAt(const QPointF &point) const;
    /// Among the charts below the first, where one would come that is dropped here.
    int placeAt(const QPointF &point) const;
    /// Marks that place; none: no more.
    void showInsertion(std::optional<int> place);
    /// The chart was dropped at placeAt().
    void moveChart(const QString &id, int place);
    void removeChart(const QString &id) { Q_EMIT chartRemoved(id); }

Q_SIGNALS:
    void viewChanged();  ///< ask for another frame
    void followingChanged(bool following);
    void updated();  ///< a frame was taken or the range changed: the cursor's values may differ
    void hiddenChanged();
    void chartMoved(const QString &id, int place);  ///< the person wants it there, among the others below the first
    void chartRemoved(const QString &id);           ///< the person wants it gone

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeStrips();
    std::shared_ptr<const PlotPanel> strip(std::size_t index) const;
    void applyRange(const QCPRange &range);
    void applyScale();
    void applyHeights();
    void applyColors();
    void takeView();

    std::vector<std::unique_ptr<PlotPane>> m_panes;  // the curves' first, never empty
    QCPMarginGroup *m_margins;
    QCPItemText *m_message;
    QCPItemLine *m_insertion = nullptr;
    QSharedPointer<TimeTicker> m_timeTicker;
    QSharedPointer<StepTicker> m_stepTicker;
    std::shared_ptr<const PlotFrame> m_frame = std::make_shared<PlotFrame>();
    QSet<QString> m_hidden;
    XScale m_scale = XScale::WallTime;
    bool m_logarithmic = false;
    bool m_following = true;
    quint64 m_view = 1;
    quint64 m_fittedView = 0;
};

/// What a device plot or a series is called: "GPU utilization", "loss".
QString panelTitle(const QString &id);

}  // namespace sweepscope::ui
