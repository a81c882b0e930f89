#include "ui/plot/curvepicture.h"

#include "ui/plot/curvenames.h"

#include <QColor>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Maps values of an axis to pixels of the picture.
class PixelScale {
public:
    PixelScale(const ValueRange &range, double lowPixel, double highPixel, bool logarithmic)
        : m_logarithmic(logarithmic),
          m_zero(logarithmic ? std::log(range.first) : range.first),
          m_slope((highPixel - lowPixel) / ((logarithmic ? std::log(range.second) : range.second) - m_zero)),
          m_offset(lowPixel)
    {}

    bool has(double value) const { return isDrawn(value, m_logarithmic); }
    double pixel(double value) const
    {
        constexpr double outside = 1e6;
        const double place = m_offset + ((m_logarithmic ? std::log(value) : value) - m_zero) * m_slope;
        return std::clamp(place, -outside, outside);
    }

private:
    bool m_logarithmic;
    double m_zero;
    double m_slope;
    double m_offset;
};

QRgb blended(QRgb color, QRgb background, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(mix(qRed(color), qRed(background)), mix(qGreen(color), qGreen(background)),
                mix(qBlue(color), qBlue(background)));
}

void addColumns(CurveRaster &raster, const std::vector<series::Column> &columns, const PixelScale &x,
                const PixelScale &y, QRgb color, std::vector<CurveRaster::Stroke> &line)
{
    line.clear();
    const auto end = [&] {
        if (!line.empty())
            raster.addLine(line, color);
        line.clear();
    };
    for (const series::Column &column : columns) {
        if (column.startsSegment || !y.has(column.max))
            end();
        if (!y.has(column.max))
            continue;
        // For a column that goes below zero on a logarithmic axis, the visible part.
        const double high = y.pixel(column.max);
        const auto shown = [&](double value) { return y.has(value) ? y.pixel(value) : high; };
        line.push_back({x.pixel(column.x), shown(column.first), shown(column.min), high, shown(column.last)});
    }
    end();
}

}  // namespace

std::vector<CurvePicture::Curve> pictureCurves(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden,
                                               QRgb common)
{
    std::vector<CurvePicture::Curve> curves;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const PlotCurve &curve = panel.curves[i];
        if (isShown(kind, panel, curve, hidden))
            curves.push_back({i, curve.name.isEmpty() ? common : curveColor(curve).rgb(), curve.isFaint});
    }
    return curves;
}

QImage drawPicture(CurveRaster &raster, const PlotPanel &panel, const CurvePicture::View &view)
{
    // As in QCPAxis: y begins at the lowest row and ends above the highest one.
    const double ratio = view.frame.ratio;
    const PixelScale x(view.x, 0, view.frame.area.width() * ratio, false);
    const PixelScale y(view.y, (view.frame.area.height() - 1) * ratio, -ratio, view.frame.logarithmic);
    raster.begin((QSizeF(view.frame.area) * ratio).toSize());
    std::vector<CurveRaster::Stroke> line;
    constexpr double rawShare = 0.25;
    constexpr double faintShare = 0.2;
    const auto colorOf = [&view](const CurvePicture::Curve &curve) {
        return curve.isFaint ? blended(curve.color, view.frame.background, faintShare) : curve.color;
    };
    for (auto curve = view.curves.rbegin(); curve != view.curves.rend(); ++curve)
        addColumns(raster, panel.curves[curve->index].columns, x, y, colorOf(*curve), line);
    for (auto curve = view.curves.rbegin(); curve != view.curves.rend(); ++curve)
        addColumns(raster, panel.curves[curve->index].raw, x, y,
                   blended(colorOf(*curve), view.frame.background, rawShare), line);
    return raster.finish();
}

/// While the view stays, its y axis keeps the range fitted when the view was new.
std::optional<ValueRange> PictureMaker::yRange(const PlotFrame &frame, const PlotRequest &request)
{
    if (request.picture.y)
        return request.picture.y;
    if (request.follow || request != m_fitted || !m_y) {
        m_fitted = request;
        m_y = fittedRange(PanelKind::Curves, frame.main, request.picture.hidden, frame.from, frame.to,
                          {request.picture.frame.logarithmic, request.picture.ignoresOutliers});
    }
    return m_y;
}

void PictureMaker::draw(PlotFrame &frame, const PlotRequest &request)
{
    const PictureRequest &wanted = request.picture;
    const std::optional<ValueRange> y = yRange(frame, request);
    if (wanted.frame.area.isEmpty() || frame.to <= frame.from || !y
        || !isDense(PanelKind::Curves, frame.main, wanted.hidden))
        return;
    CurvePicture::View view{wanted.frame, {frame.from, frame.to}, *y, {}};
    view.curves = pictureCurves(PanelKind::Curves, frame.main, wanted.hidden, wanted.common);
    QImage image = drawPicture(m_raster, frame.main, view);
    frame.main.picture = std::make_shared<const CurvePicture>(CurvePicture{std::move(view), std::move(image)});
}

}  // namespace sweepscope::ui
