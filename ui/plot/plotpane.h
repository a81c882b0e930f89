#pragma once

#include "ui/plot/attemptmarks.h"
#include "ui/plot/axistickers.h"
#include "ui/plot/curveitem.h"
#include "ui/plot/densecurves.h"
#include "ui/plot/panelview.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/qcustomplotheader.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

struct PlotColors;

/// A plot of the live view: title, axis rect and curves. All plots are part of one QCustomPlot and share their left and
/// right margins.
class PlotPane {
public:
    /// Not in the layout until placeIn().
    PlotPane(QCustomPlot *plot, PanelKind kind, QCPMarginGroup *margins);
    /// Removes its elements from the plot.
    ~PlotPane();
    PlotPane(const PlotPane &) = delete;
    PlotPane &operator=(const PlotPane &) = delete;

    /// Appends the pane to the row, and leaves its previous cell empty.
    void placeIn(QCPLayoutGrid *row);

    PanelKind kind() const { return m_kind; }
    QCPAxisRect *area() const { return m_area; }
    QRect titleArea() const { return m_title->outerRect(); }
    /// Title, plot and axes.
    QRect outerArea() const { return titleArea().united(m_area->outerRect()); }
    QCPAxis *xAxis() const { return m_area->axis(QCPAxis::atBottom); }
    QCPAxis *yAxis() const { return m_area->axis(QCPAxis::atLeft); }
    const PlotPanel &panel() const { return *m_panel; }
    DisplayUnit unit() const { return m_unit; }

    /// Shares ownership of the frame that contains the panel.
    void setPanel(const std::shared_ptr<const PlotPanel> &panel, const QSet<QString> &hidden);
    void setTitle(const QString &title);
    const QString &title() const { return m_titleText; }
    /// With the unit, and the values that are left out.
    QString shownTitle() const { return m_title->text(); }
    /// In a picture the y axis has a name, if there is room, and the title names no keys.
    void setInPicture(bool isInPicture);
    void setLogarithmic(bool logarithmic);
    void setIgnoringOutliers(bool ignoring) { m_ignoresOutliers = ignoring; }
    /// Emphasizes the curve with this hiding key and makes the others faint; without such a curve, shows all as usual.
    void setEmphasized(const QString &key);
    /// Returns the hiding key of the curve at this point, which is not faint; empty if there is none, or if the curves of ranks are too
    /// dense to tell.
    QString curveAt(const QPointF &point) const;
    /// Returns the hiding keys of the curves that pass through this area, without faint ones.
    QStringList curvesIn(const QRectF &place) const;
    void setColors(const PlotColors &colors);
    void showTickLabels(bool show);
    /// Fixes the height without labels and margins, so that strips are equal; nullopt: the available height.
    void setHeight(std::optional<int> height);
    /// Fits the number of y labels to the height; returns true if it changed.
    bool fitTicks();

    /// Fits the y range to what is visible between `from` and `to`.
    void fitY(double from, double to);
    /// The user chose the y range: fitY() keeps it until it is unpinned.
    void pinY(bool pinned);
    bool yPinned() const { return m_yPinned; }
    /// The current look, for drawing curves ahead.
    PictureRequest picture() const;
    bool wasDrawnAhead() const { return m_dense->wasDrawnAhead(); }
    bool wasStretched() const { return m_dense->wasStretched(); }
    /// The next frame is for another view than the last one.
    void setAwaiting(bool awaiting) { m_dense->setAwaiting(awaiting); }

private:
    void updateUnit();
    void showTitle();
    QString titleWithUnit() const;
    void setLeftOut(const QString &values);
    void setItems(bool dense);
    void colorCurves();
    void showEmphasis();
    QColor commonColor() const;
    QColor colorOf(const PlotCurve &curve) const;

    QCustomPlot *m_plot;
    PanelKind m_kind;
    QCPLayoutGrid *m_cell;  // parent of the next two
    QCPTextElement *m_title;
    QCPAxisRect *m_area;
    AttemptMarks *m_marks;               // owned by the plot
    DenseCurves *m_dense;                // owned by the plot
    std::vector<CurveItem *> m_curves;   // owned by the plot; see mostCurveItems
    std::vector<std::size_t> m_indices;  ///< in the panel, of the curves that have an item
    QSharedPointer<UnitTicker> m_linearTicker;
    QSharedPointer<LogTicker> m_logTicker;
    std::shared_ptr<const PlotPanel> m_panel = std::make_shared<PlotPanel>();
    DisplayUnit m_unit;
    QString m_titleText;
    QSet<QString> m_hidden;
    QString m_emphasized;
    bool m_ignoresOutliers = false;
    QString m_leftOut;  ///< the values beyond the fitted range, as words; empty: there are none
    bool m_logarithmic = false;
    bool m_yPinned = false;
    bool m_isInPicture = false;
};

}  // namespace sweepscope::ui
