#include "ui/plot/plotpane.h"

#include "ui/plot/columns.h"
#include "ui/plot/curvenames.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/textsize.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::ui {

namespace {

struct PlotPaneWords {
    Q_DECLARE_TR_FUNCTIONS(PlotPaneWords)
};

/// "values above 0.4 and 1 entire trial".
QString withEntire(const QString &values, int curves, bool areTrials)
{
    if (curves == 0)
        return values;
    const QString entire = areTrials ? (curves == 1 ? PlotPaneWords::tr("%1 and %L2 entire trial")
                                                    : PlotPaneWords::tr("%1 and %L2 entire trials"))
                                     : (curves == 1 ? PlotPaneWords::tr("%1 and %L2 entire curve")
                                                    : PlotPaneWords::tr("%1 and %L2 entire curves"));
    return entire.arg(values).arg(curves);
}

}  // namespace

PlotPane::PlotPane(QCustomPlot *plot, PanelKind kind, QCPMarginGroup *margins)
    : m_plot(plot),
      m_kind(kind),
      m_cell(new QCPLayoutGrid),
      m_title(new QCPTextElement(plot)),
      m_area(new QCPAxisRect(plot)),
      m_linearTicker(new UnitTicker),
      m_logTicker(new LogTicker)
{
    m_title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    m_title->setMargins(QMargins(6, 4, 0, 0));
    m_title->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
    m_area->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_area->setMinimumSize(60, kind == PanelKind::Curves ? 60 : 24);
    m_linearTicker->setTickCount(kind == PanelKind::Curves ? 6 : 3);
    m_logTicker->setTickCount(kind == PanelKind::Curves ? 6 : 3);
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
    m_cell->setRowSpacing(0);
    m_cell->addElement(0, 0, m_title);
    m_cell->addElement(1, 0, m_area);
    m_cell->setRowStretchFactor(0, 0.001);
    m_marks = new AttemptMarks(xAxis(), yAxis());
    m_dense = new DenseCurves(xAxis(), yAxis());
}

PlotPane::~PlotPane()
{
    for (CurveItem *curve : m_curves)
        m_plot->removePlottable(curve);
    m_plot->removePlottable(m_dense);
    m_plot->removePlottable(m_marks);
    m_area->setMarginGroup(QCP::msLeft | QCP::msRight, nullptr);
    if (QCPLayout *row = m_cell->layout())
        row->take(m_cell);
    delete m_cell;
}

void PlotPane::placeIn(QCPLayoutGrid *row)
{
    if (QCPLayout *before = m_cell->layout())
        before->take(m_cell);
    row->addElement(0, row->columnCount(), m_cell);
}

void PlotPane::setPanel(const std::shared_ptr<const PlotPanel> &panel, const QSet<QString> &hidden)
{
    m_panel = panel;
    m_hidden = hidden;
    const std::vector<PlotCurve> &curves = panel->curves;
    m_marks->setPanel(panel);
    const bool dense = isDense(m_kind, *panel, hidden);
    setItems(dense);
    m_dense->setCurves(panel, dense ? pictureCurves(m_kind, *panel, hidden, commonColor().rgb())
                                    : std::vector<CurvePicture::Curve>());
    // An empty plot has no tick labels.
    yAxis()->setTickLabels(
        std::any_of(curves.begin(), curves.end(), [](const PlotCurve &curve) { return !curve.columns.empty(); }));
    showEmphasis();
    updateUnit();
}

/// Gives an item to each curve, or of many curves only to the emphasized one.
void PlotPane::setItems(bool dense)
{
    const std::vector<PlotCurve> &curves = m_panel->curves;
    const bool areMany = curves.size() > mostCurveItems;
    m_indices.clear();
    for (std::size_t i = 0; i < curves.size() && (!areMany || !m_emphasized.isEmpty()); ++i) {
        if (!areMany || hidingKey(m_kind, *m_panel, curves[i]) == m_emphasized)
            m_indices.push_back(i);
    }
    while (m_curves.size() > m_indices.size()) {
        m_plot->removePlottable(m_curves.back());
        m_curves.pop_back();
    }
    while (m_curves.size() < m_indices.size())
        m_curves.push_back(new CurveItem(xAxis(), yAxis()));
    for (std::size_t item = 0; item < m_curves.size(); ++item) {
        const PlotCurve &curve = curves[m_indices[item]];
        m_curves[item]->setVisible(isShown(m_kind, *m_panel, curve, m_hidden));
        m_curves[item]->setCurve(std::shared_ptr<const PlotCurve>(m_panel, &curve));
        m_curves[item]->setBand(std::shared_ptr<const std::vector<series::Column>>(m_panel, bandOf(*m_panel, curve)));
        m_curves[item]->setFine(!dense);
        m_curves[item]->setLinesElsewhere(dense);
    }
    colorCurves();
}

