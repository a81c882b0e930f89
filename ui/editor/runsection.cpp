#include "ui/editor/runsection.h"

#include "ui/editor/commandfields.h"
#include "ui/editor/fieldgrid.h"
#include "ui/editor/folderline.h"
#include "ui/editor/formfield.h"
#include "ui/editor/settingsgrid.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr int mostRetries = 100;

}  // namespace

RunSection::RunSection(QWidget *parent)
    : FormSection(tr("Run"), QString(), parent),
      m_builtin(new QRadioButton(tr("Built-in &worker"), this)),
      m_command(new QRadioButton(tr("A co&mmand of yours"), this)),
      m_settings(new SettingsGrid(this)),
      m_commandFields(new CommandFields(this)),
      m_ranks(new QSpinBox),
      m_ranksField(nullptr),
      m_backend(new QComboBox),
      m_timeout(new QLineEdit),
      m_retries(new QSpinBox),
      m_workingFolder(new FolderLine(tr("Working folder"))),
      m_folderField(nullptr),
      m_environment(new QPlainTextEdit)
{
    addWorkers();
    addAttempt();
    followWorker();
}

void RunSection::addWorkers()
{
    auto *group = new QButtonGroup(this);
    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::huge);
    m_builtin->setObjectName(u"run.worker.builtin"_s);
    m_command->setObjectName(u"run.worker.command"_s);
    m_builtin->setToolTip(tr("Trains small models on real data with PyTorch's C++ library; needs no Python."));
    m_command->setToolTip(tr("Any program that follows torchrun's environment, started once for each rank."));
    for (QRadioButton *button : {m_builtin, m_command}) {
        group->addButton(button);
        row->addWidget(button);
    }
    row->addStretch();
    m_builtin->setChecked(true);
    body()->addLayout(row);
    body()->addWidget(m_settings);
    body()->addWidget(m_commandFields);
    connect(m_builtin, &QRadioButton::toggled, this, &RunSection::followWorker);
    connect(m_builtin, &QRadioButton::toggled, this, [this] { Q_EMIT edited(u"run.worker"_s); });
    connect(m_settings, &FormSection::edited, this, &FormSection::edited);
    connect(m_commandFields, &FormSection::edited, this, &FormSection::edited);
}

void RunSection::addAttempt()
{
    FieldGrid *grid = addGrid();
    m_ranksField = addSpin(grid, u"run.ranks"_s, tr("&Ranks per trial"), m_ranks, 1, 4096);
    m_ranksField->setHelp(tr("Processes that train one trial together, each on its own part of every batch."));
    m_backend->addItem(tr("Automatic"), u"auto"_s);
    m_backend->addItem(tr("Gloo (CPU, network)"), u"gloo"_s);
    m_backend->addItem(tr("NCCL (NVIDIA GPUs)"), u"nccl"_s);
    addBox(grid, u"run.backend"_s, tr("Bac&kend"), m_backend)
        ->setHelp(tr("How ranks exchange gradients. Automatic: NCCL on GPUs, Gloo otherwise."));
    m_timeout->setPlaceholderText(tr("no limit"));
    addLine(grid, u"run.timeout"_s, tr("Time lim&it"), m_timeout)
        ->setHelp(tr("For one attempt of a trial: for example 90s, 10m, 2h or 1h 30m."));
    addSpin(grid, u"run.retries"_s, tr("Retries"), m_retries, 0, mostRetries)
        ->setHelp(tr("How often a trial that failed is started again."));
    m_folderField =
        addHeld(grid, u"run.working_folder"_s, tr("Working &folder"), m_workingFolder->line(), m_workingFolder, 2);
    m_folderField->setHelp(tr("Where each rank is started."));
    setTextRole(m_environment, TextRole::Monospace);
    m_environment->setTabChangesFocus(true);
    m_environment->setPlaceholderText(tr("NAME=VALUE, one in a line"));
    followTextSize(m_environment, [environment = m_environment] {
        environment->setFixedHeight(3 * QFontMetrics(environment->font()).lineSpacing() + 2 * spacing::small);
    });
    addText(grid, u"run.environment"_s, tr("Environment"), m_environment, 2)
        ->setHelp(tr("Variables that each rank gets besides those of Sweepscope and torchrun."));
}

void RunSection::followWorker()
{
    m_settings->setVisible(m_builtin->isChecked());
    m_commandFields->setVisible(m_command->isChecked());
    // Tab leads to the one that is chosen, arrows from there to the other: by itself it leads to the first one.
    for (QRadioButton *button : {m_builtin, m_command})
        button->setFocusPolicy(button->isChecked() ? Qt::StrongFocus : Qt::ClickFocus);
}

void RunSection::setBaseFolder(const QString &folder)
{
    m_workingFolder->setBaseFolder(folder);
    m_workingFolder->line()->setPlaceholderText(folder);
}

void RunSection::display(const SweepDraft &draft)
{
    m_settings->display(draft);
    m_commandFields->display(draft);
    (draft.worker == sweep::WorkerKind::Builtin ? m_builtin : m_command)->setChecked(true);
    showValue(m_ranks, draft.ranks);
    const bool varied = std::any_of(draft.space.begin(), draft.space.end(), [](const DimensionDraft &dimension) {
        return dimension.name.trimmed() == "ranks"_L1;
    });
    m_ranksField->setEnabled(!varied);
    m_ranksField->setNote(varied ? tr("In the search space") : QString());
    chooseData(m_backend, draft.backend);
    showText(m_timeout, draft.timeout);
    showValue(m_retries, draft.retries);
    showText(m_workingFolder->line(), draft.workingFolder);
    if (m_environment->toPlainText() != draft.environment)
        m_environment->setPlainText(draft.environment);
    followWorker();
}

void RunSection::readInto(SweepDraft &draft) const
{
    m_settings->readInto(draft);
    m_commandFields->readInto(draft);
    draft.worker = m_builtin->isChecked() ? sweep::WorkerKind::Builtin : sweep::WorkerKind::Command;
    draft.ranks = m_ranks->value();
    draft.backend = m_backend->currentData().toString();
    draft.timeout = m_timeout->text();
    draft.retries = m_retries->value();
    draft.workingFolder = m_workingFolder->line()->text();
    draft.environment = m_environment->toPlainText();
}

void RunSection::reveal(const FormField *field)
{
    m_settings->reveal(field);
}

}  // namespace sweepscope::ui
