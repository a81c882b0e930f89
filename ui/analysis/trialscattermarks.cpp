// Rings around the best, the chosen and the pointed at trial, and the name of the best.
#include "ui/analysis/trialscatter.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double ring = 13;  ///< across

}  // namespace

QPointF TrialScatter::placeOf(int trial) const
{
    const auto found = std::ranges::find(points(), trial, &TrialPoint::trial);
    return found == points().end() ? QPointF(-1, -1) : m_points->placeOf(*found);
}

void TrialScatter::markTrial(QCPItemEllipse *mark, int trial)
{
    const QPointF place = trial != 0 ? placeOf(trial) : QPointF(-1, -1);
    const bool isShown = QRectF(axisRect()->rect()).adjusted(-1, -1, 1, 1).contains(place);
    mark->setVisible(isShown);
    mark->topLeft->setCoords(place - QPointF(ring, ring) / 2);
    mark->bottomRight->setCoords(place + QPointF(ring, ring) / 2);
}

void TrialScatter::markAll()
{
    markTrial(m_bestMark, m_content.best);
    markTrial(m_selectedMark, m_selected);
    markTrial(m_hoverMark, m_hovered);
    m_bestText->setVisible(m_bestMark->visible());
    if (m_bestMark->visible())
        placeBestText();
}

/// The line, which is drawn in steps.
bool TrialScatter::isCrossed(const QRectF &area) const
{
    const std::vector<QPointF> &line = m_content.line;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const QPointF from(xAxis->coordToPixel(line[i].x()), yAxis->coordToPixel(line[i].y()));
        const QPointF next = i + 1 < line.size() ? line[i + 1] : line[i];
        const QPointF to(xAxis->coordToPixel(next.x()), yAxis->coordToPixel(next.y()));
        const QRectF across = QRectF(from, QPointF(to.x(), from.y())).normalized().adjusted(-1, -1, 1, 1);
        const QRectF up = QRectF(QPointF(to.x(), from.y()), to).normalized().adjusted(-1, -1, 1, 1);
        if (area.intersects(across) || area.intersects(up))
            return true;
    }
    return false;
}

/// Beside the ring, where there is room and no line; above or below it where the line leaves none.
void TrialScatter::placeBestText()
{
    const QPointF place = placeOf(m_content.best);
    const bool toTheLeft = place.x() > axisRect()->center().x();
    m_bestText->setText(tr("best: %1").arg(m_content.best));
    const QMargins padding = m_bestText->padding();
    const QFontMetricsF metrics(m_bestText->font());
    const QSizeF size(metrics.horizontalAdvance(m_bestText->text()) + padding.left() + padding.right(),
                      metrics.height());
    const double aside = 0.7 * ring;
    const double beyond = 0.7 * ring + size.height() / 2;
    QPointF chosen;
    for (const auto &[isLeft, down] :
         {std::pair{toTheLeft, 0.0}, std::pair{toTheLeft, -beyond}, std::pair{toTheLeft, beyond},
          std::pair{!toTheLeft, -beyond}, std::pair{!toTheLeft, beyond}}) {
        const QPointF middle = place + QPointF(isLeft ? -aside - size.width() / 2 : aside + size.width() / 2, down);
        const QRectF area(middle - QPointF(size.width(), size.height()) / 2, size);
        if (chosen.isNull())
            chosen = middle;
        if (QRectF(axisRect()->rect()).contains(area) && !isCrossed(area)) {
            chosen = middle;
            break;
        }
    }
    m_bestText->setPositionAlignment(Qt::AlignCenter);
    m_bestText->position->setCoords(chosen);
}

/// What the pointer shows costs no new points.
void TrialScatter::replotMarks()
{
    if (m_hasDrawn)
        layer(u"overlay"_s)->replot();
}

}  // namespace sweepscope::ui
