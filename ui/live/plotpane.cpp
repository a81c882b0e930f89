#include "ui/live/plotpane.h"

#include "ui/live/columns.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/trialcolors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

/// With more points than this the curves are drawn together, without antialiasing: then a frame of many ranks still
/// takes milliseconds.
constexpr std::size_t finePoints = 12'000;

}  // namespace

PlotPane::PlotPane(QCustomPlot *plot, Kind kind, QCPMarginGroup *margins, int firstRow)
    : m_plot(plot),
      m_kind(kind),
      m_title(new QCPTextElement(plot)),
      m_area(new QCPAxisRect(plot)),
      m_linearTicker(new UnitTicker),
      m_logTicker(new LogTicker)
{
    m_title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    m_title->setMargins(QMargins(6, kind == Kind::Curves ? 2 : 6, 0, 0));
    m_area->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_area->setMinimumMargins(QMargins(58, kind == Kind::Curves ? 4 : 8, 14, 4));
    m_area->setMinimumSize(60, kind == Kind::Curves ? 100 : 40);
    m_linearTicker->setTickCount(kind == Kind::Curves ? 6 : 3);
    m_logTicker->setTickCount(kind == Kind::Curves ? 6 : 3);
    yAxis()->setTicker(m_linearTicker);
    yAxis()->setNumberFormat(QStringLiteral("g"));
    for (QCPAxis *axis : {xAxis(), yAxis()}) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTickLengthIn(0);
        axis->setSubTickLengthOut(2);
    }
    yAxis()->setSubTicks(false);
    plot->plotLayout()->addElement(firstRow, 0, m_title);
    plot->plotLayout()->addElement(firstRow + 1, 0, m_area);
    m_dense = new DenseCurves(xAxis(), yAxis());
    plot->plotLayout()->setRowStretchFactor(firstRow, 0.001);
    plot->plotLayout()->setRowStretchFactor(firstRow + 1, kind == Kind::Curves ? 1.0 : 0.34);
}

PlotPane::~PlotPane()
{
    for (CurveItem *curve : m_curves)
        m_plot->removePlottable(curve);
    m_plot->removePlottable(m_dense);
    m_area->setMarginGroup(QCP::msLeft | QCP::msRight, nullptr);
    m_plot->plotLayout()->remove(m_title);
    m_plot->plotLayout()->remove(m_area);
}

QString PlotPane::hidingKey(Kind kind, const PlotPanel &panel, const PlotCurve &curve)
{
    // A rank stays hidden when the person looks at another series.
    return (kind == Kind::Curves ? QStringLiteral("curves") : panel.id) + QLatin1Char('/') + curve.name;
}

void PlotPane::setPanel(const std::shared_ptr<const PlotPanel> &panel, const QSet<QString> &hidden)
{
    m_panel = panel;
    const std::vector<PlotCurve> &curves = panel->curves;
    while (m_curves.size() > curves.size()) {
        m_plot->removePlottable(m_curves.back());
        m_curves.pop_back();
    }
    while (m_curves.size() < curves.size())
        m_curves.push_back(new CurveItem(xAxis(), yAxis()));
    std::size_t points = 0;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        m_curves[i]->setVisible(curves[i].drawn && !hidden.contains(hidingKey(m_kind, *panel, curves[i])));
        if (m_curves[i]->visible())
            points += (curves[i].columns.size() + curves[i].raw.size()) * 3;
    }
    const bool dense = points >= finePoints;
    std::vector<DenseCurves::Curve> together;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const std::shared_ptr<const PlotCurve> curve(panel, &curves[i]);
        CurveItem *item = m_curves[i];
        item->setCurve(curve);
        const bool hasBand = curve->name.isEmpty() && !panel->band.empty();
        item->setBand(hasBand ? std::shared_ptr<const std::vector<series::Column>>(panel, &panel->band) : nullptr);
        item->setFine(!dense);
        item->setLinesElsewhere(dense);
        if (dense && item->visible())
            together.push_back({curve, colorOf(*curve)});
    }
    m_dense->setCurves(std::move(together));
    colorCurves();
    updateUnit();
}

