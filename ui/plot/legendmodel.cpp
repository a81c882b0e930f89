#include "ui/plot/legendmodel.h"

#include "ui/plot/axistickers.h"
#include "ui/plot/chart.h"
#include "ui/plot/columns.h"
#include "ui/plot/curvenames.h"
#include "ui/plot/showncharts.h"
#include "ui/plot/worstrank.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

/// Up to this many ranks, the worst one is visible without an extra row.
constexpr std::size_t mostWithoutSummary = 8;
constexpr int digits = 5;

/// "0.241 [0.228, 0.262] (12)": the count tells how many trials of the group have a value there.
QString spreadText(const PlotCurve &curve, std::optional<double> x, const DisplayUnit &unit)
{
    constexpr int fewDigits = 3;
    const series::Column *column = x ? columnAt(curve.band, *x) : curve.band.empty() ? nullptr : &curve.band.back();
    if (!column)
        return {};
    const QString spread =
        column->count > 1 ? QStringLiteral(" [%1, %2]")
                                .arg(valueText(column->min, unit, fewDigits), valueText(column->max, unit, fewDigits))
                          : QString();
    return spread + QStringLiteral(" (%1)").arg(column->count);
}

std::optional<double> valueOf(const PlotCurve &curve, std::optional<double> x)
{
    if (!x)
        return curve.newest;
    const series::Column *column = columnAt(curve.columns, *x);
    if (!column)
        return std::nullopt;
    if (std::isfinite(column->last))
        return column->last;
    const bool isNewest = column == &curve.columns.back() && curve.newest && !std::isfinite(*curve.newest);
    return isNewest ? *curve.newest : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

LegendModel::Row LegendModel::rowOf(const PlotPanel &panel, const PlotCurve &curve, bool curves,
                                    const QSet<QString> &hidden)
{
    Row row;
    row.name = curveName(panel, curve);
    if (curve.drawn)
        row.key = hidingKey(curves ? PanelKind::Curves : PanelKind::Strip, panel, curve);
    row.color = curve.name.isEmpty() ? QColor() : curveColor(curve);
    row.hidden = hidden.contains(row.key);
    row.state = curve.state;
    return row;
}

void LegendModel::addPanel(std::vector<Row> &rows, const PlotPanel &panel, bool curves, std::optional<double> x,
                           const QSet<QString> &hidden) const
{
    if (panel.curves.empty())
        return;
    const auto addWords = [&rows](Row::Kind kind, const QString &words) {
        Row &row = rows.emplace_back();
        row.kind = kind;
        row.name = words;
    };
    addWords(Row::Kind::Heading, panelTitle(panel));
    if (panel.curves.size() > mostCurveItems) {
        addWords(Row::Kind::Note, tr("%L1 trials").arg(panel.curves.size()));
        return;
    }
    if (panel.hasGroups)
        addWords(Row::Kind::Note, tr("Median [quartiles] (trials)"));
    if (panel.isOfMeans)
        addWords(Row::Kind::Note, tr("Mean of the ranks"));
    double largest = 0;
    std::vector<std::optional<double>> values;
    std::vector<double> known;
    for (const PlotCurve &curve : panel.curves) {
        values.push_back(valueOf(curve, x));
        if (!values.back() || !std::isfinite(*values.back()))
            continue;
        known.push_back(*values.back());
        largest = std::max(largest, std::abs(known.back()));
    }
    const DisplayUnit unit = displayUnit(panel.unit, largest);
    const std::optional<int> decimals = commonDecimals(known, unit, digits);
    const std::optional<std::size_t> worst = curves ? worstRank(panel, values) : std::nullopt;
    std::vector<Row> common;
    std::vector<Row> others;
    std::optional<Row> worstRow;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const PlotCurve &curve = panel.curves[i];
        Row row = rowOf(panel, curve, curves, hidden);
        // Columns do not tell NaN from infinity; the newest value does.
        row.value = !values[i]                    ? QStringLiteral("–")
                    : std::isnan(*values[i]) && x ? tr("NaN or ∞")
                                                  : valueText(*values[i], unit, digits, decimals);
        if (!curve.band.empty() && values[i])
            row.value += spreadText(curve, x, unit);
        row.worst = worst == i;
        if (row.worst)
            worstRow = row;
        if (curve.drawn)
            (curve.name.isEmpty() ? common : others).push_back(std::move(row));
    }
    rows.insert(rows.end(), common.begin(), common.end());
    if (worstRow && (others.empty() || others.size() > mostWithoutSummary))
        rows.push_back(std::move(*worstRow));
    rows.insert(rows.end(), others.begin(), others.end());
}

void LegendModel::setFrame(const PlotFrame &frame, std::optional<double> x, const QSet<QString> &hidden)
{
    m_hidden = hidden;
    std::vector<Row> rows;
    for (const ShownChart &chart : shownCharts(frame))
        addPanel(rows, *chart.panel, chart.kind == PanelKind::Curves, x, hidden);
    if (rows == m_rows)
        return;
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
}

void LegendModel::setEmphasized(const QString &key)
{
    if (key == m_emphasized)
        return;
    m_emphasized = key;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1), {EmphasizedRole});
}

int LegendModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

Qt::ItemFlags LegendModel::flags(const QModelIndex &index) const
{
    if (!index.isValid() || m_rows[static_cast<std::size_t>(index.row())].key.isEmpty())
        return Qt::NoItemFlags;  // the keyboard skips them
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QVariant LegendModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.name;
    case Qt::ToolTipRole:
        // The tooltip of a curve would cover the emphasized curve.
        return row.kind == Row::Kind::Heading
                   ? row.name + u'\n'
                         + tr("Click or press Space to show or hide a curve. Double-click or "
                              "press Shift+Space to show only this curve.")
                   : QVariant();
    case Qt::AccessibleTextRole:
        return row.kind != Row::Kind::Curve ? row.name
               : row.hidden                 ? tr("%1 %2, hidden").arg(row.name, row.value)
               : row.worst                  ? tr("%1 %2, worst").arg(row.name, row.value)
               : row.state                  ? tr("%1 %2, %3").arg(row.name, row.value, stateText(*row.state).toLower())
                                            : row.name + QLatin1Char(' ') + row.value;
    case HeadingRole:
        return row.kind == Row::Kind::Heading;
    case NoteRole:
        return row.kind == Row::Kind::Note;
    case ColorRole:
        return row.color;
    case ValueRole:
        return row.value;
    case HiddenRole:
        return row.hidden;
    case WorstRole:
        return row.worst;
    case StateRole:
        return row.state ? QVariant::fromValue(*row.state) : QVariant();
    case EmphasizedRole:
        return !row.key.isEmpty() && row.key == m_emphasized;
    case KeyRole:
        return row.key;
    default:
        return {};
    }
}

QStringList LegendModel::keysBeside(const QModelIndex &index) const
{
    QStringList keys;
    std::size_t row = static_cast<std::size_t>(std::max(0, index.row()));
    const auto isHeading = [this](std::size_t at) { return m_rows[at].kind == Row::Kind::Heading; };
    while (row > 0 && !isHeading(row))
        --row;
    for (++row; row < m_rows.size() && !isHeading(row); ++row) {
        if (!m_rows[row].key.isEmpty())
            keys.append(m_rows[row].key);
    }
    return keys;
}

}  // namespace sweepscope::ui