void PlotPane::setEmphasized(const QString &key)
{
    if (key == m_emphasized)
        return;
    m_emphasized = key;
    if (m_panel->curves.size() > mostCurveItems)
        setItems(true);
    showEmphasis();
}

/// The other curves stay as a faint background, so that one of 64 ranks can be found.
void PlotPane::showEmphasis()
{
    const std::vector<PlotCurve> &curves = m_panel->curves;
    const auto isMeant = [this](const PlotCurve &curve) { return hidingKey(m_kind, *m_panel, curve) == m_emphasized; };
    const bool isAny = !m_emphasized.isEmpty() && std::ranges::any_of(curves, [&](const PlotCurve &curve) {
        return isMeant(curve) && isShown(m_kind, *m_panel, curve, m_hidden);
    });
    for (CurveItem *item : m_curves) {
        const bool isFaint = isAny || item->curve().isFaint;
        item->setEmphasis(isAny && isMeant(item->curve()) ? CurveItem::Emphasis::Strong
                          : isFaint                       ? CurveItem::Emphasis::Faint
                                                          : CurveItem::Emphasis::None);
    }
    m_dense->setFaint(isAny);
}

QString PlotPane::curveAt(const QPointF &point) const
{
    if (!m_panel->isOfTrials && isDense(m_kind, *m_panel, m_hidden))
        return {};
    constexpr double near = 7;  // pixels
    const PlotCurve *nearest = nullptr;
    double least = near;
    // The last one is drawn above the others.
    for (const PlotCurve &curve : m_panel->curves) {
        if (curve.isFaint || !isShown(m_kind, *m_panel, curve, m_hidden))
            continue;
        const double away = CurveItem::distance(curve, *xAxis(), *yAxis(), point);
        if (away <= least) {
            least = away;
            nearest = &curve;
        }
    }
    return nearest ? hidingKey(m_kind, *m_panel, *nearest) : QString();
}

QStringList PlotPane::curvesIn(const QRectF &place) const
{
    const std::pair x(xAxis()->pixelToCoord(place.left()), xAxis()->pixelToCoord(place.right()));
    const std::pair y(yAxis()->pixelToCoord(place.bottom()), yAxis()->pixelToCoord(place.top()));
    QStringList keys;
    for (const PlotCurve &curve : m_panel->curves) {
        if (!curve.isFaint && isShown(m_kind, *m_panel, curve, m_hidden) && passesThrough(curve.columns, x, y))
            keys << hidingKey(m_kind, *m_panel, curve);
    }
    return keys;
}

PictureRequest PlotPane::picture() const
{
    PictureRequest request;
    request.frame = {m_area->size(), m_plot->bufferDevicePixelRatio(), m_logarithmic, m_dense->background().rgb()};
    if (m_yPinned)
        request.y = {yAxis()->range().lower, yAxis()->range().upper};
    request.hidden = m_hidden;
    request.common = commonColor().rgb();
    request.ignoresOutliers = m_ignoresOutliers;
    return request;
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
        showTitle();
}

void PlotPane::setTitle(const QString &title)
{
    m_titleText = title;
    showTitle();
}

QString PlotPane::titleWithUnit() const
{
    return m_unit.text.isEmpty() || m_titleText.isEmpty() ? m_titleText
                                                          : QStringLiteral("%1 (%2)").arg(m_titleText, m_unit.text);
}

