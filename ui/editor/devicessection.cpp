#include "ui/editor/devicessection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int mostPerRank = 1024;
constexpr int mostConcurrent = 10'000;
constexpr int mostSlots = 100'000;

}  // namespace

DevicesSection::DevicesSection(QWidget *parent)
    : FormSection(tr("Devices"), QString(), parent),
      m_kind(new QComboBox),
      m_perRank(new QSpinBox),
      m_concurrent(new QSpinBox),
      m_cpuSlots(new QSpinBox),
      m_machine(new QLabel(this))
{
    m_machine->setObjectName(u"devices.machine"_s);
    m_machine->setForegroundRole(QPalette::PlaceholderText);
    m_machine->setWordWrap(true);
    body()->addWidget(m_machine);
    FieldGrid *grid = addGrid();
    m_kind->addItem(tr("Automatic"), u"auto"_s);
    m_kind->addItem(tr("GPUs"), u"gpu"_s);
    m_kind->addItem(tr("CPU"), u"cpu"_s);
    addBox(grid, u"devices.kind"_s, tr("R&un on"), m_kind)
        ->setHelp(tr("Automatic: GPUs where there are enough, else CPU."));
    addSpin(grid, u"devices.per_rank"_s, tr("Devices &per rank"), m_perRank, 1, mostPerRank)
        ->setHelp(tr("GPUs that each rank gets for itself."));
    addSpin(grid, u"devices.concurrent"_s, tr("Trials at once, at most"), m_concurrent, 1, mostConcurrent);
    m_cpuSlots->setSpecialValueText(tr("one per core"));
    addSpin(grid, u"devices.cpu_slots"_s, tr("Ranks at once on CPU"), m_cpuSlots, 0, mostSlots)
        ->setHelp(tr("How many ranks may share the cores at the same time."));
}

void DevicesSection::setMachineText(const QString &text)
{
    m_machine->setText(text);
}

void DevicesSection::display(const SweepDraft &draft)
{
    const QString kinds[] = {u"auto"_s, u"gpu"_s, u"cpu"_s};
    chooseData(m_kind, kinds[static_cast<int>(draft.devices)]);
    showValue(m_perRank, draft.perRank);
    showValue(m_concurrent, draft.concurrent);
    showValue(m_cpuSlots, draft.cpuSlots);
}

void DevicesSection::readInto(SweepDraft &draft) const
{
    draft.devices = static_cast<sweep::DeviceKind>(m_kind->currentIndex());
    draft.perRank = m_perRank->value();
    draft.concurrent = m_concurrent->value();
    draft.cpuSlots = m_cpuSlots->value();
}

}  // namespace sweepscope::ui
