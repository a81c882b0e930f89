#include "ui/logs/terminalcolors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::ui {

namespace {

/// WCAG: minimum ratio of contrast between text and background.
constexpr double wantedContrast = 4.5;

double luminance(const QColor &color)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

}  // namespace

QColor readableColor(const QColor &color, const QPalette &palette)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    for (int step = 0; step <= 10; ++step) {
        const auto mix = [step](int from, int to) { return from + (to - from) * step / 10; };
        const QColor mixed(mix(color.red(), text.red()), mix(color.green(), text.green()),
                           mix(color.blue(), text.blue()));
        if (contrast(mixed, base) >= wantedContrast)
            return mixed;
    }
    return text;
}

QColor terminalColor(int index, const QPalette &palette)
{
    static constexpr std::array<QRgb, 16> colors{0x3b4048, 0xd13438, 0x2e8b57, 0xb8860b, 0x2f6fd0, 0xa347ba,
                                                 0x1f8a99, 0x9aa1ab, 0x6b727d, 0xe0555a, 0x3fae6f, 0xd9a520,
                                                 0x5a94ea, 0xc06ad6, 0x35aabb, 0xd5dae1};
    return readableColor(QColor(colors[static_cast<std::size_t>(std::clamp(index, 0, 15))]), palette);
}

}  // namespace sweepscope::ui
