#pragma once

#include "ui/plot/qcustomplotheader.h"

#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// A cell of a map, in units of the axes.
struct GroundCell {
    QRectF area;           ///< from the low ends; its height goes up
    double unit = 0;       ///< of the colour scale; NaN leaves the cell without a colour
    QStringList labels;    ///< lines inside it, as many as fit; the first is the most important
    QString text;          ///< tooltip
    int trial = 0;         ///< the one that a click selects
    bool hasBest = false;  ///< has the best trial
};

/// A line along which a predicted value is the same.
struct GroundLine {
    double unit = 0;  ///< of the colour scale
    QString label;    ///< drawn where there is room
    std::vector<QPointF> points;
};

/// Draws what lies behind the points of a map: cells, or lines of equal values.
class MapGround : public QCPAbstractPlottable {
    Q_OBJECT

public:
    MapGround(QCPAxis *keyAxis, QCPAxis *valueAxis);

    void setCells(std::vector<GroundCell> cells);
    /// `points`: the places of trials, which labels of lines avoid if possible.
    void setLines(std::vector<GroundLine> lines, std::vector<QPointF> points);
    const std::vector<GroundCell> &cells() const { return m_cells; }
    const std::vector<GroundLine> &lines() const { return m_lines; }
    void setGradient(const QCPColorGradient &gradient, const QCPRange &range);
    void setLook(const QFont &font, const QColor &gap);
    /// Null where there is none.
    const GroundCell *cellAt(const QPointF &place) const;
    QRectF pixelsOf(const QRectF &area) const;

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain domain, const QCPRange &keys) const override;

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    QColor colorAt(double unit) const;
    void drawLines(QCPPainter *painter) const;
    void drawLabels(QCPPainter *painter, const QRectF &area, const GroundCell &cell, const QColor &color) const;

    std::vector<GroundCell> m_cells;
    std::vector<GroundLine> m_lines;
    std::vector<QPointF> m_points;
    mutable QCPColorGradient m_gradient;  ///< looks colours up in a cache
    QCPRange m_range;
    QFont m_font;
    QColor m_gap;
};

}  // namespace sweepscope::ui
