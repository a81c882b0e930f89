#include "ui/theme/trialcolors.h"

#include <array>

namespace sweepscope::ui {

namespace {

/// Without black, which is lost on a dark ground, and with the yellow deepened, which is lost on a white one.
constexpr std::array<QRgb, 7> okabeIto = {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffd55e00,
                                          0xffcc79a7, 0xff56b4e9, 0xffc9b800};

QColor colorAt(int index)
{
    const auto count = static_cast<int>(okabeIto.size());
    const int safe = index < 0 ? 0 : index;
    const QColor color(okabeIto[static_cast<std::size_t>(safe % count)]);
    switch (safe / count % 3) {
    case 1:
        return color.lighter(135);
    case 2:
        return color.darker(140);
    default:
        return color;
    }
}

}  // namespace

QColor rankColor(int rank)
{
    return colorAt(rank);
}

QColor trialColor(int trialNumber)
{
    return colorAt(trialNumber - 1);
}

}  // namespace sweepscope::ui
