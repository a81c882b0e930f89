#include "ui/models/trialfilterproxy.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

bool isNumber(const QVariant &value)
{
    return value.isValid() && value.typeId() != QMetaType::QString;
}

bool isMissing(const QVariant &value)
{
    return !value.isValid() || (isNumber(value) && std::isnan(value.toDouble()));
}

}  // namespace

TrialFilterProxy::TrialFilterProxy(TrialTableModel *model, QObject *parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSortRole(TrialTableModel::RawRole);
    setSourceModel(model);
}

void TrialFilterProxy::setFilterText(const QString &text)
{
    m_filter = TrialFilter(text);
    invalidateRowsFilter();
}

void TrialFilterProxy::setStates(std::vector<sweep::TrialState> states)
{
    m_states = std::move(states);
    invalidateRowsFilter();
}

bool TrialFilterProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    if (!m_states.empty() && std::ranges::find(m_states, m_model->trial(row).state) == m_states.end())
        return false;
    return m_filter.isEmpty() || m_filter.accepts(*m_model, row);
}

bool TrialFilterProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    if (isMissing(a) || isMissing(b)) {
        // Descending order swaps the result; missing values belong last all the same.
        const bool missingIsSmaller = sortOrder() == Qt::DescendingOrder;
        return isMissing(a) != isMissing(b) && isMissing(a) == missingIsSmaller;
    }
    if (isNumber(a) != isNumber(b))
        return isNumber(a);
    if (isNumber(a))
        return a.toDouble() < b.toDouble();
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

}  // namespace sweepscope::ui
