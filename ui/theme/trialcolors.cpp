#include "ui/theme/trialcolors.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <array>

namespace sweepscope::ui {

namespace {

/// Without black, which is invisible on dark backgrounds; with a lighter blue for the same reason, and a darker yellow
/// for white backgrounds.
constexpr std::array<QRgb, 7> okabeIto = {0xff1080c4, 0xffe69f00, 0xff009e73, 0xffd55e00,
                                          0xffcc79a7, 0xff56b4e9, 0xffc9b800};

constexpr int swatchSize = 16;
constexpr int repeats = 3;  ///< original, lighter, darker

QColor colorAt(int index)
{
    const auto count = static_cast<int>(okabeIto.size());
    const int safe = index < 0 ? 0 : index;
    const QColor color(okabeIto[static_cast<std::size_t>(safe % count)]);
    switch (safe / count % repeats) {
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

std::vector<int> distinctColors(const std::vector<int> &trialNumbers)
{
    constexpr int all = static_cast<int>(okabeIto.size()) * repeats;
    std::array<bool, all> taken{};
    std::vector<int> colors;
    for (const int number : trialNumbers) {
        int color = std::max(0, number - 1) % all;
        for (int tries = 0; tries < all && taken[static_cast<std::size_t>(color)]; ++tries)
            color = (color + 1) % all;
        taken[static_cast<std::size_t>(color)] = true;
        colors.push_back(color);
    }
    return colors;
}

QIcon trialSwatch(int trialNumber)
{
    return colorSwatch(trialNumber - 1);
}

QIcon colorSwatch(int rankColorIndex)
{
    // Few colours are used in many cells: paint each once.
    static std::array<QIcon, okabeIto.size() * repeats> known;
    QIcon &icon = known[static_cast<std::size_t>(std::max(0, rankColorIndex)) % known.size()];
    if (icon.isNull())
        icon = colorSwatch(rankColor(rankColorIndex));
    return icon;
}

QIcon colorSwatch(const QColor &color)
{
    QIcon icon;
    for (const int scale : {1, 2, 4}) {
        QPixmap pixmap(QSize(swatchSize, swatchSize) * scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(3, 3, swatchSize - 6, swatchSize - 6), 2, 2);
        painter.end();
        pixmap.setDevicePixelRatio(scale);
        for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected})  // the same colour in a selected row
            icon.addPixmap(pixmap, mode);
    }
    return icon;
}

}  // namespace sweepscope::ui
