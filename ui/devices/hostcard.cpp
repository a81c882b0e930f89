#include "ui/devices/hostcard.h"

#include "ui/devices/sparkaxis.h"
#include "ui/devices/sparkline.h"
#include "ui/devices/subtlelabel.h"
#include "ui/models/devicewords.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QGridLayout>
#include <QLabel>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr auto host = "host";

/// What is left of a size: the disk's readings are of its free space.
DeviceReadings::Trace rest(const DeviceReadings::Trace &free, double size)
{
    DeviceReadings::Trace used;
    for (const TimedValue &point : free)
        used.push_back({point.time, size - point.value});
    return used;
}

}  // namespace

HostCard::HostCard(QWidget *parent) : QFrame(parent)
{
    setProperty("card", true);
    setObjectName(u"hostCard"_s);
    setAccessibleName(tr("Memory, disk and network"));
    auto *title = new QLabel(tr("Memory, disk and network"), this);
    setTextRole(title, TextRole::Emphasis);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    grid->setHorizontalSpacing(spacing::medium);
    grid->setVerticalSpacing(spacing::small);
    grid->setColumnStretch(1, 1);
    grid->addWidget(title, 0, 0, 1, 3);
    m_memory = addRow(grid, u"hostMemory"_s, tr("Memory"), tr("Memory used"), bytesText);
    m_swap = addRow(grid, u"hostSwap"_s, tr("Swap"), tr("Swap used"), bytesText);
    m_disk = addRow(grid, u"hostDisk"_s, tr("Disk"), tr("Disk used"), bytesText);
    m_disk.title->setToolTip(tr("The disk that holds the workspace"));
    m_received = addRow(grid, u"hostReceived"_s, tr("Received"), tr("Received"), rateText);
    m_sent = addRow(grid, u"hostSent"_s, tr("Sent"), tr("Sent"), rateText);
    m_axis = new SparkAxis(this);
    grid->addWidget(m_axis, grid->rowCount(), 1);
    for (const Row &row : {m_received, m_sent})
        row.title->setToolTip(tr("Total of all network interfaces"));
    grid->setRowStretch(grid->rowCount(), 1);
}

HostCard::Row HostCard::addRow(QGridLayout *grid, const QString &name, const QString &title, const QString &quantity,
                               QString (*valueText)(double))
{
    Row row{subtleLabel(title, this), new Sparkline(this), new QLabel(this)};
    row.line->setWords(quantity, valueText);
    row.value->setObjectName(name);
    row.value->setAccessibleName(title);
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const int at = grid->rowCount();
    grid->addWidget(row.title, at, 0);
    grid->addWidget(row.line, at, 1);
    grid->addWidget(row.value, at, 2);
    return row;
}

void HostCard::hideRow(const Row &row, bool isHidden)
{
    row.title->setHidden(isHidden);
    row.line->setHidden(isHidden);
    row.value->setHidden(isHidden);
}

void HostCard::showRate(const Row &row, const DeviceReadings &readings, const char *quantity)
{
    const DeviceReadings::Trace *trace = readings.find(host, quantity);
    row.line->setTrace(trace ? *trace : DeviceReadings::Trace(), readings.newest, std::nullopt);
    row.line->setQuiet(!readings.isLive());
    const std::optional<double> now = readings.now(host, quantity);
    row.value->setText(now ? rateText(*now) : tr("unknown"));
}

void HostCard::showReadings(const std::shared_ptr<const DeviceReadings> &readings)
{
    m_axis->setEnd(readings->newest, readings->isLive());
    m_hasReadings = readings->find(host, "memory_size") != nullptr;
    const auto showShare = [&readings](const Row &row, const DeviceReadings::Trace *used, std::optional<double> size,
                                       const QString &text) {
        row.line->setTrace(used && size ? *used : DeviceReadings::Trace(), readings->newest, size);
        row.line->setQuiet(!readings->isLive());
        row.value->setText(text.isEmpty() ? tr("unknown") : text);
    };
    const auto usedText = [&readings](const char *used, const char *size) {
        const auto now = readings->now(host, used);
        const auto all = readings->now(host, size);
        return now ? tr("%1 used").arg(memoryText(now, all)) : QString();
    };
    showShare(m_memory, readings->find(host, "memory_used"), readings->now(host, "memory_size"),
              usedText("memory_used", "memory_size"));
    showShare(m_swap, readings->find(host, "swap_used"), readings->now(host, "swap_size"),
              usedText("swap_used", "swap_size"));
    hideRow(m_swap, readings->now(host, "swap_size").value_or(0) <= 0);
    const auto free = readings->now(host, "disk_free");
    const auto disk = readings->now(host, "disk_size");
    const DeviceReadings::Trace *frees = readings->find(host, "disk_free");
    const DeviceReadings::Trace used = frees && disk ? rest(*frees, *disk) : DeviceReadings::Trace();
    showShare(m_disk, &used, disk,
              free && disk ? tr("%1 of %2 free").arg(bytesText(*free), bytesText(*disk)) : QString());
    showRate(m_received, *readings, "network_received");
    showRate(m_sent, *readings, "network_sent");
}

}  // namespace sweepscope::ui
