#include "ui/theme/valuegradient.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::ui {

namespace {

/// At each tenth.
constexpr std::array<QRgb, 11> viridis = {0xff440154, 0xff482475, 0xff414487, 0xff355f8d, 0xff2a788e, 0xff21918c,
                                          0xff22a884, 0xff44bf70, 0xff7ad151, 0xffbddf26, 0xfffde725};
// The yellow is invisible on white, the violet on black.
constexpr double lastOnLight = 0.85;
constexpr double firstOnDark = 0.3;
constexpr double whiteOnDark = 0.2;  ///< mixed into the first, for contrast

}  // namespace

QColor gradientColor(double share, bool onDark)
{
    const double wanted = std::clamp(std::isfinite(share) ? share : 1.0, 0.0, 1.0);
    const double place =
        (onDark ? firstOnDark + wanted * (1 - firstOnDark) : wanted * lastOnLight) * (viridis.size() - 1);
    const auto lower = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
    const double part = place - static_cast<double>(lower);
    const QColor a(viridis[lower]);
    const QColor b(viridis[lower + 1]);
    const auto mix = [part](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * part)); };
    const double white = onDark ? whiteOnDark * (1 - wanted) : 0;
    const auto lighten = [white](int x) { return static_cast<int>(std::lround(x + (255 - x) * white)); };
    return QColor(lighten(mix(a.red(), b.red())), lighten(mix(a.green(), b.green())), lighten(mix(a.blue(), b.blue())));
}

}  // namespace sweepscope::ui
