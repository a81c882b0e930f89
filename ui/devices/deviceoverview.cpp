#include "ui/devices/deviceoverview.h"

#include "ui/devices/devicerowsmodel.h"
#include "ui/devices/devicetable.h"
#include "ui/devices/subtlelabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DeviceOverview::DeviceOverview(QWidget *parent)
    : QFrame(parent),
      m_model(new DeviceRowsModel(this)),
      m_name(subtleLabel({}, this)),
      m_simulated(new QLabel(tr("simulated"), this)),
      m_use(subtleLabel({}, this)),
      m_table(new DeviceTable(m_model, this))
{
    setObjectName(u"deviceOverview"_s);
    setProperty("card", true);
    setAccessibleName(tr("All GPUs"));
    auto *title = new QLabel(tr("GPUs"), this);
    setTextRole(title, TextRole::Emphasis);
    m_simulated->setProperty("chip", true);
    setTextRole(m_simulated, TextRole::Small);
    m_simulated->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_name->setObjectName(u"overviewName"_s);
    m_name->setTextFormat(Qt::PlainText);
    m_use->setObjectName(u"overviewUse"_s);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(spacing::small, 0, spacing::small, 0);
    head->setSpacing(spacing::small);
    head->addWidget(title);
    head->addWidget(m_name);
    head->addWidget(m_simulated);
    head->addStretch(1);
    head->addWidget(m_use);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::small, spacing::medium, spacing::small, spacing::small);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(head);
    layout->addWidget(m_table);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &index) { Q_EMIT currentChanged(index.row()); });
    connect(m_table, &DeviceTable::rowChosen, this, &DeviceOverview::rowChosen);
    connect(m_table, &DeviceTable::menuRequested, this, &DeviceOverview::menuRequested);
}

void DeviceOverview::showDevices(const std::vector<protocol::DeviceStatus> &gpus)
{
    const QString shown = m_model->deviceId(current());
    m_model->showDevices(gpus);
    m_name->setText(m_model->sharedName());
    m_simulated->setVisible(std::ranges::any_of(gpus, &protocol::DeviceStatus::simulated));
    m_isRecorded = std::ranges::any_of(gpus, &protocol::DeviceStatus::recorded);
    showUse();
    if (current() < 0 && m_model->rowCount() > 0)
        setCurrent(std::max(0, m_model->rowOf(shown)));
}

void DeviceOverview::showReadings(const std::shared_ptr<const DeviceReadings> &readings)
{
    m_model->showReadings(readings);
    showUse();
}

void DeviceOverview::showUse()
{
    m_use->setText(m_isRecorded ? QString() : tr("%1 of %2 in use").arg(m_model->inUse()).arg(m_model->rowCount()));
}

void DeviceOverview::showSweep(const SweepGpus &shown)
{
    m_model->showSweep(shown);
}

int DeviceOverview::current() const
{
    return m_table->currentIndex().row();
}

void DeviceOverview::setCurrent(int row)
{
    m_table->setCurrentIndex(m_model->index(row, 0));
}

}  // namespace sweepscope::ui
