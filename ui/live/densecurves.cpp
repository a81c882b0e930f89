#include "ui/live/densecurves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

/// A number of an axis in pixels of the picture, without a call for each.
class PixelScale {
public:
    PixelScale(const QCPAxis *axis, double origin, double ratio)
        : m_logarithmic(axis->scaleType() == QCPAxis::stLogarithmic)
    {
        const double low = axis->range().lower;
        const double high = axis->range().upper;
        const double lowPixel = (axis->coordToPixel(low) - origin) * ratio;
        const double highPixel = (axis->coordToPixel(high) - origin) * ratio;
        m_zero = m_logarithmic ? std::log(low) : low;
        m_slope = (highPixel - lowPixel) / ((m_logarithmic ? std::log(high) : high) - m_zero);
        m_offset = lowPixel;
    }

    bool has(double value) const { return std::isfinite(value) && (!m_logarithmic || value > 0); }
    double pixel(double value) const
    {
        return m_offset + ((m_logarithmic ? std::log(value) : value) - m_zero) * m_slope;
    }

private:
    bool m_logarithmic;
    double m_zero = 0;
    double m_slope = 0;
    double m_offset = 0;
};

QRgb blended(const QColor &color, const QColor &background, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(mix(color.red(), background.red()), mix(color.green(), background.green()),
                mix(color.blue(), background.blue()));
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
        // Of a column that goes below zero on a logarithmic axis, what can be shown.
        const double high = y.pixel(column.max);
        const auto shown = [&](double value) { return y.has(value) ? y.pixel(value) : high; };
        line.push_back({x.pixel(column.x), shown(column.first), shown(column.min), high, shown(column.last)});
    }
    end();
}

}  // namespace

void CurveRaster::begin(const QSize &size)
{
    m_width = std::max(1, size.width());
    m_height = std::max(1, size.height());
    m_pixels.assign(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), 0);
    m_colors.assign(1, 0);
    m_covered.assign(static_cast<std::size_t>(m_width), Rows());
    m_line.assign(static_cast<std::size_t>(m_width), Rows());
    if (m_image.size() != QSize(m_width, m_height))
        m_image = QImage(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
}

/// Rows that end outside are cut; what is outside as a whole is not seen.
void CurveRaster::cover(int column, double oneY, double otherY)
{
    const double top = std::min(oneY, otherY);
    const double bottom = std::max(oneY, otherY);
    if (!(bottom >= 0 && top < m_height))
        return;
    const int from = top > 0 ? static_cast<int>(top) : 0;
    const int to = bottom < m_height ? static_cast<int>(bottom) : m_height - 1;
    Rows &rows = m_line[static_cast<std::size_t>(column)];
    rows = rows.to < rows.from ? Rows{from, to} : Rows{std::min(rows.from, from), std::max(rows.to, to)};
}

/// What is outside is told apart from the neighbours of the edges, which a dot reaches.
int CurveRaster::columnOf(double x) const
{
    return static_cast<int>(std::clamp(std::floor(x), -2.0, m_width + 1.0));
}

/// The straight line from the one to the other.
void CurveRaster::join(const Stroke &from, const Stroke &to)
{
    const int first = columnOf(from.x);
    const int last = columnOf(to.x);
    const double slope = to.x > from.x ? (to.first - from.last) / (to.x - from.x) : 0;
    const auto at = [&](double x) { return from.last + (x - from.x) * slope; };
    for (int column = std::max(first, 0); column <= std::min(last, m_width - 1); ++column)
        cover(column, column == first ? from.last : at(column), column == last ? to.first : at(column + 1));
}

void CurveRaster::addLine(const std::vector<Stroke> &line, QRgb color)
{
    const int begin = std::max(columnOf(line.front().x) - 1, 0);
    const int end = std::min(columnOf(line.back().x) + 1, m_width - 1);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const int column = columnOf(line[i].x);
        if (column >= 0 && column < m_width)
            cover(column, line[i].low, line[i].high);
        if (i > 0)
            join(line[i - 1], line[i]);
    }
    if (line.size() == 1) {
        for (int column = begin; column <= end; ++column)
            cover(column, line[0].low - 1, line[0].high + 1);
    }
    const std::uint16_t number = numberOf(color);
    for (int column = begin; column <= end; ++column) {
        Rows &rows = m_line[static_cast<std::size_t>(column)];
        if (rows.from <= rows.to)
            fill(column, rows, number);
        rows = {};
    }
}

/// Lines of one curve come one after the other. Beyond what a number can say the colours are all the last one.
std::uint16_t CurveRaster::numberOf(QRgb color)
{
    if (m_colors.back() != color && m_colors.size() <= std::numeric_limits<std::uint16_t>::max())
        m_colors.push_back(color);
    return static_cast<std::uint16_t>(m_colors.size() - 1);
}

void CurveRaster::fill(int column, const Rows &rows, std::uint16_t color)
{
    std::uint16_t *pixels = m_pixels.data() + static_cast<std::size_t>(column) * static_cast<std::size_t>(m_height);
    const auto put = [&](int from, int to) {
        for (int row = from; row <= to; ++row)
            pixels[row] = pixels[row] ? pixels[row] : color;
    };
    Rows &covered = m_covered[static_cast<std::size_t>(column)];
    const bool touches = covered.from <= covered.to && rows.from <= covered.to + 1 && rows.to + 1 >= covered.from;
    if (touches) {
        put(rows.from, covered.from - 1);
        put(covered.to + 1, rows.to);
        covered = {std::min(covered.from, rows.from), std::max(covered.to, rows.to)};
        return;
    }
    put(rows.from, rows.to);
    if (rows.to - rows.from > covered.to - covered.from)
        covered = rows;
}

const QImage &CurveRaster::finish()
{
    // In strips, so that the columns' lines stay in the cache from row to row.
    constexpr int strip = 32;
    auto *image = reinterpret_cast<QRgb *>(m_image.bits());
    const qsizetype lineLength = m_image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (int left = 0; left < m_width; left += strip) {
        const int right = std::min(left + strip, m_width);
        for (int row = 0; row < m_height; ++row) {
            QRgb *out = image + row * lineLength;
            const std::uint16_t *in = m_pixels.data() + row;
            for (int column = left; column < right; ++column)
                out[column] = m_colors[in[static_cast<std::ptrdiff_t>(column) * m_height]];
        }
    }
    return m_image;
}

void DenseCurves::draw(QCPPainter *painter)
{
    if (!mKeyAxis || !mValueAxis || m_curves.empty())
        return;
    const QRect area = mKeyAxis->axisRect()->rect();
    const double ratio = painter->device()->devicePixelRatioF();
    const PixelScale x(mKeyAxis.data(), area.left(), ratio);
    const PixelScale y(mValueAxis.data(), area.top(), ratio);
    m_raster.begin((QSizeF(area.size()) * ratio).toSize());
    std::vector<CurveRaster::Stroke> line;
    for (auto curve = m_curves.rbegin(); curve != m_curves.rend(); ++curve)
        addColumns(m_raster, curve->data->columns, x, y, curve->color.rgb(), line);
    for (auto curve = m_curves.rbegin(); curve != m_curves.rend(); ++curve)
        addColumns(m_raster, curve->data->raw, x, y, blended(curve->color, m_background, 0.25), line);
    painter->drawImage(QRectF(area), m_raster.finish());
}

}  // namespace sweepscope::ui
