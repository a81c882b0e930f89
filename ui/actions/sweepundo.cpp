#include "ui/actions/sweepundo.h"

#include "ui/actions/markundo.h"
#include "ui/models/reasontext.h"

#include <QAction>
#include <QWidget>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostSweepSteps = 50;

using facts::Code;
using facts::Fact;
using facts::Field;
using Action = sweep::Control::Action;

}  // namespace

std::optional<sweep::Control> takingBack(const sweep::Control &command, const sweep::SweepRecord &sweep)
{
    sweep::Control back;
    if (command.action == Action::Mark && command.trials.empty()) {
        back.action = Action::Mark;
        back.mark = takingBack(command.mark, sweep.mark);
        return back.mark.isEmpty() ? std::nullopt : std::optional(back);
    }
    if (command.action == Action::Archive && !sweep.archived)
        back.action = Action::Unarchive;
    else if (command.action == Action::Unarchive && sweep.archived)
        back.action = Action::Archive;
    else
        return std::nullopt;
    return back;
}

QString repliesText(const std::vector<facts::Facts> &replies)
{
    std::vector<Fact> facts;
    for (const facts::Facts &reply : replies) {
        if (!reply.empty() && reply.front().code != Code::NothingChanged)
            facts.push_back(reply.front());
    }
    if (facts.empty())
        return replies.empty() ? QString() : replyText(replies.front());
    if (facts.size() == 1)
        return replyText({facts.front()});
    std::int64_t count = 0;
    for (const Fact &fact : facts) {
        if (fact.code != facts.front().code)
            return replyText(facts);
        count += fact.integer(Field::Count).value_or(0);
    }
    Fact all = Fact(facts.front()).with(Field::Sweep, SweepUndo::tr("%L1 sweeps").arg(facts.size()).toStdString());
    if (all.integer(Field::Count))
        all = std::move(all).with(Field::Count, count);
    return replyText({all});
}

SweepUndo::SweepUndo(protocol::EngineClient *client, QObject *parent) : QObject(parent), m_client(client)
{
    // Queued, to replace the message that repeats the engine's answer.
    connect(
        client, &protocol::EngineClient::requestDone, this,
        [this](quint64 request, const facts::Facts &reply) { collect(request, &reply); }, Qt::QueuedConnection);
    connect(client, &protocol::EngineClient::requestFailed, this,
            [this](quint64 request) { collect(request, nullptr); });
}

void SweepUndo::send(const QList<qint64> &sweeps, const sweep::Control &command)
{
    Step step;
    m_requests.clear();
    m_replies.clear();
    for (const qint64 sweepId : sweeps) {
        const sweep::SweepRecord *sweep = m_client->sweep(sweepId);
        if (!sweep)
            continue;
        if (auto back = takingBack(command, *sweep))
            step.emplace_back(sweepId, std::move(*back));
        m_requests.insert(m_client->control(sweepId, command));
    }
    m_canBeUndone = !step.empty();
    if (step.empty())
        return;
    m_steps.push_back(std::move(step));
    if (m_steps.size() > mostSweepSteps)
        m_steps.erase(m_steps.begin());
}

void SweepUndo::addShortcutTo(QWidget *widget)
{
    auto *action = new QAction(tr("Undo"), widget);
    action->setShortcut(QKeySequence::Undo);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, &SweepUndo::undo);
    widget->addAction(action);
}

/// A step whose sweeps are deleted or already back is skipped.
void SweepUndo::undo()
{
    bool isDone = m_client->isReadOnly();
    while (!isDone && !m_steps.empty()) {
        const Step step = std::move(m_steps.back());
        m_steps.pop_back();
        for (const auto &one : step) {
            const sweep::SweepRecord *sweep = m_client->sweep(one.first);
            if (!sweep || !takingBack(one.second, *sweep))
                continue;
            m_client->control(one.first, one.second);
            isDone = true;
        }
    }
}

/// A failure keeps its own message.
void SweepUndo::collect(quint64 request, const facts::Facts *reply)
{
    if (m_requests.erase(request) == 0)
        return;
    if (reply)
        m_replies.push_back(*reply);
    if (!m_requests.empty() || m_replies.empty())
        return;
    const QString sentence = repliesText(m_replies);
    Q_EMIT reported(m_canBeUndone ? tr("%1 Press Ctrl+Z to undo.").arg(sentence) : sentence);
}

}  // namespace sweepscope::ui
