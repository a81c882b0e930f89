#include "ui/actions/trialcommands.h"

#include "protocol/engineclient.h"
#include "ui/actions/continuedialog.h"
#include "ui/actions/trialundo.h"
#include "ui/base/stopquestion.h"
#include "ui/models/reasontext.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using sweep::Control;
using sweep::TrialState;

struct TrialCommandsWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TrialCommands)
};

/// Returns those of `numbers` whose state `fits`.
template <typename Fits>
std::vector<int> select(const std::vector<sweep::TrialRecord> &trials, const std::vector<int> &numbers, Fits &&fits)
{
    std::vector<int> chosen;
    for (const int number : numbers) {
        if (number >= 1 && number <= static_cast<int>(trials.size())
            && fits(trials[static_cast<std::size_t>(number - 1)].state))
            chosen.push_back(number);
    }
    return chosen;
}

bool hasUnfinishedWork(TrialState state)
{
    return sweep::isUnderWay(state) || state == TrialState::Paused;
}

Control command(Control::Action action, std::vector<int> trials)
{
    Control control;
    control.action = action;
    control.trials = std::move(trials);
    return control;
}

void askToStopTrials(TrialUndo *undo, qint64 sweepId, const std::vector<int> &trials, int underWay, QWidget *parent)
{
    const Control stop = command(Control::Action::Stop, trials);
    if (underWay == 0) {
        undo->send(sweepId, stop);
        return;
    }
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"stopTrialsDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(TrialCommandsWords::tr("Stop trials"));
    const bool isOne = trials.size() == 1;
    box->setText(isOne ? TrialCommandsWords::tr("Stop trial %1?").arg(trials.front())
                       : TrialCommandsWords::tr("Stop %Ln trials?", nullptr, static_cast<int>(trials.size())));
    const QString running = isOne           ? TrialCommandsWords::tr("It is running.")
                            : underWay == 1 ? TrialCommandsWords::tr("One of them is running.")
                                            : TrialCommandsWords::tr("%Ln of them are running.", nullptr, underWay);
    box->setInformativeText(running + u' '
                            + TrialCommandsWords::tr("Reported values are kept. You can retry stopped trials later."));
    QPushButton *confirm = box->addButton(TrialCommandsWords::tr("Stop"), QMessageBox::DestructiveRole);
    confirm->setObjectName(u"confirmStopTrialsButton"_s);
    markDanger(confirm);
    QPushButton *keep = box->addButton(TrialCommandsWords::tr("Keep running"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(confirm, &QPushButton::clicked, undo, [undo, sweepId, stop] { undo->send(sweepId, stop); });
    box->open();
}

void askToContinue(protocol::EngineClient *client, qint64 sweepId, const std::vector<int> &trials, QWidget *parent)
{
    if (const sweep::SweepRecord *sweep = client->sweep(sweepId))
        (new ContinueDialog(client, *sweep, trials, parent))->open();
}

constexpr int wideEnoughForTitle = 360;

void askToTrace(TrialUndo *undo, qint64 sweepId, const std::vector<int> &trials, QWidget *parent)
{
    Control trace = command(Control::Action::Trace, trials);
    auto *dialog = new QInputDialog(parent);
    dialog->setObjectName(u"traceTrialsDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(1, sweep::mostTraceSteps);
    dialog->setIntValue(trace.steps);
    dialog->setWindowTitle(trials.size() == 1 ? TrialCommandsWords::tr("Record trace of trial %1").arg(trials.front())
                                              : TrialCommandsWords::tr("Record traces"));
    dialog->setLabelText(TrialCommandsWords::tr("Number of steps, up to %L1:").arg(sweep::mostTraceSteps));
    dialog->resize(wideEnoughForTitle, dialog->sizeHint().height());
    dialog->setOkButtonText(TrialCommandsWords::tr("Record"));
    QObject::connect(dialog, &QInputDialog::intValueSelected, undo, [undo, sweepId, trace](int steps) mutable {
        trace.steps = steps;
        undo->send(sweepId, trace);
    });
    dialog->open();
}

}  // namespace

TrialCommands addTrialCommands(QMenu *menu, protocol::EngineClient *client, TrialUndo *undo, qint64 sweepId,
                               const std::vector<int> &trials, QWidget *parent)
{
    const std::vector<sweep::TrialRecord> &records = client->trials(sweepId);
    const sweep::SweepRecord *record = client->sweep(sweepId);
    const bool mayAct = !client->isReadOnly();
    const bool active = mayAct && record && sweep::canBeStopped(record->state);
    const auto add = [&](const QString &icon, const QString &text, const QString &name, const Control &control,
                         bool possible) {
        QAction *action =
            menu->addAction(symbolIcon(icon), text, undo, [undo, sweepId, control] { undo->send(sweepId, control); });
        action->setObjectName(name);
        action->setEnabled(mayAct && possible && !control.trials.empty());
        return action;
    };
    const auto paused = select(records, trials, [](TrialState state) { return state == TrialState::Paused; });
    const auto waiting = select(records, trials, [](TrialState state) { return state == TrialState::Queued; });
    const auto open = select(records, trials, [](TrialState state) { return !sweep::isFinal(state); });
    const auto pausable = select(
        records, trials, [](TrialState state) { return sweep::isUnderWay(state) || state == TrialState::Queued; });
    const auto retriable = select(
        records, trials, [](TrialState state) { return sweep::isFinal(state) && state != TrialState::Completed; });
    const int underWay = static_cast<int>(select(records, trials, hasUnfinishedWork).size());

    add(u"pause"_s, TrialCommandsWords::tr("Pause"), u"pauseTrials"_s, command(Control::Action::Pause, pausable),
        active);
    add(u"start"_s, TrialCommandsWords::tr("Resume"), u"resumeTrials"_s, command(Control::Action::Resume, paused),
        record && record->state == sweep::SweepState::Running);
    Control next = command(Control::Action::SetPriority, waiting);
    for (const sweep::TrialRecord &trial : records) {
        if (trial.state == TrialState::Queued)
            next.priority = std::min(std::max(next.priority, trial.priority + 1), sweep::highestPriority);
    }
    add(u"up"_s, TrialCommandsWords::tr("Run next"), u"prioritizeTrials"_s, next, active);
    const QString noProgram = record ? missingProgramText(*record) : QString();
    const bool mayStart = record && record->state != sweep::SweepState::Stopping && noProgram.isEmpty();
    QAction *retry = add(u"retry"_s, TrialCommandsWords::tr("Retry"), u"retryTrials"_s,
                         command(Control::Action::Retry, retriable), mayStart);
    retry->setToolTip(noProgram);
    std::vector<int> continuable = select(records, trials, sweep::isFinal);
    std::erase_if(continuable, [&](int number) { return records[static_cast<std::size_t>(number - 1)].attempts == 0; });
    QAction *continued =
        menu->addAction(symbolIcon(u"duplicate"_s), TrialCommandsWords::tr("Continue from checkpoint…"), undo,
                        [=] { askToContinue(client, sweepId, continuable, parent); });
    continued->setObjectName(u"continueTrials"_s);
    continued->setEnabled(mayAct && mayStart && !continuable.empty());
    continued->setToolTip(noProgram);
    const auto running = select(records, trials, [](TrialState state) { return state == TrialState::Running; });
    QAction *trace = menu->addAction(symbolIcon(u"timeline"_s), TrialCommandsWords::tr("Record trace…"), undo,
                                     [=] { askToTrace(undo, sweepId, running, parent); });
    trace->setObjectName(u"traceTrials"_s);
    trace->setEnabled(active && !running.empty());
    QAction *stop = menu->addAction(symbolIcon(u"stop"_s), TrialCommandsWords::tr("Stop"), undo,
                                    [=] { askToStopTrials(undo, sweepId, open, underWay, parent); });
    stop->setObjectName(u"stopTrials"_s);
    const QString whyNot = !record ? QString() : open.empty() ? QString() : whyNotStopped(*record, !mayAct);
    stop->setEnabled(record && !open.empty() && whyNot.isEmpty());
    stop->setToolTip(whyNot);
    if (!whyNot.isEmpty() || !noProgram.isEmpty())
        menu->setToolTipsVisible(true);
    return {retry, stop, trace};
}

}  // namespace sweepscope::ui
