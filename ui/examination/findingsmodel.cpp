#include "ui/examination/findingsmodel.h"

#include "sweep/deviceplace.h"
#include "ui/examination/findingwords.h"
#include "ui/models/devicenames.h"

#include <algorithm>
#include <tuple>

namespace sweepscope::ui {

namespace {

bool isSame(const diagnosis::Finding &a, const diagnosis::Finding &b)
{
    return std::tie(a.severity, a.trial, a.attempt, a.rule, a.rank, a.device, a.window.from)
           == std::tie(b.severity, b.trial, b.attempt, b.rule, b.rank, b.device, b.window.from);
}

/// The worst first, then the newest.
bool isBefore(const ShownFinding &a, const ShownFinding &b)
{
    return std::pair(a.finding.severity, a.finding.window.from) > std::pair(b.finding.severity, b.finding.window.from);
}

}  // namespace

QString findingText(const ShownFinding &shown, const QString &place)
{
    const diagnosis::Finding &finding = shown.finding;
    QStringList lines{
        FindingsModel::tr("%1: %2, %3").arg(severityText(finding.severity), ruleTitle(finding.rule), place),
        QString::fromStdString(finding.sentence), windowText(finding), thresholdText(finding),
        FindingsModel::tr("Hint: %1").arg(QString::fromStdString(finding.hint))};
    if (finding.simulated)
        lines << FindingsModel::tr("Readings simulated by a fake driver");
    return lines.join(QLatin1Char('\n'));
}

void FindingsModel::setMachine(const std::vector<protocol::DeviceStatus> &machine)
{
    const bool isSame =
        std::ranges::equal(machine, m_machine, {}, &protocol::DeviceStatus::id, &protocol::DeviceStatus::id);
    m_machine = machine;
    if (!isSame && !m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

/// Shows the start of the UUID of a GPU that the machine does not have; the tooltip shows all of it.
QString FindingsModel::place(const diagnosis::Finding &finding) const
{
    constexpr int enough = 12;
    QString unknown = QString::fromStdString(sweep::withoutMachine(finding.device));
    if (unknown.size() > enough && unknown.startsWith(QLatin1String("GPU-")))
        unknown = unknown.first(enough) + u'…';
    return placeText(
        finding,
        finding.device.empty()
            ? QString()
            : deviceName(finding.device, m_machine).value_or(nameOnMachine(sweep::machineOf(finding.device), unknown)));
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
    const auto place = std::upper_bound(m_rows.begin(), m_rows.end(), finding, isBefore);
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

int FindingsModel::rowOf(const diagnosis::Finding &finding) const
{
    int alike = -1;
    for (int row = 0; row < rowCount(); ++row) {
        const diagnosis::Finding &one = this->finding(row).finding;
        if (isSame(one, finding))
            return row;
        if (alike < 0
            && std::tie(one.trial, one.attempt, one.rule) == std::tie(finding.trial, finding.attempt, finding.rule))
            alike = row;
    }
    return alike;
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
        return findingText(shown, placeText(shown.finding, QString::fromStdString(shown.finding.device)));
    case Qt::DecorationRole:
        return severityIcon(shown.finding.severity);
    case TrialRole:
        return shown.finding.trial;
    case FindingRole:
        return QVariant::fromValue(&shown);
    case PlaceRole:
        return place(shown.finding);
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
