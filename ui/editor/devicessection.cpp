#include "ui/editor/devicessection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int mostPerRank = 1024;
constexpr int mostConcurrent = 10'000;
constexpr int mostSlots = 100'000;
constexpr int mostPerGpu = 1024;
constexpr int mostCores = 4096;

}  // namespace

DevicesSection::DevicesSection(QWidget *parent)
    : FormSection(tr("Devices"), QString(), parent),
      m_kind(new QComboBox),
      m_perRank(new QSpinBox),
      m_concurrent(new QSpinBox),
      m_cpuSlots(new QSpinBox),
      m_machine(new QLabel(this)),
      m_pin(new QLineEdit),
      m_exclude(new QLineEdit),
      m_foreign(new QComboBox),
      m_perGpu(new QSpinBox),
      m_memory(new QLineEdit),
      m_coresPerRank(new QSpinBox),
      m_affinity(new QComboBox)
{
    m_machine->setObjectName(u"devices.machine"_s);
    m_machine->setForegroundRole(QPalette::PlaceholderText);
    m_machine->setWordWrap(true);
    body()->addWidget(m_machine);
    addUsual(addGrid());
    addMore();
}

void DevicesSection::addUsual(FieldGrid *grid)
{
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

void DevicesSection::addMore()
{
    FieldGrid *grid = addFoldedGrid(u"devices.more"_s, tr("More about GPUs and cores"));
    m_pin->setPlaceholderText(tr("all"));
    addLine(grid, u"devices.pin"_s, tr("Only these GPUs"), m_pin)
        ->setHelp(
            tr("By index, UUID or its beginning, PCI bus id, or a part of the name; with commas between: 0, H200"));
    m_exclude->setPlaceholderText(tr("none"));
    addLine(grid, u"devices.exclude"_s, tr("Not these GPUs"), m_exclude)
        ->setHelp(tr("Named as those that it may have, with commas between."));
    addSpin(grid, u"devices.per_gpu"_s, tr("Ranks on one GPU, at most"), m_perGpu, 1, mostPerGpu)
        ->setHelp(tr("More than one: trials share a GPU. Ranks of one trial do so with Gloo alone."));
    m_memory->setPlaceholderText(tr("an equal part"));
    addLine(grid, u"devices.memory"_s, tr("GPU memory of each rank"), m_memory)
        ->setHelp(tr("What each rank is promised, for example 10 GiB or 500 MB."));
    m_foreign->addItem(tr("Wait until they are gone"), u"avoid"_s);
    m_foreign->addItem(tr("Share when no other is free"), u"share"_s);
    m_foreign->addItem(tr("As if nobody were there"), u"ignore"_s);
    addBox(grid, u"devices.foreign"_s, tr("GPUs that others compute on"), m_foreign)
        ->setHelp(tr("Where processes compute that belong to no trial of this workspace."));
    m_coresPerRank->setSpecialValueText(tr("a fair share"));
    addSpin(grid, u"devices.cores_per_rank"_s, tr("Cores of each rank"), m_coresPerRank, 0, mostCores)
        ->setHelp(tr("And its threads."));
    m_affinity->addItem(tr("Keep to cores of their own"), u"auto"_s);
    m_affinity->addItem(tr("Move about"), u"off"_s);
    addBox(grid, u"devices.cpu_affinity"_s, tr("Ranks and cores"), m_affinity)
        ->setHelp(tr("Keep: where there is a core for each. Move about: the kernel chooses."));
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
    showText(m_pin, draft.pin);
    showText(m_exclude, draft.exclude);
    m_foreign->setCurrentIndex(static_cast<int>(draft.foreign));
    showValue(m_perGpu, draft.perGpu);
    showText(m_memory, draft.memory);
    showValue(m_coresPerRank, draft.coresPerRank);
    m_affinity->setCurrentIndex(static_cast<int>(draft.affinity));
}

void DevicesSection::readInto(SweepDraft &draft) const
{
    draft.devices = static_cast<sweep::DeviceKind>(m_kind->currentIndex());
    draft.perRank = m_perRank->value();
    draft.concurrent = m_concurrent->value();
    draft.cpuSlots = m_cpuSlots->value();
    draft.pin = m_pin->text();
    draft.exclude = m_exclude->text();
    draft.foreign = static_cast<sweep::ForeignPolicy>(m_foreign->currentIndex());
    draft.perGpu = m_perGpu->value();
    draft.memory = m_memory->text();
    draft.coresPerRank = m_coresPerRank->value();
    draft.affinity = static_cast<sweep::CpuAffinity>(m_affinity->currentIndex());
}

}  // namespace sweepscope::ui
