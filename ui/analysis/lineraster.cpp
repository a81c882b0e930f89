#include "ui/analysis/lineraster.h"

#include <QColor>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sweepscope::ui {

namespace {

constexpr int fractionBits = 16;
constexpr double unity = 1 << fractionBits;
constexpr double farthest = 30'000;  ///< pixels

constexpr std::uint32_t full = 0xffff;

}  // namespace

LineRaster::LineRaster(const QSize &size) : m_width(std::max(1, size.width())), m_height(std::max(1, size.height()))
{
    m_pixels.resize(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height));
}

/// `coverage`: at most 1 << fractionBits.
void LineRaster::blend(int x, int y, std::uint32_t coverage)
{
    if (x < 0 || y < 0 || x >= m_width || y >= m_height)
        return;
    Pixel &pixel =
        m_pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) + static_cast<std::size_t>(x)];
    const std::uint32_t rest = full - (m_color[3] * coverage >> fractionBits);
    for (std::size_t channel = 0; channel < pixel.size(); ++channel)
        pixel[channel] = static_cast<std::uint16_t>((m_color[channel] * coverage >> fractionBits)
                                                    + ((pixel[channel] * rest + full / 2) >> fractionBits));
}

/// Advances pixel by pixel along the longer side; in each step the line covers pixels across it, the first and last
/// partly.
void LineRaster::run(double from, double to, double across, double slope, double width, bool isSteep)
{
    const int length = isSteep ? m_height : m_width;
    const int first = std::max(0, static_cast<int>(std::floor(from)));
    const int last = std::min(length, static_cast<int>(std::floor(to)));
    const double high = width * std::sqrt(1 + slope * slope);  // vertical extent of the line's width
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
            const auto coverage = static_cast<std::uint32_t>(next - covered);
            if (isSteep)
                blend(pixel, at, coverage);
            else
                blend(at, pixel, coverage);
            covered = next;
        }
    }
}

void LineRaster::addLine(const QPointF &from, const QPointF &to, const QColor &color, double width)
{
    const QRgba64 premultiplied = color.rgba64().premultiplied();
    m_color = {premultiplied.blue(), premultiplied.green(), premultiplied.red(), premultiplied.alpha()};
    const QPointF way = to - from;
    if (std::abs(way.x()) >= std::abs(way.y())) {
        const auto [left, right] = way.x() >= 0 ? std::pair(from, to) : std::pair(to, from);
        run(left.x(), right.x(), left.y(), way.x() == 0 ? 0 : way.y() / way.x(), width, false);
    } else {
        const auto [top, bottom] = way.y() >= 0 ? std::pair(from, to) : std::pair(to, from);
        run(top.y(), bottom.y(), top.x(), way.x() / way.y(), width, true);
    }
}

QImage LineRaster::image() const
{
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < m_height; ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        const Pixel *pixels = m_pixels.data() + static_cast<std::ptrdiff_t>(y) * m_width;
        for (int x = 0; x < m_width; ++x) {
            const Pixel &pixel = pixels[x];
            line[x] = qRgba(pixel[2] >> 8, pixel[1] >> 8, pixel[0] >> 8, pixel[3] >> 8);
        }
    }
    return image;
}

}  // namespace sweepscope::ui
