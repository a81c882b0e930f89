#include "ui/analysis/halotext.h"

#include <QFontMetricsF>
#include <QPainterPath>

namespace sweepscope::ui {

namespace {

constexpr double haloWidth = 3;

}  // namespace

void HaloText::draw(QCPPainter *painter)
{
    const QFontMetricsF metrics(font());
    const QPointF corner = topLeft->pixelPosition() + QPointF(padding().left(), padding().top());
    QPainterPath path;
    path.addText(corner + QPointF(0, metrics.ascent()), font(), text());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->strokePath(path, QPen(m_halo, haloWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->fillPath(path, color());
    painter->restore();
}

}  // namespace sweepscope::ui
