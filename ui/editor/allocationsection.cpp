#include "ui/editor/allocationsection.h"

#include "sweep/deviceplace.h"
#include "ui/editor/allocationmodel.h"
#include "ui/editor/previewtable.h"
#include "ui/editor/summarystrip.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "wording/sentence.h"

#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int mostVisibleRows = 8;
constexpr std::size_t mostHeld = 3;  ///< listed individually

QString withStop(const QString &sentence)
{
    if (sentence.isEmpty())
        return sentence;
    return sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

/// Lists what is in use now and by whom; if no trial would start, the reason says it instead.
QString heldText(const facts::Facts &held)
{
    QStringList parts;
    for (std::size_t i = 0; i < std::min(held.size(), mostHeld); ++i)
        parts += QString::fromStdString(wording::clause(held[i]));
    if (held.size() > mostHeld)
        parts += AllocationSection::tr("and %Ln more", nullptr, static_cast<int>(held.size() - mostHeld));
    return parts.join(u"; "_s);
}

/// Empty if the plan knows all machines.
QString leftOutText(const std::vector<std::string> &machines)
{
    if (machines.empty())
        return {};
    QStringList names;
    for (const std::string &machine : machines)
        names << (machine == sweep::allMachines ? AllocationSection::tr("all other machines")
                                                : QString::fromStdString(machine));
    return AllocationSection::tr(
               "Trials also run on %1, which this preview does not include: the engine is not connected there.")
        .arg(names.join(u", "_s));
}

QString timeText(const schedule::SweepPlan &plan)
{
    if (!plan.basis)
        return AllocationSection::tr("No time estimate yet: no comparable trial has finished.");
    const QString each = durationText(plan.basis->secondsPerTrial);
    const QString sweep = QString::fromStdString(plan.basis->sweep);
    if (plan.basis->trials == 0)
        return AllocationSection::tr("Time: %1 per trial, estimated from progress.").arg(each);
    return plan.basis->trials == 1
               ? AllocationSection::tr("Time: a trial of %1 took %2.").arg(sweep, each)
               : AllocationSection::tr("Time: %1 trials of %2 took %3 each.").arg(plan.basis->trials).arg(sweep, each);
}

}  // namespace

QString planTimeText(const schedule::SweepPlan &plan)
{
    return plan.seconds ? AllocationSection::tr("about %1").arg(durationText(*plan.seconds)) : QString();
}

QString planEndText(const AllocationPreview &preview)
{
    const QString time = planTimeText(preview.plan);
    if (!preview.plan.isUnderWay)
        return time;
    if (preview.plan.trials == 0)
        return AllocationSection::tr("nothing left to run");
    const QString left =
        AllocationSection::tr("%1 left").arg(trialsText(preview.plan.hasNoEnd ? 0 : preview.plan.trials));
    if (time.isEmpty())
        return left;
    return (preview.isPaused ? AllocationSection::tr("%1, %2 once resumed") : AllocationSection::tr("%1, %2"))
        .arg(left, time);
}

AllocationSection::AllocationSection(QWidget *parent)
    : FormSection(tr("Schedule preview"), QString(), parent),
      m_head(new QLabel(this)),
      m_more(new QLabel(this)),
      m_memory(new QLabel(this)),
      m_table(new PreviewTable(this)),
      m_model(new AllocationModel(this))
{
    m_head->setObjectName(u"allocation.head"_s);
    m_head->setWordWrap(true);
    m_more->setObjectName(u"allocation.more"_s);
    m_more->setWordWrap(true);
    m_more->setForegroundRole(QPalette::PlaceholderText);
    m_memory->setObjectName(u"allocation.memory"_s);
    m_memory->setWordWrap(true);
    m_memory->setForegroundRole(QPalette::PlaceholderText);
    m_table->setObjectName(u"allocation.table"_s);
    m_table->setAccessibleName(tr("Devices per trial"));
    m_table->setModel(m_model);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_head);
    words->addWidget(m_more);
    words->addWidget(m_memory);
    body()->addLayout(words);
    body()->addWidget(m_table);
    showNothing(tr("Reading the devices…"));
}

