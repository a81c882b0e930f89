#include "ui/live/legendmodel.h"

#include "ui/live/columns.h"
#include "ui/live/curvenames.h"
#include "ui/live/liveplot.h"
#include "ui/live/showncharts.h"
#include "ui/models/usualgoal.h"
#include "ui/theme/trialcolors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

std::optional<double> valueOf(const PlotCurve &curve, std::optional<double> x)
{
    if (!x)
        return curve.newest;
    const series::Column *column = columnAt(curve.columns, *x);
    if (!column)
        return std::nullopt;
    return std::isfinite(column->last) ? column->last : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void LegendModel::addPanel(std::vector<Row> &rows, const PlotPanel &panel, bool curves, std::optional<double> x,
                           const QSet<QString> &hidden) const
{
    if (panel.curves.empty())
        return;
    Row heading;
    heading.heading = true;
    heading.name = panelTitle(panel);
    rows.push_back(heading);
    const std::size_t first = rows.size();
    double best = std::numeric_limits<double>::infinity();
    double worst = -best;
    std::size_t worstRow = 0;
    double largest = 0;
    std::vector<std::optional<double>> values;
    for (const PlotCurve &curve : panel.curves) {
        values.push_back(valueOf(curve, x));
        if (values.back() && std::isfinite(*values.back()))
            largest = std::max(largest, std::abs(*values.back()));
    }
    const DisplayUnit unit = displayUnit(panel.unit, largest);
    const double sign = usualGoal(panelTitle(panel)) == sweep::Goal::Maximize ? -1 : 1;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const PlotCurve &curve = panel.curves[i];
        const bool isCommon = curve.name.isEmpty();
        Row row;
        row.name = curveName(panel, curve);
        row.key = hidingKey(curves ? PanelKind::Curves : PanelKind::Strip, panel, curve);
        row.color = isCommon ? QColor() : rankColor(curve.color);
        row.hidden = hidden.contains(row.key);
        row.value = values[i] ? valueText(*values[i], unit, 4) : QStringLiteral("–");
        if (values[i] && curves && !isCommon) {
            const double badness =
                std::isfinite(*values[i]) ? sign * *values[i] : std::numeric_limits<double>::infinity();
            best = std::min(best, badness);
            if (badness > worst) {
                worst = badness;
                worstRow = first + i;
            }
        }
        rows.push_back(row);
    }
    // Equal ranks have no worst one; nor has a rank alone.
    if (curves && !panel.isOfTrials && !panel.isOfSeries && worst > best
        && (std::isinf(worst) || worst - best > 1e-9 * std::max(std::abs(worst), std::abs(best))))
        rows[worstRow].worst = true;
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
    if (!index.isValid() || m_rows[static_cast<std::size_t>(index.row())].heading)
        return Qt::NoItemFlags;  // keys pass by
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
        // Of a curve it would lie over the curve that stands out.
        return row.heading
                   ? tr("Curves: click or Space shows or hides, double click or Shift+Space leaves only this one.")
                   : QVariant();
    case Qt::AccessibleTextRole:
        return row.heading  ? row.name
               : row.hidden ? tr("%1 %2, hidden").arg(row.name, row.value)
               : row.worst  ? tr("%1 %2, worst").arg(row.name, row.value)
                            : row.name + QLatin1Char(' ') + row.value;
    case HeadingRole:
        return row.heading;
    case ColorRole:
        return row.color;
    case ValueRole:
        return row.value;
    case HiddenRole:
        return row.hidden;
    case WorstRole:
        return row.worst;
    case EmphasizedRole:
        return !row.heading && row.key == m_emphasized;
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
    while (row > 0 && !m_rows[row].heading)
        --row;
    for (++row; row < m_rows.size() && !m_rows[row].heading; ++row)
        keys.append(m_rows[row].key);
    return keys;
}

}  // namespace sweepscope::ui
