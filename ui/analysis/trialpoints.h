#pragma once

#include "ui/plot/qcustomplotheader.h"

#include <utility>
#include <vector>

namespace sweepscope::ui {

enum class PointKind { Completed, Pruned, Stopped, Pending, FaintCompleted, FaintPruned, FaintStopped };

inline bool isFaint(PointKind kind)
{
    return kind == PointKind::FaintCompleted || kind == PointKind::FaintPruned || kind == PointKind::FaintStopped;
}

struct TrialPoint {
    double x = 0;  ///< in units of the axes
    double y = 0;
    int trial = 0;
    PointKind kind = PointKind::Completed;
    float shade = -1;  ///< of the gradient, from 0 (best) to 1 (worst); below 0: the usual colour
};

/// Draws a mark per trial: discs for completed, triangles for pruned, squares for stopped, and rings for unfinished ones. On
/// screen each kind is drawn once in each colour and copied, so that 10,000 points cost no frame; in vector formats each is a
/// shape.
class TrialPoints : public QCPAbstractPlottable {
    Q_OBJECT

public:
    TrialPoints(QCPAxis *keyAxis, QCPAxis *valueAxis);

    void setPoints(std::vector<TrialPoint> points);
    const std::vector<TrialPoint> &points() const { return m_points; }
    void setColors(const QColor &usual, const QColor &faint);
    /// Sets the colours of points with a shade, from the best to the worst.
    void setGradient(std::vector<QColor> gradient) { m_gradient = std::move(gradient); }
    /// Hidden points still have a position and can be found.
    void setDrawn(bool isDrawn) { m_isDrawn = isDrawn; }
    /// Sets the colour of a line around each mark; an invalid one draws none.
    void setOutline(const QColor &outline) { m_outline = outline; }
    /// Returns the nearest point that is not faint, within a distance in pixels; null if there is none.
    const TrialPoint *nearest(const QPointF &place, double within) const;
    QPointF placeOf(const TrialPoint &point) const;
    double size() const;  ///< diameter in pixels
    /// Draws the mark of a kind for a legend.
    void drawSample(QPainter &painter, const QPointF &place, PointKind kind) const;

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain domain, const QCPRange &keys) const override;

    static void drawShape(QPainter *painter, const QPointF &place, double size, PointKind kind, const QColor &color,
                          const QColor &outline = {});

protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

private:
    std::size_t colorIndex(const TrialPoint &point) const;
    QColor colorOf(PointKind kind, std::size_t index) const;
    QColor outlineOf(PointKind kind) const;
    QPixmap stampOf(PointKind kind, std::size_t color, double ratio) const;

    std::vector<TrialPoint> m_points;
    QColor m_usual;
    QColor m_faint;
    QColor m_outline;
    std::vector<QColor> m_gradient;
    bool m_isDrawn = true;
};

}  // namespace sweepscope::ui
