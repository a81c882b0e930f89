#include "ui/findings/findingsmodel.h"

#include "ui/findings/findingwords.h"

#include <algorithm>
#include <tuple>

namespace sweepscope::ui {

namespace {

bool isSame(const diagnosis::Finding &a, const diagnosis::Finding &b)
{
    return std::tie(a.trial, a.attempt, a.rule, a.rank, a.device, a.window.from)
           == std::tie(b.trial, b.attempt, b.rule, b.rank, b.device, b.window.from);
}

bool isNewer(const ShownFinding &a, const ShownFinding &b)
{
    return std::pair(a.finding.window.from, a.finding.severity) > std::pair(b.finding.window.from, b.finding.severity);
}

}  // namespace

QString findingText(const ShownFinding &shown)
{
    const diagnosis::Finding &finding = shown.finding;
    QStringList lines{
        FindingsModel::tr("%1: %2, %3")
            .arg(severityText(finding.severity), QString::fromStdString(finding.rule), placeText(finding)),
        QString::fromStdString(finding.sentence), windowText(finding), thresholdText(finding),
        FindingsModel::tr("What helps: %1").arg(QString::fromStdString(finding.hint))};
    if (finding.simulated)
        lines << FindingsModel::tr("Simulated: a fake driver made the readings up");
    return lines.join(QLatin1Char('\n'));
}

void FindingsModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_isFull = false;
    endResetModel();
}

void FindingsModel::setAttempt(const ExaminedAttempt &examined)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        const diagnosis::Finding &old = finding(row).finding;
        const bool stays = std::any_of(examined.findings.begin(), examined.findings.end(),
                                       [&old](const ShownFinding &one) { return isSame(one.finding, old); });
        if (old.trial != examined.trial || old.attempt != examined.attempt || stays)
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    for (const ShownFinding &shown : examined.findings) {
        const auto old = std::find_if(m_rows.begin(), m_rows.end(),
                                      [&shown](const ShownFinding &one) { return isSame(one.finding, shown.finding); });
        if (old == m_rows.end()) {
            insert(shown);
            continue;
        }
        *old = shown;
        const QModelIndex changed = index(static_cast<int>(old - m_rows.begin()));
        Q_EMIT dataChanged(changed, changed);
    }
}

void FindingsModel::insert(const ShownFinding &finding)
{
    const auto place = std::upper_bound(m_rows.begin(), m_rows.end(), finding, isNewer);
    const int row = static_cast<int>(place - m_rows.begin());
    if (row >= mostRows) {
        m_isFull = true;
        return;
    }
    beginInsertRows({}, row, row);
    m_rows.insert(place, finding);
    endInsertRows();
    if (rowCount() <= mostRows)
        return;
    beginRemoveRows({}, mostRows, mostRows);
    m_rows.pop_back();
    endRemoveRows();
    m_isFull = true;
}

int FindingsModel::count(diagnosis::Severity severity) const
{
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [severity](const ShownFinding &shown) {
        return shown.finding.severity == severity;
    }));
}

int FindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ShownFinding &shown = finding(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(shown.finding.sentence);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return findingText(shown);
    case Qt::DecorationRole:
        return severityIcon(shown.finding.severity);
    case TrialRole:
        return shown.finding.trial;
    case SeverityRole:
        return static_cast<int>(shown.finding.severity);
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
