#pragma once

#include "ui/live/attemptmarks.h"
#include "ui/live/axistickers.h"
#include "ui/live/curveitem.h"
#include "ui/live/densecurves.h"
#include "ui/live/panelview.h"
#include "ui/live/plotframe.h"
#include "ui/live/qcustomplotheader.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

struct PlotColors;

/// One plot of the live view: a title line, an axis rect and its curves. Several stand above and beside each other in
/// one QCustomPlot and share their left and right margins.
class PlotPane {
public:
    /// Stands nowhere until placeIn().
    PlotPane(QCustomPlot *plot, PanelKind kind, QCPMarginGroup *margins);
    /// Takes its elements out of the plot.
    ~PlotPane();
    PlotPane(const PlotPane &) = delete;
    PlotPane &operator=(const PlotPane &) = delete;

    /// At the end of this row; its former place is empty.
    void placeIn(QCPLayoutGrid *row);

    PanelKind kind() const { return m_kind; }
    QCPAxisRect *area() const { return m_area; }
    QRect titleArea() const { return m_title->outerRect(); }
    /// All of it: title, plot and axes.
    QRect outerArea() const { return titleArea().united(m_area->outerRect()); }
    QCPAxis *xAxis() const { return m_area->axis(QCPAxis::atBottom); }
    QCPAxis *yAxis() const { return m_area->axis(QCPAxis::atLeft); }
    const PlotPanel &panel() const { return *m_panel; }
    DisplayUnit unit() const { return m_unit; }

    /// Of a frame, which is kept as long as it is shown.
    void setPanel(const std::shared_ptr<const PlotPanel> &panel, const QSet<QString> &hidden);
    void setTitle(const QString &title);
    const QString &title() const { return m_titleText; }
    /// With the unit, and a word where values are left out.
    QString shownTitle() const { return m_title->text(); }
    void setLogarithmic(bool logarithmic);
    void setIgnoringOutliers(bool ignoring) { m_ignoresOutliers = ignoring; }
    /// The curve that is hidden by this name stands out, the others are faint; none has it: all are as usual.
    void setEmphasized(const QString &key);
    /// The name by which the curve at this point is hidden; empty: there is none, or there are too many to tell.
    QString curveAt(const QPointF &point) const;
    void setColors(const PlotColors &colors);
    void showTickLabels(bool show);
    /// Fixed, without labels and margins; for strips, so that all are equal. None: as much as there is.
    void setHeight(std::optional<int> height);
    /// As many labels at the y axis as its height has room for; true: it was another number before.
    bool fitTicks();

    /// The y range that shows what is visible between these.
    void fitY(double from, double to);
    /// The person chose the y range: fitY() leaves it until the next release.
    void pinY(bool pinned);
    bool yPinned() const { return m_yPinned; }
    /// How the curves would be drawn ahead, as it looks now.
    PictureRequest picture() const;
    bool wasDrawnAhead() const { return m_dense->wasDrawnAhead(); }
    bool wasStretched() const { return m_dense->wasStretched(); }
    /// The next frame is for another view than the last one.
    void setAwaiting(bool awaiting) { m_dense->setAwaiting(awaiting); }

private:
    void updateUnit();
    void showTitle();
    void setLeavingOut(bool leaving);
    void colorCurves();
    void showEmphasis();
    QColor commonColor() const;
    QColor colorOf(const PlotCurve &curve) const;

    QCustomPlot *m_plot;
    PanelKind m_kind;
    QCPLayoutGrid *m_cell;  // has the next two
    QCPTextElement *m_title;
    QCPAxisRect *m_area;
    AttemptMarks *m_marks;              // owned by the plot
    DenseCurves *m_dense;               // owned by the plot
    std::vector<CurveItem *> m_curves;  // owned by the plot
    QSharedPointer<UnitTicker> m_linearTicker;
    QSharedPointer<LogTicker> m_logTicker;
    std::shared_ptr<const PlotPanel> m_panel = std::make_shared<PlotPanel>();
    DisplayUnit m_unit;
    QString m_titleText;
    QSet<QString> m_hidden;
    QString m_emphasized;
    bool m_ignoresOutliers = false;
    bool m_leavesOut = false;  ///< values beyond the fitted range
    bool m_logarithmic = false;
    bool m_yPinned = false;
};

}  // namespace sweepscope::ui
