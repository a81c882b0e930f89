#include "ui/plot/attemptmarks.h"

#include "ui/theme/trialcolors.h"

#include <QCoreApplication>

#include <limits>

namespace sweepscope::ui {

namespace {

constexpr int labelGap = 4;      ///< pixels around a label
constexpr int leastHeight = 60;  ///< pixels, of a plot with labels
constexpr int curveAlpha = 150;  ///< of a mark in its curve's colour

}  // namespace

AttemptMarks::AttemptMarks(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setLayer(QStringLiteral("grid"));
    setAntialiased(false);
}

void AttemptMarks::draw(QCPPainter *painter)
{
    if (!mKeyAxis || !mValueAxis)
        return;
    const QRect area = mKeyAxis->axisRect()->rect();
    painter->setFont(m_font);
    const QFontMetrics metrics(m_font);
    double free = -std::numeric_limits<double>::infinity();  // x from which there is room for a label
    for (const AttemptEnd &end : m_panel->attemptEnds) {
        const double x = mKeyAxis->coordToPixel(end.x);
        if (x < area.left() || x > area.right())
            continue;
        QColor color = end.color ? rankColor(*end.color) : m_color;
        if (end.color)
            color.setAlpha(curveAlpha);
        painter->setPen(QPen(color, 1, Qt::DashLine));
        painter->drawLine(QLineF(x, area.top(), x, area.bottom()));
        if (end.color || area.height() < leastHeight)
            continue;
        const QString text = QCoreApplication::translate("AttemptMarks", "attempt %1 ended").arg(end.attempt);
        const int width = metrics.horizontalAdvance(text);
        // The label is left of its line, on the attempt's side.
        if (x - labelGap - width < std::max<double>(free, area.left()))
            continue;
        painter->drawText(QPointF(x - labelGap - width, area.top() + labelGap + metrics.ascent()), text);
        free = x + labelGap;
    }
}

}  // namespace sweepscope::ui