void PlotPane::updateUnit()
{
    double largest = 0;
    const auto take = [&largest](const std::pair<double, double> &range) {
        if (range.first <= range.second)
            largest = std::max({largest, std::abs(range.first), std::abs(range.second)});
    };
    constexpr double everywhere = std::numeric_limits<double>::infinity();
    for (const PlotCurve &curve : m_panel->curves) {
        if (curve.extent) {
            take(curve.extent->all);
        } else {
            take(valueRange(curve.columns, -everywhere, everywhere, false));
            take(valueRange(curve.raw, -everywhere, everywhere, false));
        }
    }
    const DisplayUnit unit = displayUnit(m_panel->unit, largest);
    const bool same = unit.text == m_unit.text;
    m_unit = unit;
    m_linearTicker->setFactor(unit.factor);
    m_logTicker->setFactor(unit.factor);
    if (!same)
        setTitle(m_titleText);
}

void PlotPane::setTitle(const QString &title)
{
    m_titleText = title;
    m_title->setText(m_unit.text.isEmpty() || title.isEmpty() ? title
                                                              : title + QStringLiteral(" (%1)").arg(m_unit.text));
}

void PlotPane::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    yAxis()->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic)
        yAxis()->setTicker(m_logTicker);
    else
        yAxis()->setTicker(m_linearTicker);
}

void PlotPane::setColors(const PlotColors &colors)
{
    QFont font = m_plot->font();
    font.setPointSizeF(font.pointSizeF() * 0.88);
    QFont titleFont = m_plot->font();
    titleFont.setPointSizeF(titleFont.pointSizeF() * (m_kind == Kind::Curves ? 1.0 : 0.92));
    titleFont.setWeight(m_kind == Kind::Curves ? QFont::DemiBold : QFont::Normal);
    m_dense->setBackground(colors.background);
    m_title->setFont(titleFont);
    m_title->setTextColor(colors.text);
    for (QCPAxis *axis : {xAxis(), yAxis()}) {
        axis->setBasePen(QPen(colors.axis, 1));
        axis->setTickPen(QPen(colors.axis, 1));
        axis->setSubTickPen(QPen(colors.axis, 1));
        axis->setTickLabelColor(colors.subtleText);
        axis->setLabelColor(colors.subtleText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->grid()->setPen(QPen(colors.grid, 1));
    }
    colorCurves();
}

void PlotPane::colorCurves()
{
    for (CurveItem *item : m_curves)
        item->setColor(colorOf(item->curve()));
}

QColor PlotPane::colorOf(const PlotCurve &curve) const
{
    return curve.name.isEmpty() ? m_plot->palette().color(QPalette::Text) : rankColor(curve.color);
}

void PlotPane::setHeight(int height)
{
    m_area->setMinimumSize(60, height);
    m_area->setMaximumSize(QWIDGETSIZE_MAX, height);
}

void PlotPane::showTickLabels(bool show)
{
    xAxis()->setTickLabels(show);
}

void PlotPane::fitY()
{
    if (m_yPinned)
        return;
    const QCPRange x = xAxis()->range();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const CurveItem *curve : m_curves) {
        bool found = false;
        const QCPRange range = curve->visible()
                                   ? curve->getValueRange(found, m_logarithmic ? QCP::sdPositive : QCP::sdBoth, x)
                                   : QCPRange();
        if (!found)
            continue;
        low = std::min(low, range.lower);
        high = std::max(high, range.upper);
    }
    if (high < low) {
        if (m_kind == Kind::Strip)
            yAxis()->setRange(0, m_panel->unit == QLatin1String("%") ? 103 : 1);
        return;
    }
    if (m_kind == Kind::Strip) {
        const double top = high > 0 ? high * 1.1 : 1;
        yAxis()->setRange(0, m_panel->unit == QLatin1String("%") ? std::max(103.0, top) : top);
    } else if (m_logarithmic) {
        const double pad = std::max(1.05, std::pow(high / low, 0.06));
        yAxis()->setRange(low / pad, high * pad);
    } else {
        const double pad = high > low ? (high - low) * 0.06 : std::max(std::abs(high) * 0.1, 1e-12);
        yAxis()->setRange(low >= 0 && low < pad * 2 ? -pad * 0.2 : low - pad, high + pad);
    }
}

}  // namespace sweepscope::ui
