#include "ui/devices/connectionmodel.h"

#include "ui/models/devicewords.h"

#include <QApplication>
#include <QPalette>

#include <algorithm>
#include <array>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// Best first. `tint` is the share of the highlight colour in the cell.
struct Kind {
    const char *name;
    const char *text;
    double tint;
};
constexpr QLatin1StringView nvlink("NV");
constexpr double nvlinkTint = 0.55;
constexpr std::array kinds{
    Kind{"PIX", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "single PCIe switch or board"), 0.4},
    Kind{"PXB", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "multiple PCIe switches, no CPU"), 0.32},
    Kind{"PHB", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "via the CPU's PCIe root"), 0.2},
    Kind{"NODE", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "via CPUs in one NUMA node"), 0.13},
    Kind{"SYS", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "via CPUs, across NUMA nodes"), 0.06},
    Kind{"?", QT_TRANSLATE_NOOP("sweepscope::ui::ConnectionModel", "unknown"), 0},
};

const Kind *kindOf(const QString &name)
{
    const auto found =
        std::ranges::find_if(kinds, [&](const Kind &kind) { return name == QLatin1StringView(kind.name); });
    return found != kinds.end() ? &*found : nullptr;
}

double tintOf(const QString &name)
{
    const Kind *kind = kindOf(name);
    return kind ? kind->tint : name.startsWith(nvlink) ? nvlinkTint : 0;
}

}  // namespace

QString connectionText(const QString &name)
{
    if (const Kind *kind = kindOf(name))
        return ConnectionModel::tr(kind->text);
    bool isNumber = false;
    const int links = name.mid(nvlink.size()).toInt(&isNumber);
    if (!name.startsWith(nvlink) || !isNumber)
        return name;
    return links == 1 ? ConnectionModel::tr("NVLink, 1 link") : ConnectionModel::tr("NVLink, %1 links").arg(links);
}

void ConnectionModel::setDevices(const std::vector<protocol::DeviceStatus> &devices)
{
    std::vector<Gpu> gpus;
    for (const protocol::DeviceStatus &device : devices) {
        if (device.gpu && !device.connections.isEmpty())
            gpus.push_back({device.id, deviceTitle(device), device.nearCpus, device.connections});
    }
    if (gpus == m_gpus)
        return;
    beginResetModel();
    m_gpus = std::move(gpus);
    endResetModel();
}

QStringList ConnectionModel::legend() const
{
    QStringList names;
    for (const Gpu &gpu : m_gpus)
        names += gpu.connections.values();
    names.removeDuplicates();
    std::ranges::stable_sort(names, std::greater<>(), tintOf);
    QStringList lines;
    for (const QString &name : names)
        lines << tr("%1: %2").arg(name, connectionText(name));
    return lines;
}

int ConnectionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_gpus.size());
}

int ConnectionModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || m_gpus.empty() ? 0 : static_cast<int>(m_gpus.size()) + 2;
}

/// Empty for a GPU and itself, and outside of the GPUs' columns.
QString ConnectionModel::connection(int row, int column) const
{
    if (column == row + 1 || column < 1 || column > rowCount())
        return {};
    const QString &other = m_gpus[static_cast<std::size_t>(column - 1)].id;
    return m_gpus[static_cast<std::size_t>(row)].connections.value(other, u"?"_s);
}

QVariant ConnectionModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Gpu &gpu = m_gpus[static_cast<std::size_t>(index.row())];
    const bool isTitle = index.column() == 0;
    const bool isCpus = index.column() == rowCount() + 1;
    const QString name = connection(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        if (isTitle)
            return gpu.title;
        if (isCpus)
            return gpu.nearCpus.isEmpty() ? tr("unknown") : gpu.nearCpus;
        return name.isEmpty() ? u"–"_s : name;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        if (isCpus)
            return tr("CPUs near %1: %2").arg(gpu.title, gpu.nearCpus.isEmpty() ? tr("unknown") : gpu.nearCpus);
        if (name.isEmpty())
            return gpu.title;
        return tr("%1 and %2: %3")
            .arg(gpu.title, m_gpus[static_cast<std::size_t>(index.column() - 1)].title, connectionText(name));
    case Qt::TextAlignmentRole:
        return isTitle || isCpus ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter)
                                 : QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    case Qt::BackgroundRole:
        if (const double tint = tintOf(name); tint > 0) {
            QColor color = QApplication::palette().color(QPalette::Highlight);
            color.setAlphaF(static_cast<float>(tint));
            return color;
        }
        return {};
    default:
        return {};
    }
}

QVariant ConnectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isGpu = section > 0 && section <= rowCount();
    if (role == Qt::TextAlignmentRole)
        return isGpu ? QVariant::fromValue(Qt::Alignment(Qt::AlignCenter))
                     : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (isGpu)
        return m_gpus[static_cast<std::size_t>(section - 1)].title;
    return section == 0 ? QString() : tr("Nearby CPUs");
}

}  // namespace sweepscope::ui
