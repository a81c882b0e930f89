#include "ui/trial/trialactionbar.h"

#include "ui/actions/trialcommands.h"
#include "ui/actions/trialmarker.h"
#include "ui/actions/trialundo.h"
#include "ui/base/stopquestion.h"
#include "ui/models/reasontext.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include <limits>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TrialActionBar::TrialActionBar(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_undo(new TrialUndo(client, this)),
      m_marker(new TrialMarker(client, m_undo, this)),
      m_width(std::numeric_limits<int>::max())
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    m_curves = addButton(u"trialLive"_s, u"live"_s, tr("Curves"), tr("Curves of its ranks and devices"));
    m_log = addButton(u"trialLog"_s, u"logs"_s, tr("Log"), tr("Output of its ranks"));
    m_folder = addButton(u"trialFolder"_s, u"folder"_s, tr("Open folder"), tr("Open its files in the file manager"));
    m_checkpoint = addButton(u"trialCheckpoint"_s, u"save"_s, tr("Checkpoint…"), tr("Copy its last checkpoint"));
    layout->addStretch(1);
    m_note = addButton(u"trialNote"_s, u"note"_s, tr("Note…"), tr("Edit note and tags"));
    m_clone = addButton(u"trialClone"_s, u"duplicate"_s, tr("Clone with changes…"),
                        tr("Add a copy of this trial with other values"));
    m_trace = addButton(u"trialTrace"_s, u"timeline"_s, tr("Trace…"), tr("Record some steps with a profiler"));
    m_retry = addButton(u"trialRetry"_s, u"retry"_s, tr("Retry"), tr("Run the trial again"));
    m_stop = addButton(u"trialStop"_s, u"stop"_s, tr("Stop"), tr("Stop this trial; others continue"));
    for (QPushButton *button : {m_curves, m_log, m_folder, m_checkpoint, m_note, m_clone, m_trace})
        button->setAccessibleName(button->text());
    connect(m_curves, &QPushButton::clicked, this, &TrialActionBar::curvesRequested);
    connect(m_log, &QPushButton::clicked, this, &TrialActionBar::logRequested);
    connect(m_folder, &QPushButton::clicked, this, &TrialActionBar::folderRequested);
    connect(m_checkpoint, &QPushButton::clicked, this, &TrialActionBar::checkpointRequested);
    connect(m_clone, &QPushButton::clicked, this, &TrialActionBar::cloneRequested);
    connect(m_note, &QPushButton::clicked, this, &TrialActionBar::editNote);
    connect(m_trace, &QPushButton::clicked, this, [this] { trigger(&TrialCommands::trace); });
    connect(m_retry, &QPushButton::clicked, this, [this] { trigger(&TrialCommands::retry); });
    connect(m_stop, &QPushButton::clicked, this, [this] { trigger(&TrialCommands::stop); });
    followTextSize(this, [this] { fitInto(m_width); });
}

QPushButton *TrialActionBar::addButton(const QString &name, const QString &icon, const QString &text,
                                       const QString &toolTip)
{
    auto *button = new QPushButton(symbolIcon(icon), text, this);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    layout()->addWidget(button);
    return button;
}

void TrialActionBar::setTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    m_trial = {sweep.id, trial.number};
    const bool mayChange = !m_client->isReadOnly();
    for (QPushButton *button : {m_curves, m_log, m_folder, m_checkpoint})
        button->setEnabled(trial.attempts > 0);
    const QString noProgram = missingProgramText(sweep);
    m_retry->setEnabled(mayChange && sweep::isFinal(trial.state) && trial.state != sweep::TrialState::Completed
                        && sweep.state != sweep::SweepState::Stopping && noProgram.isEmpty());
    m_retry->setToolTip(noProgram.isEmpty() ? tr("Run the trial again") : noProgram);
    const QString whyNot =
        sweep::isFinal(trial.state) ? tr("This trial has ended") : whyNotStopped(sweep, m_client->isReadOnly());
    m_stop->setEnabled(whyNot.isEmpty());
    m_stop->setToolTip(whyNot.isEmpty() ? tr("Stop this trial; others continue") : whyNot);
    m_note->setEnabled(mayChange);
    m_clone->setEnabled(mayChange && noProgram.isEmpty());
    m_clone->setToolTip(noProgram.isEmpty() ? tr("Add a copy of this trial with other values") : noProgram);
    m_trace->setEnabled(mayChange && trial.state == sweep::TrialState::Running && sweep::canBeStopped(sweep.state));
}

void TrialActionBar::fitInto(int width)
{
    m_width = width;
    const auto setTexts = [](std::initializer_list<QPushButton *> buttons, bool shown) {
        for (QPushButton *button : buttons)
            button->setText(shown ? button->accessibleName() : QString());
    };
    const auto fits = [this] { return layout()->sizeHint().width() <= m_width; };
    setTexts({m_curves, m_log, m_folder, m_checkpoint, m_note, m_clone, m_trace}, true);
    if (!fits())
        setTexts({m_curves, m_log, m_folder, m_checkpoint, m_note, m_trace}, false);
    if (!fits())
        setTexts({m_clone}, false);
}

void TrialActionBar::editNote()
{
    m_marker->edit(m_trial.sweepId, {m_trial.trial});
}

/// The table's menu knows what is possible, and asks before stopping a trial.
void TrialActionBar::trigger(QAction *TrialCommands::*which)
{
    QMenu menu;
    const TrialCommands commands = addTrialCommands(&menu, m_client, m_undo, m_trial.sweepId, {m_trial.trial}, this);
    (commands.*which)->trigger();  // does nothing if disabled
}

}  // namespace sweepscope::ui
