#include "ui/analysis/lineraster.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sweepscope::ui {

namespace {

constexpr int fractionBits = 16;
constexpr double unity = 1 << fractionBits;
constexpr double farthest = 30'000;  ///< pixels

/// All four channels at once, two by two. `by`: 0 to 255, which is nearly 1.
std::uint32_t scaled(std::uint32_t color, unsigned by)
{
    constexpr std::uint32_t pair = 0x00ff00ff;
    const std::uint32_t factor = by + (by >> 7);  // 255 is all of it
    const std::uint32_t low = ((color & pair) * factor >> 8) & pair;
    const std::uint32_t high = ((color >> 8) & pair) * factor & ~pair;
    return low | high;
}

}  // namespace

LineRaster::LineRaster(QImage *image)
    : m_pixels(reinterpret_cast<QRgb *>(image->bits())),
      m_lineLength(static_cast<int>(image->bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)))),
      m_width(image->width()),
      m_height(image->height())
{
    Q_ASSERT(image->format() == QImage::Format_ARGB32_Premultiplied);
}

void LineRaster::blend(int x, int y, unsigned coverage)
{
    if (x < 0 || y < 0 || x >= m_width || y >= m_height)
        return;
    QRgb &pixel = m_pixels[static_cast<std::ptrdiff_t>(y) * m_lineLength + x];
    const std::uint32_t source = scaled(m_color, coverage);
    pixel = source + scaled(pixel, 255 - qAlpha(source));
}

/// Steps of a pixel along the longer way; across it the line covers some, the first and the last in part.
void LineRaster::run(double from, double to, double across, double slope, double width, bool isSteep)
{
    const int length = isSteep ? m_height : m_width;
    const int first = std::max(0, static_cast<int>(std::floor(from)));
    const int last = std::min(length, static_cast<int>(std::floor(to)));
    const double high = width * std::sqrt(1 + slope * slope);  // measured across, not along the other side
    const double begin = across + (first + 0.5 - from) * slope - high / 2;
    if (!(std::abs(begin) < farthest) || !(std::abs(slope) <= 1))
        return;
    auto place = static_cast<std::int64_t>(begin * unity);
    const auto thickness = static_cast<std::int64_t>(high * unity);
    const auto step = static_cast<std::int64_t>(slope * unity);
    for (int at = first; at < last; ++at, place += step) {
        std::int64_t covered = place;
        const std::int64_t end = place + thickness;
        while (covered < end) {
            const auto pixel = static_cast<int>(covered >> fractionBits);
            const std::int64_t next = std::min(end, static_cast<std::int64_t>(pixel + 1) << fractionBits);
            const auto coverage = static_cast<unsigned>((next - covered) * 255 >> fractionBits);
            if (isSteep)
                blend(pixel, at, coverage);
            else
                blend(at, pixel, coverage);
            covered = next;
        }
    }
}

void LineRaster::addLine(const QPointF &from, const QPointF &to, QRgb color, double width)
{
    m_color = qPremultiply(color);
    const QPointF way = to - from;
    if (std::abs(way.x()) >= std::abs(way.y())) {
        const auto [left, right] = way.x() >= 0 ? std::pair(from, to) : std::pair(to, from);
        run(left.x(), right.x(), left.y(), way.x() == 0 ? 0 : way.y() / way.x(), width, false);
    } else {
        const auto [top, bottom] = way.y() >= 0 ? std::pair(from, to) : std::pair(to, from);
        run(top.y(), bottom.y(), top.x(), way.x() / way.y(), width, true);
    }
}

}  // namespace sweepscope::ui
