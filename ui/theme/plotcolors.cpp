#include "ui/theme/plotcolors.h"

#include "ui/theme/palettes.h"

namespace sweepscope::ui {

PlotColors plotColors(const QPalette &palette)
{
    const bool dark = isDark(palette);
    QColor selection = palette.color(QPalette::Highlight);
    selection.setAlpha(48);
    QColor gap = problemColor(palette);
    gap.setAlpha(40);
    return {.background = palette.color(QPalette::Base),
            .grid = dark ? QColor(0x2c, 0x31, 0x3a) : QColor(0xe6, 0xe9, 0xee),
            .subGrid = dark ? QColor(0x22, 0x26, 0x2d) : QColor(0xf2, 0xf4, 0xf7),
            .axis = dark ? QColor(0x4a, 0x51, 0x5e) : QColor(0xb4, 0xbc, 0xc8),
            .text = palette.color(QPalette::Text),
            .subtleText = subtleTextColor(palette),
            .cursor = dark ? QColor(0xc5, 0xcc, 0xd6) : QColor(0x4b, 0x55, 0x63),
            .selection = selection,
            .gap = gap};
}

}  // namespace sweepscope::ui
