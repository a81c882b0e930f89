#include "ui/actions/trialundo.h"

#include "ui/actions/markundo.h"
#include "ui/models/reasontext.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostSteps = 50;

using sweep::Control;

/// Combines trials that need the same command.
template <typename IsSame>
void addTo(std::vector<Control> &commands, Control command, int trial, IsSame &&isSame)
{
    const auto same = std::ranges::find_if(commands, [&](const Control &one) { return isSame(one, command); });
    if (same != commands.end()) {
        same->trials.push_back(trial);
        return;
    }
    command.trials = {trial};
    commands.push_back(std::move(command));
}

}  // namespace

std::vector<Control> takingBack(const Control &command, const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<Control> commands;
    for (const int number : command.trials) {
        if (number < 1 || static_cast<std::size_t>(number) > trials.size())
            continue;
        const sweep::TrialRecord &trial = trials[static_cast<std::size_t>(number - 1)];
        Control one;
        if (command.action == Control::Action::Stop && trial.state == sweep::TrialState::Queued) {
            one.action = Control::Action::Retry;
            addTo(commands, one, number, [](const Control &, const Control &) { return true; });
        } else if (command.action == Control::Action::SetPriority && trial.priority != command.priority) {
            one.action = Control::Action::SetPriority;
            one.priority = trial.priority;
            addTo(commands, one, number, [](const Control &a, const Control &b) { return a.priority == b.priority; });
        } else if (command.action == Control::Action::Mark) {
            one.action = Control::Action::Mark;
            one.mark = takingBack(command.mark, trial.mark);
            if (!one.mark.isEmpty())
                addTo(commands, one, number, [](const Control &a, const Control &b) { return a.mark == b.mark; });
        }
    }
    return commands;
}

TrialUndo::TrialUndo(protocol::EngineClient *client, QObject *parent) : QObject(parent), m_client(client)
{
    // Queued, to replace the message that repeats the engine's answer.
    connect(
        client, &protocol::EngineClient::requestDone, this,
        [this](quint64 request, const facts::Facts &reply) {
            if (request == m_request && request != 0)
                Q_EMIT reported(tr("%1 Press Ctrl+Z to undo.").arg(replyText(reply)));
        },
        Qt::QueuedConnection);
}

void TrialUndo::send(qint64 sweepId, const Control &command)
{
    Step step{sweepId, takingBack(command, m_client->trials(sweepId))};  // in their state before the command
    const quint64 request = m_client->control(sweepId, command);
    if (step.commands.empty())
        return;
    m_request = request;
    m_steps.push_back(std::move(step));
    if (m_steps.size() > mostSteps)
        m_steps.erase(m_steps.begin());
}

void TrialUndo::undo()
{
    if (m_steps.empty() || m_client->isReadOnly())
        return;
    const Step step = std::move(m_steps.back());
    m_steps.pop_back();
    for (const Control &command : step.commands)
        m_client->control(step.sweepId, command);
}

}  // namespace sweepscope::ui
