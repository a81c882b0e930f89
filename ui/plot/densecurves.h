#pragma once

#include "ui/plot/curvepicture.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/qcustomplotheader.h"

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// All curves of a panel as one item, if they are too many for separate lines. Shows the picture that came with the
/// panel if it matches the axes, or until a matching one arrives. Drawing it here takes as long as a whole frame may.
class DenseCurves : public QCPAbstractPlottable {
    Q_OBJECT

public:
    DenseCurves(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    /// Shares ownership of the frame that contains the panel. Without curves, draws nothing.
    void setCurves(std::shared_ptr<const PlotPanel> panel, std::vector<CurvePicture::Curve> curves);
    void setBackground(const QColor &color) { m_background = color; }
    const QColor &background() const { return m_background; }
    /// Another item draws the emphasized curve.
    void setFaint(bool faint) { m_faint = faint; }
    /// Until a frame for the current axes arrives, shows the old picture scaled.
    void setAwaiting(bool awaiting) { m_awaiting = awaiting; }
    /// Whether the last shown picture was drawn ahead for these axes, apart from a shift.
    bool wasDrawnAhead() const { return m_shown == Shown::Ahead; }
    bool wasStretched() const { return m_shown == Shown::Stretched; }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override { return nothing(found); }
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override { return nothing(found); }

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    enum class Shown { Own, Ahead, Stretched };

    void drawStretched(QCPPainter &painter, const CurvePicture &picture) const;
    static QCPRange nothing(bool &found)
    {
        found = false;
        return {};
    }

    std::shared_ptr<const PlotPanel> m_panel;
    std::vector<CurvePicture::Curve> m_curves;
    QColor m_background;
    CurveRaster m_raster;
    bool m_awaiting = false;
    bool m_faint = false;
    Shown m_shown = Shown::Own;
};

}  // namespace sweepscope::ui
