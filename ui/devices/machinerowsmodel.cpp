#include "ui/devices/machinerowsmodel.h"

#include "sweep/deviceplace.h"
#include "ui/models/machinewords.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void MachineRowsModel::showMachines(const std::vector<protocol::DeviceStatus> &here,
                                    const std::vector<protocol::MachineStatus> &others)
{
    std::vector<Row> rows(1);
    rows.front().machine.isUsed = rows.front().machine.isConnected = true;
    rows.front().use = protocol::useOf(here);
    for (const protocol::MachineStatus &machine : others)
        rows.push_back({machine, protocol::useOf(machine)});
    const auto nameOf = [](const Row &row) { return row.machine.name; };
    const bool isSame = std::ranges::equal(rows, m_rows, {}, nameOf, nameOf);
    if (!isSame)
        beginResetModel();
    m_rows = std::move(rows);
    if (!isSame)
        endResetModel();
    else
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

QString MachineRowsModel::name(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].machine.name : QString();
}

bool MachineRowsModel::hasGpus() const
{
    return std::ranges::any_of(m_rows, [](const Row &row) { return row.use.gpus > 0; });
}

int MachineRowsModel::rowOf(const QString &name) const
{
    const auto found = std::ranges::find(m_rows, name, [](const Row &row) { return row.machine.name; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int MachineRowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MachineRowsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString MachineRowsModel::text(const Row &row, Column column)
{
    const protocol::MachineStatus &machine = row.machine;
    const bool isHere = machine.name.isEmpty();
    switch (column) {
    case Column::Machine:
        return isHere ? QString::fromLatin1(sweep::thisMachine) : machine.name;
    case Column::Gpus:
        return inUseText(row.use.freeGpus, row.use.gpus);
    case Column::Cores:
        return inUseText(row.use.freeCores, row.use.cores);
    case Column::Trials:
        return machine.limit > 0 ? tr("%1 of %2").arg(row.use.trials).arg(machine.limit)
                                 : QString::number(row.use.trials);
    case Column::Clock:
        return clockErrorText(machine.clockError);
    case Column::State:
        return isHere ? tr("The engine runs here") : stateText(machine);
    }
    return {};
}

QString MachineRowsModel::toolTip(const Row &row, Column column)
{
    const protocol::MachineStatus &machine = row.machine;
    if (machine.name.isEmpty())
        return {};
    switch (column) {
    case Column::Machine:
        return machine.address;
    case Column::Clock:
        return clockOffsetText(machine);
    case Column::State:
        return QStringList{stateText(machine), remedyText(machine), clockOffsetText(machine)}.join(u'\n').trimmed();
    default:
        return {};
    }
}

QVariant MachineRowsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::DecorationRole:
        return column == Column::Machine ? machineIcon(stateOf(row.machine)) : QVariant();
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::AccessibleTextRole:
        return column == Column::Machine ? text(row, column) + u", "_s + text(row, Column::State) : text(row, column);
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    default:
        return {};
    }
}

QVariant MachineRowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == static_cast<int>(Column::Clock))
        return tr("Maximum error of the times of its readings");
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[columns] = {tr("Machine"), tr("GPUs in use"), tr("Cores in use"),
                                     tr("Trials"),  tr("Clock error"), tr("State")};
    return titles[section];
}

}  // namespace sweepscope::ui
