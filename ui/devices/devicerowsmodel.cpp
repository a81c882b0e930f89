#include "ui/devices/devicerowsmodel.h"

#include "ui/models/devicewords.h"
#include "ui/theme/icons.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Column = DeviceRowsModel::Column;

constexpr double widestMemory = 88.8 * 1024 * 1024 * 1024;

bool isMeasured(Column column)
{
    return column == Column::Utilization || column == Column::Memory || column == Column::Temperature
           || column == Column::Power;
}

QString ruleWord(sweep::GpuRule rule)
{
    switch (rule) {
    case sweep::GpuRule::None:
        return {};
    case sweep::GpuRule::Pinned:
        return DeviceRowsModel::tr("Pinned");
    case sweep::GpuRule::NotPinned:
        return DeviceRowsModel::tr("Not pinned");
    case sweep::GpuRule::Excluded:
        return DeviceRowsModel::tr("Excluded");
    }
    return {};
}

QVariant shareOf(std::optional<double> value, std::optional<double> whole)
{
    return value && whole && *whole > 0 ? std::clamp(*value / *whole, 0.0, 1.0) : QVariant();
}

bool isOnlyLeased(const protocol::DeviceStatus &device)
{
    return device.lease && useOf(device) == DeviceUse::Free;
}

}  // namespace

DeviceRowsModel::DeviceRowsModel(QObject *parent)
    : QAbstractTableModel(parent), m_readings(std::make_shared<DeviceReadings>())
{}

void DeviceRowsModel::showDevices(const std::vector<protocol::DeviceStatus> &gpus)
{
    const bool isSame =
        std::ranges::equal(gpus, m_rows, {}, &protocol::DeviceStatus::id, [](const Row &row) { return row.device.id; });
    if (!isSame)
        beginResetModel();
    const bool isOneModel = !gpus.empty() && std::ranges::all_of(gpus, [&gpus](const protocol::DeviceStatus &gpu) {
        return gpu.name == gpus.front().name;
    });
    m_sharedName = isOneModel ? gpus.front().name : QString();
    m_rows.resize(gpus.size());
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (!isSame)
            m_rows[i] = {};
        m_rows[i].device = gpus[i];
        fill(m_rows[i]);
    }
    if (!isSame)
        endResetModel();
    else
        changed();
}

void DeviceRowsModel::showReadings(const std::shared_ptr<const DeviceReadings> &readings)
{
    m_readings = readings;
    std::ranges::for_each(m_rows, [this](Row &row) { fill(row); });
    changed();
}

void DeviceRowsModel::fill(Row &row) const
{
    const std::string id = row.device.id.toStdString();
    row.utilization = m_readings->now(id, "utilization");
    row.memory = m_readings->now(id, "memory");
    row.memoryTotal = m_readings->now(id, "memory_total");
    if (!row.memoryTotal && row.device.memoryBytes > 0)
        row.memoryTotal = row.device.memoryBytes;
    row.temperature = m_readings->now(id, "temperature");
    row.power = m_readings->now(id, "power");
    row.powerLimit = m_readings->now(id, "power_limit");
}

void DeviceRowsModel::showSweep(const SweepGpus &shown)
{
    m_sweepName = shown.name;
    m_hasRules = shown.id != 0;
    for (Row &row : m_rows) {
        const sweep::GpuIdentity *gpu = shown.gpu(row.device.id);
        row.rule = gpu ? sweep::gpuRule(shown.devices, *gpu) : sweep::GpuRule::None;
    }
    changed();
}

void DeviceRowsModel::changed()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

QString DeviceRowsModel::deviceId(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].device.id : QString();
}