void PlotPane::setInPicture(bool isInPicture)
{
    m_isInPicture = isInPicture;
    const QString name = titleWithUnit();
    const bool hasRoom = QFontMetrics(yAxis()->labelFont()).horizontalAdvance(name) <= m_area->height();
    yAxis()->setLabel(isInPicture && hasRoom ? name : QString());
    showTitle();
}

void PlotPane::showTitle()
{
    QString text = titleWithUnit();
    if (!m_leftOut.isEmpty())
        text =
            (m_isInPicture ? PlotPaneWords::tr("%1 · %2 hidden") : PlotPaneWords::tr("%1 · %2 hidden (O shows them)"))
                .arg(text, m_leftOut);
    m_title->setText(text);
}

void PlotPane::setLeftOut(const QString &values)
{
    if (std::exchange(m_leftOut, values) != values)
        showTitle();
}

/// If the user chose the range, values outside of it need no remark.
void PlotPane::pinY(bool pinned)
{
    m_yPinned = pinned;
    if (pinned)
        setLeftOut({});
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
    titleFont.setPointSizeF(titleFont.pointSizeF() * (m_kind == PanelKind::Curves ? 1.0 : 0.92));
    titleFont.setWeight(m_kind == PanelKind::Curves ? QFont::DemiBold : QFont::Normal);
    m_area->setMinimumMargins(QMargins(textScaled(58), 6, 14, 4));
    m_dense->setBackground(colors.background);
    m_title->setFont(titleFont);
    // Independent of the font, so that charts in a row begin at the same height.
    const int titleHeight = m_plot->fontMetrics().height() + 4;
    m_title->setMinimumSize(0, titleHeight);
    m_title->setMaximumSize(QWIDGETSIZE_MAX, titleHeight);
    m_title->setTextColor(colors.text);
    m_marks->setColor(colors.subtleText);
    m_marks->setFont(font);
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

QColor PlotPane::commonColor() const
{
    return m_plot->palette().color(QPalette::Text);
}

QColor PlotPane::colorOf(const PlotCurve &curve) const
{
    return curve.name.isEmpty() ? commonColor() : curveColor(curve);
}

void PlotPane::setHeight(std::optional<int> height)
{
    m_area->setMinimumSize(60, height.value_or(24));
    m_area->setMaximumSize(QWIDGETSIZE_MAX, height.value_or(QWIDGETSIZE_MAX));
}

bool PlotPane::fitTicks()
{
    constexpr int linesOfATick = 2;
    const int most = m_kind == PanelKind::Curves ? 6 : 3;
    const int count = std::clamp(m_area->height() / (linesOfATick * m_plot->fontMetrics().height()), 1, most);
    if (count == m_linearTicker->tickCount())
        return false;
    m_linearTicker->setTickCount(count);
    m_logTicker->setTickCount(count);
    return true;
}

void PlotPane::showTickLabels(bool show)
{
    xAxis()->setTickLabels(show);
}

void PlotPane::fitY(double from, double to)
{
    if (m_yPinned)
        return;
    const auto y = fittedRange(m_kind, *m_panel, m_hidden, from, to, {m_logarithmic, m_ignoresOutliers});
    if (y)
        yAxis()->setRange(y->first, y->second);
    if (!y || !m_ignoresOutliers) {
        setLeftOut({});
        return;
    }
    const ValueRange all = shownRange(m_kind, *m_panel, m_hidden, from, to, m_logarithmic);
    const bool hasBelow = all.first < y->first;
    const bool hasAbove = all.second > y->second && all.first <= all.second;
    constexpr int digits = 3;
    const QString low = valueText(y->first, m_unit, digits);
    const QString high = valueText(y->second, m_unit, digits);
    QString words = hasBelow && hasAbove ? PlotPaneWords::tr("values below %1 and above %2").arg(low, high)
                    : hasBelow           ? PlotPaneWords::tr("values below %1").arg(low)
                    : hasAbove           ? PlotPaneWords::tr("values above %1").arg(high)
                                         : QString();
    if (hasBelow || hasAbove)
        words = withEntire(words, curvesOutside(m_kind, *m_panel, m_hidden, {from, to}, *y, m_logarithmic),
                           m_panel->isOfTrials);
    setLeftOut(words);
}

}  // namespace sweepscope::ui
