#include "ui/analysis/scaleticker.h"

#include "ui/theme/fonts.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QFontMetricsF>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int tickWidth = 54;
constexpr int tickHeight = 30;
constexpr int mostPlotTicks = 11;
constexpr int widestLabel = 90;  ///< beside a vertical axis

}  // namespace

bool ScaleTicker::setRoom(int pixels, const QFont &font)
{
    const bool isOther = m_room != pixels || m_font != font;
    m_room = pixels;
    m_font = font;
    return isOther;
}

QVector<double> ScaleTicker::createTickVector(double, const QCPRange &range)
{
    const int one = textScaled(m_orientation == Qt::Horizontal ? tickWidth : tickHeight);
    m_ticks = m_scale.ticks(range.lower, range.upper, std::clamp(m_room / one, 2, mostPlotTicks));
    QVector<double> places;
    for (const AxisTick &tick : m_ticks)
        places << tick.unit;
    double apart = range.size();
    for (std::size_t i = 1; i < m_ticks.size(); ++i)
        apart = std::min(apart, m_ticks[i].unit - m_ticks[i - 1].unit);
    m_labelRoom =
        m_orientation == Qt::Horizontal ? apart / range.size() * m_room - spacing::tiny : textScaled(widestLabel);
    return places;
}

QString ScaleTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    const auto found = std::ranges::find(m_ticks, tick, &AxisTick::unit);
    if (found == m_ticks.end())
        return {};
    // Elide names in the middle to fit between their neighbours: they often differ at the end only.
    return m_scale.scale == analysis::Scale::Categories
               ? QFontMetricsF(m_font).elidedText(found->text, Qt::ElideMiddle, m_labelRoom)
               : found->text;
}

void styleScaleAxis(QCPAxis *axis, const QPalette &palette, const QFont &font)
{
    const PlotColors colors = plotColors(palette);
    axis->setNumberFormat(u"g"_s);  // labels come from the scale: draw no exponents
    axis->setBasePen(QPen(colors.axis));
    axis->setTickPen(QPen(colors.axis));
    axis->setTickLabelColor(colors.subtleText);
    axis->setTickLabelFont(smallFont(font));
    axis->setLabelColor(colors.text);
    axis->setLabelFont(smallFont(font));
    axis->grid()->setPen(QPen(colors.grid));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->setLabelPadding(2);
}

}  // namespace sweepscope::ui
