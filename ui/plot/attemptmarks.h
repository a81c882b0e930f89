#pragma once

#include "ui/plot/plotframe.h"
#include "ui/plot/qcustomplotheader.h"

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// Dashed lines behind the curves of a panel, where an attempt ended that another one continues.
class AttemptMarks : public QCPAbstractPlottable {
    Q_OBJECT

public:
    AttemptMarks(QCPAxis *keyAxis, QCPAxis *valueAxis);

    /// Shares ownership of the frame that contains the panel.
    void setPanel(std::shared_ptr<const PlotPanel> panel) { m_panel = std::move(panel); }
    /// Of labels, and of marks that belong to no curve.
    void setColor(const QColor &color) { m_color = color; }
    void setFont(const QFont &font) { m_font = font; }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain) const override { return nothing(found); }
    QCPRange getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const override { return nothing(found); }

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    static QCPRange nothing(bool &found)
    {
        found = false;
        return {};
    }

    std::shared_ptr<const PlotPanel> m_panel = std::make_shared<PlotPanel>();
    QColor m_color;
    QFont m_font;
};

}  // namespace sweepscope::ui
