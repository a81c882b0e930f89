// Which trials fit, and in which order and groups they stand.
#include "ui/models/trialrows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::ui {

namespace {

/// What a row is sorted by: numbers before texts, and what is missing last.
struct SortKey {
    enum class Kind { Number, Text, Missing };
    Kind kind = Kind::Missing;
    double number = 0;
    QString text;

    explicit SortKey(const QVariant &value)
    {
        if (!value.isValid())
            return;
        if (value.typeId() == QMetaType::QString) {
            kind = Kind::Text;
            text = value.toString();
        } else if (const double found = value.toDouble(); !std::isnan(found)) {
            kind = Kind::Number;
            number = found;
        }
    }

    bool isLess(const SortKey &other, bool descending) const
    {
        if (kind == Kind::Missing || other.kind == Kind::Missing)
            return kind != Kind::Missing && other.kind == Kind::Missing;
        const SortKey &a = descending ? other : *this;
        const SortKey &b = descending ? *this : other;
        if (a.kind != b.kind)
            return a.kind < b.kind;
        return a.kind == Kind::Number ? a.number < b.number : QString::localeAwareCompare(a.text, b.text) < 0;
    }
};

/// Sorts `items` by keys that are made once for each.
template <typename KeyOf>
void sortBy(std::vector<int> &items, bool descending, KeyOf &&keyOf)
{
    std::vector<SortKey> keys;
    keys.reserve(items.size());
    for (const int item : items)
        keys.emplace_back(keyOf(item));
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return keys[a].isLess(keys[b], descending); });
    std::vector<int> sorted;
    sorted.reserve(items.size());
    for (const std::size_t place : order)
        sorted.push_back(items[place]);
    items = std::move(sorted);
}

}  // namespace

std::vector<TrialRows::Id> TrialRows::arranged()
{
    std::vector<int> rows = fitting();
    m_trialCount = static_cast<int>(rows.size());
    sortRows(rows);
    return isGrouped() ? grouped(rows) : rows;
}

bool TrialRows::wouldLeaveAny(const TrialFilter &filter, const std::vector<sweep::TrialState> &states) const
{
    TrialFilter bound = filter;
    bound.bind(*m_model);
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const bool hasState = states.empty() || std::ranges::find(states, m_model->trial(row).state) != states.end();
        if (hasState && bound.accepts(*m_model, row))
            return true;
    }
    return false;
}

std::vector<int> TrialRows::fitting() const
{
    std::vector<int> rows;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (!m_states.empty() && std::ranges::find(m_states, m_model->trial(row).state) == m_states.end())
            continue;
        if (m_filter.accepts(*m_model, row))
            rows.push_back(row);
    }
    return rows;
}

std::vector<int> TrialRows::fittingTrials() const
{
    std::vector<int> numbers;
    for (const int row : fitting())
        numbers.push_back(m_model->trial(row).number);
    return numbers;
}

void TrialRows::sortRows(std::vector<int> &rows) const
{
    if (m_sortColumn < 0 || m_sortColumn >= m_model->columnCount())
        return;
    sortBy(rows, m_sortOrder == Qt::DescendingOrder,
           [this](int row) { return SortKey(m_model->rawValue(row, m_sortColumn)); });
}

std::vector<TrialRows::Id> TrialRows::grouped(const std::vector<int> &rows)
{
    m_groupTexts.clear();
    for (TrialGroup &group : m_groups)
        group.members.clear();
    std::vector<int> order;
    for (const int row : rows) {
        const QModelIndex cell = m_model->index(row, m_groupSection);
        const QString text = cell.data().toString();
        const auto [place, isNew] = m_groupNumbers.try_emplace(text, static_cast<int>(m_groups.size()));
        if (isNew) {
            TrialGroup group;
            group.title = tr("%1 = %2").arg(m_model->headerData(m_groupSection, Qt::Horizontal).toString(), text);
            group.value = cell.data(TrialTableModel::RawRole);
            m_groups.push_back(std::move(group));
        }
        TrialGroup &group = m_groups[static_cast<std::size_t>(place->second)];
        if (group.members.empty())
            order.push_back(place->second);
        group.members.push_back(row);
    }
    sortGroups(order);
    std::vector<Id> ids;
    for (const int number : order) {
        ids.push_back(-1 - number);
        const TrialGroup &group = m_groups[static_cast<std::size_t>(number)];
        if (!group.isFolded)
            ids.insert(ids.end(), group.members.begin(), group.members.end());
    }
    return ids;
}

void TrialRows::sortGroups(std::vector<int> &order) const
{
    const auto groupAt = [this](int number) -> const TrialGroup & {
        return m_groups[static_cast<std::size_t>(number)];
    };
    sortBy(order, false, [&](int number) { return SortKey(groupAt(number).value); });
    // By the number of trials only where somebody asks for it: tables begin sorted by their first column.
    const bool byColumn = m_sortColumn > 0 && m_sortColumn < m_model->columnCount() && m_sortColumn != m_groupSection;
    if (byColumn)
        sortBy(order, m_sortOrder == Qt::DescendingOrder,
               [&](int number) { return SortKey(groupValue(groupAt(number), *m_model, m_sortColumn)); });
    else if (m_sortColumn == m_groupSection && m_sortOrder == Qt::DescendingOrder)
        sortBy(order, true, [&](int number) { return SortKey(groupAt(number).value); });
}

}  // namespace sweepscope::ui
