#include "ui/editor/allocationmodel.h"

#include "process/cpulist.h"
#include "sweep/deviceplace.h"
#include "ui/models/devicenames.h"
#include "ui/models/valuetext.h"
#include "wording/sentence.h"

#include <QStringList>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

const device::Device *find(const std::vector<device::Device> &devices, const std::string &id)
{
    const auto found = std::ranges::find(devices, id, &device::Device::id);
    return found != devices.end() ? &*found : nullptr;
}

/// Returns the word before a device's number; a MIG instance has an id instead of a number.
QString kindText(const device::Device &device)
{
    if (device.kind == device::Kind::Cpu)
        return AllocationModel::tr("CPU slot");
    return device.simulated ? AllocationModel::tr("simulated GPU") : AllocationModel::tr("GPU");
}

QString listText(const std::vector<std::string> &ids, const std::vector<device::Device> &devices)
{
    QString text;
    QString kind;
    for (const std::string &id : ids) {
        const device::Device *device = find(devices, id);
        const bool isNumbered = device && device->parentId.empty();
        const QString ofThis = isNumbered ? nameOnMachine(sweep::machineOf(id), kindText(*device)) : QString();
        const QString name = isNumbered ? QString::number(device->index) : deviceNameOrId(id, {});
        if (!text.isEmpty())
            text += u", "_s;
        text += !ofThis.isEmpty() && ofThis != kind ? ofThis + u' ' + name : name;
        kind = ofThis;
    }
    return text;
}

QString coresText(const schedule::CpuGrant &grant)
{
    QStringList lists;
    for (const std::vector<int> &cpus : grant.cpus)
        if (!cpus.empty())
            lists += QString::fromStdString(process::cpuListText(cpus));
    if (grant.threads == 0)
        return lists.join(u" | "_s);
    const QString threads = grant.threads == 1 ? AllocationModel::tr("1 thread each")
                                               : AllocationModel::tr("%1 threads each").arg(grant.threads);
    return lists.isEmpty() ? threads : AllocationModel::tr("%1; %2").arg(lists.join(u" | "_s), threads);
}

QString parametersText(const sweep::ParameterSet &parameters)
{
    QStringList parts;
    for (const auto &[name, value] : parameters)
        parts += AllocationModel::tr("%1 %2").arg(QString::fromStdString(name), parameterText(value));
    return parts.join(u", "_s);
}

}  // namespace

/// Without a reset if no text has changed, so that the view keeps selection and scroll position.
void AllocationModel::setPreview(const AllocationPreview &preview)
{
    AllocationModel other;
    other.m_preview = preview;
    if (texts() == other.texts()) {
        m_preview = preview;
        return;
    }
    beginResetModel();
    m_preview = preview;
    endResetModel();
}

void AllocationModel::clear()
{
    setPreview({});
}

bool AllocationModel::hasGroups() const
{
    return std::ranges::any_of(m_preview.plan.planned,
                               [](const schedule::PlannedTrial &trial) { return bool(trial.devices.group); });
}

int AllocationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_preview.plan.planned.size());
}

int AllocationModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString AllocationModel::devicesText(const schedule::PlannedTrial &trial) const
{
    const auto &perRank = trial.devices.perRank;
    const bool isOneEach =
        std::ranges::all_of(perRank, [](const std::vector<std::string> &ids) { return ids.size() == 1; });
    if (isOneEach || perRank.size() == 1)
        return listText(trial.devices.all(), m_preview.devices);
    QStringList ranks;
    for (std::size_t rank = 0; rank < perRank.size(); ++rank)
        ranks += tr("rank %1: %2").arg(rank).arg(listText(perRank[rank], m_preview.devices));
    return ranks.join(u"; "_s);
}

QString AllocationModel::text(const schedule::PlannedTrial &trial, int column) const
{
    switch (column) {
    case Trial:
        return QString::number(trial.number);
    case Starts:
        return trial.isThere      ? tr("started")
               : trial.after == 0 ? tr("immediately")
                                  : tr("after trial %1").arg(trial.after);
    case Parameters:
        return trial.parameters ? parametersText(*trial.parameters) : QString();
    case Devices:
        return devicesText(trial);
    case Cores:
        return coresText(trial.devices.cpu);
    default:
        return QString::fromStdString(wording::clause(trial.devices.group));
    }
}

QList<QStringList> AllocationModel::texts() const
{
    QList<QStringList> texts;
    for (const schedule::PlannedTrial &trial : m_preview.plan.planned) {
        QStringList &row = texts.emplaceBack();
        for (int column = 0; column < ColumnCount; ++column)
            row += text(trial, column);
    }
    return texts;
}

QVariant AllocationModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text(m_preview.plan.planned[static_cast<std::size_t>(index.row())], index.column());
    return {};
}

QVariant AllocationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Trial"),   tr("Starts"), tr("Parameters"),
                              tr("Devices"), tr("Cores"),  tr("Connection")};
    return section >= 0 && section < ColumnCount ? titles[section] : QVariant();
}

}  // namespace sweepscope::ui