int DeviceRowsModel::rowOf(const QString &deviceId) const
{
    const auto found = std::ranges::find(m_rows, deviceId, [](const Row &row) { return row.device.id; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int DeviceRowsModel::inUse() const
{
    return static_cast<int>(std::ranges::count_if(m_rows, [](const Row &row) {
        return !row.device.holders.empty() || !row.device.processes.empty() || row.device.lease;
    }));
}

int DeviceRowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DeviceRowsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString DeviceRowsModel::valueText(const Row &row, Column column)
{
    switch (column) {
    case Column::Gpu:
        return deviceTitle(row.device);
    case Column::Utilization:
        return percentText(row.utilization);
    case Column::Memory:
        return memoryText(row.memory, row.memoryTotal);
    case Column::Temperature:
        return amountText(row.temperature, std::nullopt, u"°C"_s);
    case Column::Power:
        return amountText(row.power, row.powerLimit, u"W"_s);
    case Column::Use:
        return usedByText(row.device);
    case Column::Rule:
        return ruleWord(row.rule);
    case Column::Menu:
        return {};
    }
    return {};
}

QString DeviceRowsModel::shownText(const Row &row, Column column) const
{
    if (!m_isBrief)
        return valueText(row, column);
    Row brief = row;
    brief.powerLimit.reset();
    brief.memoryTotal.reset();
    return valueText(brief, column);
}

QString DeviceRowsModel::widestText(const Row &row, Column column) const
{
    Row widest = row;
    widest.utilization = 100;
    widest.temperature = 100;
    widest.power = row.powerLimit.value_or(888);
    if (column == Column::Memory && !m_isBrief)
        return widestMemoryText(row.memoryTotal);
    if (column == Column::Memory)
        return memoryText(row.memoryTotal.value_or(widestMemory), std::nullopt);
    return shownText(widest, column);
}

QVariant DeviceRowsModel::share(const Row &row, Column column)
{
    if (column == Column::Utilization)
        return shareOf(row.utilization, 100);
    return column == Column::Memory ? shareOf(row.memory, row.memoryTotal) : QVariant();
}

QString DeviceRowsModel::toolTip(const Row &row, Column column) const
{
    switch (column) {
    case Column::Gpu:
        return QStringList{row.device.name, row.device.id, row.device.pciBusId}.join(u'\n').trimmed();
    case Column::Use:
        return useDetail(row.device).isEmpty() ? useText(row.device)
                                               : useText(row.device) + u": "_s + useDetail(row.device);
    case Column::Rule:
        return ruleText(row.rule, m_sweepName);
    case Column::Menu:
        return tr("GPU actions");
    default:
        return m_isBrief ? valueText(row, column) : QString();
    }
}

QVariant DeviceRowsModel::icon(const Row &row, Column column) const
{
    if (column == Column::Use)
        return isOnlyLeased(row.device) ? symbolIcon(u"time"_s, QPalette::WindowText) : useIcon(useOf(row.device));
    if (column == Column::Menu)
        return symbolIcon(u"settings"_s, QPalette::WindowText);
    if (column != Column::Rule || row.rule == sweep::GpuRule::None)
        return {};
    return symbolIcon(row.rule == sweep::GpuRule::Pinned ? u"pin"_s : u"close"_s, QPalette::WindowText);
}

QVariant DeviceRowsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    const QString text = valueText(row, column);
    const bool isUnknown = isMeasured(column) && text.isEmpty();
    switch (role) {
    case Qt::DisplayRole:
        return isUnknown ? tr("unknown") : shownText(row, column);
    case Qt::DecorationRole:
        return icon(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::AccessibleTextRole:
        if (column == Column::Gpu)
            return text + u", "_s + row.device.name + (row.device.simulated ? u", "_s + tr("simulated") : QString());
        if (column == Column::Menu || column == Column::Use)
            return toolTip(row, column);
        return isUnknown ? tr("unknown") : text;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            (column == Column::Temperature || column == Column::Power ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    case NameRole:
        return column == Column::Gpu && m_sharedName.isEmpty() ? shortName(row.device) : QString();
    case ShareRole:
        return share(row, column);
    case WidestRole:
        return isUnknown ? tr("unknown") : widestText(row, column);
    case UnknownRole:
        return isMeasured(column) && (isUnknown || !m_readings->isLive());
    case ProblemRole:
        return column == Column::Use && useOf(row.device) == DeviceUse::Wrong;
    default:
        return {};
    }
}

QVariant DeviceRowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const auto column = static_cast<Column>(section);
        return QVariant::fromValue(
            (column == Column::Temperature || column == Column::Power ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    }
    if (role == Qt::AccessibleTextRole && section == static_cast<int>(Column::Menu))
        return tr("Menu");
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[columns] = {tr("GPU"),   tr("Utilization"), tr("Memory"), tr("Temp."),
                                     tr("Power"), tr("Used by"),     tr("Sweep"),  QString()};
    return titles[section];
}

}  // namespace sweepscope::ui
