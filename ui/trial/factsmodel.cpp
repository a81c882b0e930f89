#include "ui/trial/factsmodel.h"

#include <algorithm>

namespace sweepscope::ui {

FactsModel::FactsModel(QStringList titles, int firstNumber, QObject *parent)
    : QAbstractTableModel(parent), m_titles(std::move(titles)), m_firstNumber(firstNumber)
{}

void FactsModel::setFacts(std::vector<Fact> facts)
{
    const auto common = static_cast<int>(std::min(facts.size(), m_facts.size()));
    const auto before = static_cast<int>(m_facts.size());
    const auto after = static_cast<int>(facts.size());
    for (int row = 0; row < common; ++row) {
        const auto place = static_cast<std::size_t>(row);
        if (facts[place] == m_facts[place])
            continue;
        m_facts[place] = std::move(facts[place]);
        Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_facts.resize(facts.size());
        endRemoveRows();
    } else if (after > before) {
        beginInsertRows({}, before, after - 1);
        std::move(facts.begin() + before, facts.end(), std::back_inserter(m_facts));
        endInsertRows();
    }
}

int FactsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_facts.size());
}

int FactsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_titles.size());
}

QVariant FactsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Fact &fact = m_facts[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return fact.cells.value(index.column());
    case Qt::ToolTipRole:
        return fact.toolTip.isEmpty() ? fact.cells.value(index.column()) : fact.toolTip;
    case Qt::DecorationRole:
        return index.column() == fact.iconCell && !fact.icon.isNull() ? QVariant(fact.icon) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((index.column() >= m_firstNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case targetRole:
        return fact.target;
    default:
        return {};
    }
}

QVariant FactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return m_titles.value(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((section >= m_firstNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

}  // namespace sweepscope::ui