void AllocationSection::setMessage(const QString &head, const QString &more)
{
    m_head->setText(head);
    m_more->setText(more);
    m_more->setVisible(!more.isEmpty());
}

void AllocationSection::showMemory(const QStringList &lines)
{
    m_memory->setText(lines.join(u'\n'));
    m_memory->setVisible(!lines.isEmpty());
}

void AllocationSection::showNothing(const QString &reason)
{
    showMemory({});
    setMessage(reason, {});
    m_model->clear();
    m_table->hide();
}

void AllocationSection::showPreview(const AllocationPreview &preview)
{
    if (!preview.impossible.isEmpty()) {
        showNothing(tr("The sweep cannot run here: %1").arg(preview.impossible));
        return;
    }
    const schedule::SweepPlan &plan = preview.plan;
    const QString waits = plan.waiting ? QString::fromStdString(wording::clause(plan.waiting->reason)) : QString();
    QStringList more;
    QString head;
    setHeading(plan.isUnderWay         ? tr("Schedule after this change")
               : preview.isOfNextStart ? tr("Schedule of a new sweep")
                                       : tr("Schedule preview"));
    if (plan.isUnderWay && plan.trials == 0) {
        showNothing(tr("Nothing left to run: all trials of this definition have ended."));
        return;
    }
    const bool isPart = !plan.leftOut.empty();
    if (plan.planned.empty() && isPart) {
        head = trialsText(plan.hasNoEnd ? 0 : plan.trials);
        more += leftOutText(plan.leftOut);
    } else if (plan.planned.empty()) {
        head = tr("No trial can start now: %1").arg(withStop(waits));
    } else {
        head = (isPart            ? tr("%1, %2 at once on the connected machines")
                : plan.isUnderWay ? tr("%1 left, %2 at once")
                                  : tr("%1, %2 at once"))
                   .arg(trialsText(plan.hasNoEnd ? 0 : plan.trials))
                   .arg(plan.atOnce);
        if (const QString time = planTimeText(plan); !time.isEmpty())
            head =
                (preview.isPaused ? tr("%1; all done in %2 once resumed") : tr("%1; all done in %2")).arg(head, time);
        more += QString::fromStdString(wording::sentences(preview.edit));
        more += leftOutText(plan.leftOut);
        if (const QString held = heldText(plan.held); !held.isEmpty())
            more += tr("Now %1").arg(withStop(held));
        if (!waits.isEmpty())
            more += tr("Trial %1: %2").arg(plan.waiting->number).arg(withStop(waits));
        if (!isPart)
            more += timeText(plan);
        if (schedule::mayPack(preview.spec, preview.devices))
            more += tr(
                "Trials run alone on their GPUs until the memory use of one is measured. Then as many share a GPU as "
                "fit.");
        if (std::ranges::any_of(plan.planned, [](const schedule::PlannedTrial &trial) { return !trial.parameters; }))
            more += tr("The search chooses parameters while the sweep runs.");
        if (plan.trials > plan.planned.size())
            more += tr("The table shows the first %L1; the others follow the same pattern.").arg(plan.planned.size());
    }
    if (std::ranges::any_of(preview.devices, [](const device::Device &each) { return each.kind == device::Kind::Gpu; }))
        more << withStop(preview.note) << QString::fromStdString(wording::sentences(preview.conditions));
    more.removeAll(QString());
    setMessage(head, more.join(u' '));

    m_model->setPreview(preview);
    m_table->setVisible(!plan.planned.empty());
    const bool hasGroups = m_model->hasGroups();
    m_table->setColumnHidden(AllocationModel::Group, !hasGroups);
    m_table->horizontalHeader()->setSectionResizeMode(AllocationModel::Cores,
                                                      hasGroups ? QHeaderView::Interactive : QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(AllocationModel::Group, QHeaderView::Stretch);
    m_table->setColumnHidden(AllocationModel::Parameters,
                             std::ranges::all_of(plan.planned, [](const schedule::PlannedTrial &trial) {
                                 return !trial.parameters || trial.parameters->empty();
                             }));
    m_table->resizeColumnsToContents();
    m_table->setFixedHeight(m_table->heightOf(std::min(m_model->rowCount(), mostVisibleRows)));
}

}  // namespace sweepscope::ui
