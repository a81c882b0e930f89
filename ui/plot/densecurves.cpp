#include "ui/plot/densecurves.h"

#include <cmath>
#include <optional>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr double vectorRatio = 3;  ///< device pixels per pixel of the picture in vector formats
constexpr double faintOpacity = 0.25;
constexpr double faintOpacityOfTrials = 0.5;  ///< what all of them look like matters

/// Returns the shift of the picture in whole pixels if the axis was only moved; otherwise nullopt.
std::optional<int> moved(const ValueRange &before, const ValueRange &now, double pixels)
{
    if (before == now)
        return 0;
    const double size = before.second - before.first;
    const double shift = (before.first - now.first) / size * pixels;
    const double otherShift = (before.second - now.second) / size * pixels;
    constexpr double exactness = 0.01;
    const bool isWhole = std::abs(shift - std::round(shift)) < exactness;
    if (!isWhole || std::abs(shift - otherShift) > exactness || std::abs(shift) >= pixels)
        return std::nullopt;
    return static_cast<int>(std::round(shift));
}

/// Returns the shift of the picture in device pixels; nullopt if it must be drawn again.
std::optional<QPoint> moved(const CurvePicture::View &before, const CurvePicture::View &now)
{
    if (before == now)
        return QPoint();
    if (before.frame != now.frame || before.curves != now.curves)
        return std::nullopt;
    if (before.frame.logarithmic && before.y != now.y)
        return std::nullopt;
    const QSizeF pixels = QSizeF(now.frame.area) * now.frame.ratio;
    const std::optional<int> x = moved(before.x, now.x, pixels.width());
    const std::optional<int> y = moved(before.y, now.y, pixels.height());
    return x && y ? std::optional(QPoint(*x, -*y)) : std::nullopt;
}

}  // namespace

void DenseCurves::setCurves(std::shared_ptr<const PlotPanel> panel, std::vector<CurvePicture::Curve> curves)
{
    m_panel = std::move(panel);
    m_curves = std::move(curves);
}

void DenseCurves::draw(QCPPainter *painter)
{
    // In vector formats each curve draws itself, if it has an item.
    const bool isVector = painter->modes().testFlag(QCPPainter::pmVectorized);
    const bool drawThemselves = isVector && m_panel->curves.size() <= mostCurveItems;
    if (!mKeyAxis || !mValueAxis || m_curves.empty() || drawThemselves)
        return;
    if (m_faint)
        painter->setOpacity(m_panel->isOfTrials ? faintOpacityOfTrials
                                                : faintOpacity);  // the picture's background is that of the plot
    const QRect area = mKeyAxis->axisRect()->rect();
    const QCPRange x = mKeyAxis->range();
    const QCPRange y = mValueAxis->range();
    const bool logarithmic = mValueAxis->scaleType() == QCPAxis::stLogarithmic;
    const CurvePicture::View view{
        {area.size(), isVector ? vectorRatio : painter->deviceTransform().m11(), logarithmic, m_background.rgb()},
        {x.lower, x.upper},
        {y.lower, y.upper},
        m_curves};
    const CurvePicture *ahead = m_panel->picture.get();
    const std::optional<QPoint> shift = ahead ? moved(ahead->view, view) : std::nullopt;
    if (ahead && !shift && m_awaiting && ahead->view.frame == view.frame && ahead->view.curves == view.curves) {
        m_shown = Shown::Stretched;
        drawStretched(*painter, *ahead);
        return;
    }
    m_shown = shift ? Shown::Ahead : Shown::Own;
    const QPointF at = QPointF(area.topLeft()) + QPointF(shift.value_or(QPoint())) / view.frame.ratio;
    // The area that a drag uncovers stays empty until the next frame.
    painter->drawImage(QRectF(at, area.size()), shift ? ahead->image : drawPicture(m_raster, *m_panel, view));
}

/// Draws the part of the picture inside the current axis ranges, scaled. Only that part, because the whole could exceed
/// the painter's coordinates.
void DenseCurves::drawStretched(QCPPainter &painter, const CurvePicture &picture) const
{
    const QRectF area(mKeyAxis->axisRect()->rect());
    const QRectF all(
        QPointF(mKeyAxis->coordToPixel(picture.view.x.first), mValueAxis->coordToPixel(picture.view.y.second)),
        QPointF(mKeyAxis->coordToPixel(picture.view.x.second), mValueAxis->coordToPixel(picture.view.y.first)));
    const QRectF shown = all.intersected(area);
    if (shown.isEmpty())
        return;
    const double perX = picture.image.width() / all.width();
    const double perY = picture.image.height() / all.height();
    painter.drawImage(shown, picture.image,
                      QRectF((shown.left() - all.left()) * perX, (shown.top() - all.top()) * perY, shown.width() * perX,
                             shown.height() * perY));
}

}  // namespace sweepscope::ui
