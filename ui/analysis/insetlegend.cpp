#include "ui/analysis/insetlegend.h"

#include "ui/theme/fonts.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

namespace sweepscope::ui {

namespace {

constexpr int legendAlpha = 190;
constexpr QSize legendIcon{20, 9};

}  // namespace

void styleInsetLegend(QCPLegend *legend, const QPalette &palette, const QFont &font)
{
    const PlotColors colors = plotColors(palette);
    QColor ground = colors.background;
    ground.setAlpha(legendAlpha);
    legend->setBrush(ground);
    legend->setBorderPen(Qt::NoPen);
    legend->setIconSize(legendIcon * textScale());
    legend->setIconTextPadding(spacing::tiny);
    legend->setRowSpacing(0);
    legend->setMargins(QMargins(spacing::tiny, 2, spacing::tiny, 2));
    for (int i = 0; i < legend->itemCount(); ++i) {
        legend->item(i)->setFont(smallFont(font));
        legend->item(i)->setTextColor(colors.text);
    }
}

}  // namespace sweepscope::ui
