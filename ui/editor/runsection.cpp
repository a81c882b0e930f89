#include "ui/editor/runsection.h"

#include "ui/editor/commandfields.h"
#include "ui/editor/fieldgrid.h"
#include "ui/editor/folderline.h"
#include "ui/editor/keyfield.h"
#include "ui/editor/settingsgrid.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

RunSection::RunSection(QWidget *parent)
    : FormSection(tr("Run"), QString(), parent),
      m_builtin(new QRadioButton(tr("Built-in &worker"), this)),
      m_command(new QRadioButton(tr("Co&mmand"), this)),
      m_settings(new SettingsGrid(this)),
      m_commandFields(new CommandFields(this)),
      m_workingFolder(nullptr),
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
    m_builtin->setToolTip(tr("Trains small models on real data with LibTorch, without Python."));
    m_command->setToolTip(tr("Runs any program, once per rank. With several ranks, torchrun's environment is set."));
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
    FieldGrid *more = addFoldedGrid(u"run.moreAttempts"_s, tr("More run settings"));
    for (const sweep::Key &key : sweep::keysOf("run")) {
        const bool isOwn = key.name == "worker" || key.name == "command" || key.type == sweep::KeyType::Table;
        if (isOwn || key.isSetting())
            continue;
        KeyField *field = addKey(key.isUsual ? grid : more, key.path(), KeyField::isFolder(key) ? 2 : 1);
        if (key.name == "working_folder")
            m_workingFolder = field;
    }
    setTextRole(m_environment, TextRole::Monospace);
    m_environment->setTabChangesFocus(true);
    m_environment->setPlaceholderText(tr("NAME=VALUE, one per line"));
    followTextSize(m_environment, [environment = m_environment] {
        environment->setFixedHeight(3 * QFontMetrics(environment->font()).lineSpacing() + 2 * spacing::small);
    });
    addText(grid, u"run.environment"_s, tr("Environment"), m_environment, 2)
        ->setHelp(tr("Additional environment variables of each rank."));
}

void RunSection::followWorker()
{
    m_settings->setVisible(m_builtin->isChecked());
    m_commandFields->setVisible(m_command->isChecked());
    // Tab goes to the checked button, arrows to the other one; by default Tab goes to the first.
    for (QRadioButton *button : {m_builtin, m_command})
        button->setFocusPolicy(button->isChecked() ? Qt::StrongFocus : Qt::ClickFocus);
}

void RunSection::setBaseFolder(const QString &folder)
{
    m_workingFolder->folder()->setBaseFolder(folder);
    m_workingFolder->line()->setPlaceholderText(folder);
}

QWidget *RunSection::workerChoice() const
{
    return m_builtin->isChecked() ? m_builtin : m_command;
}

void RunSection::display(const SweepDraft &draft)
{
    m_settings->display(draft);
    m_commandFields->display(draft);
    (draft.worker() == sweep::WorkerKind::Builtin ? m_builtin : m_command)->setChecked(true);
    FormSection::display(draft);
    if (m_environment->toPlainText() != draft.environment)
        m_environment->setPlainText(draft.environment);
    followWorker();
}

void RunSection::readInto(SweepDraft &draft) const
{
    m_settings->readInto(draft);
    m_commandFields->readInto(draft);
    FormSection::readInto(draft);
    draft.setValue(u"run.worker"_s, m_command->isChecked() ? u"command"_s : QString());
    draft.environment = m_environment->toPlainText();
}

void RunSection::reveal(const FormField *field)
{
    m_settings->reveal(field);
    FormSection::reveal(field);
}

}  // namespace sweepscope::ui
