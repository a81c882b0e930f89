#include "ui/plot/curveraster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

CurveRaster::Rows CurveRaster::Rows::united(const Rows &other) const
{
    if (isEmpty() || other.isEmpty())
        return isEmpty() ? other : *this;
    return {std::min(from, other.from), std::max(to, other.to)};
}

void CurveRaster::begin(const QSize &size)
{
    m_width = std::max(1, size.width());
    m_height = std::max(1, size.height());
    m_pixels.assign(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), 0);
    m_colors.assign(1, 0);
    m_covered.assign(static_cast<std::size_t>(m_width), Rows());
    m_used.assign(static_cast<std::size_t>(m_width), Rows());
    m_line.assign(static_cast<std::size_t>(m_width), Rows());
    // An image that is still in use must not change.
    if (m_image.size() != QSize(m_width, m_height) || !m_image.isDetached())
        m_image = QImage(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
}

/// Clips rows that are partly outside, and ignores those that are completely outside.
void CurveRaster::cover(int column, double oneY, double otherY)
{
    const double top = std::min(oneY, otherY);
    const double bottom = std::max(oneY, otherY);
    if (!(bottom >= 0 && top < m_height))
        return;
    const int from = top > 0 ? static_cast<int>(top) : 0;
    const int to = bottom < m_height ? static_cast<int>(bottom) : m_height - 1;
    Rows &rows = m_line[static_cast<std::size_t>(column)];
    rows = rows.united({from, to});
}

/// Distinguishes the columns next to the edges, which a dot reaches, from those further outside.
int CurveRaster::columnOf(double x) const
{
    return static_cast<int>(std::clamp(std::floor(x), -2.0, m_width + 1.0));
}

/// Covers the straight line between two strokes.
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
        if (!rows.isEmpty())
            fill(column, rows, number);
        rows = {};
    }
}

/// Lines of one curve are added consecutively. Beyond the range of the number, all colours are the last one.
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
    Rows &used = m_used[static_cast<std::size_t>(column)];
    used = used.united(rows);
    Rows &covered = m_covered[static_cast<std::size_t>(column)];
    const bool touches = !covered.isEmpty() && rows.from <= covered.to + 1 && rows.to + 1 >= covered.from;
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

CurveRaster::Rows CurveRaster::usedBetween(int left, int right) const
{
    Rows used;
    for (int column = left; column < right; ++column)
        used = used.united(m_used[static_cast<std::size_t>(column)]);
    return used;
}

const QImage &CurveRaster::finish()
{
    // In strips, so that the columns stay in the cache from row to row.
    constexpr int strip = 32;
    auto *image = reinterpret_cast<QRgb *>(m_image.bits());
    const qsizetype lineLength = m_image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (int left = 0; left < m_width; left += strip) {
        const int right = std::min(left + strip, m_width);
        const Rows used = usedBetween(left, right);
        for (int row = 0; row < m_height; ++row) {
            QRgb *out = image + row * lineLength;
            if (row < used.from || row > used.to) {
                std::fill(out + left, out + right, 0U);
                continue;
            }
            const std::uint16_t *in = m_pixels.data() + row;
            for (int column = left; column < right; ++column)
                out[column] = m_colors[in[static_cast<std::ptrdiff_t>(column) * m_height]];
        }
    }
    return m_image;
}

}  // namespace sweepscope::ui
