#include "ui/base/selectionmodel.h"

#include "protocol/engineclient.h"
#include "ui/models/sweepsummary.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

const sweep::TrialRecord *findTrial(const std::vector<sweep::TrialRecord> &trials, int number)
{
    const auto found = std::ranges::lower_bound(trials, number, {}, &sweep::TrialRecord::number);
    return found != trials.end() && found->number == number ? &*found : nullptr;
}

SelectableSweeps sweepsOf(const protocol::EngineClient *client)
{
    SelectableSweeps known;
    known.sweep = [client](qint64 sweepId) { return client->sweep(sweepId); };
    known.trials = [client](qint64 sweepId) -> const std::vector<sweep::TrialRecord> & {
        return client->trials(sweepId);
    };
    known.isUpToDate = [client] { return client->isConnected(); };
    return known;
}

}  // namespace

SelectionModel::SelectionModel(const protocol::EngineClient *client, QObject *parent)
    : SelectionModel(sweepsOf(client), parent)
{
    connect(client, &protocol::EngineClient::sweepsChanged, this, &SelectionModel::update);
    connect(client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        if (sweepId == m_current.sweepId)
            update();
    });
}

SelectionModel::SelectionModel(SelectableSweeps known, QObject *parent) : QObject(parent), m_known(std::move(known)) {}

void SelectionModel::set(const Selection &wanted)
{
    m_current = consistent(wanted);
    if (m_delivering)
        return;
    const QScopedValueRollback delivering(m_delivering, true);
    while (m_delivered != m_current) {
        const Selection before = std::exchange(m_delivered, m_current);
        const Selection now = m_current;
        if (now.sweepId != before.sweepId)
            brush({});
        Q_EMIT changed(now, before);
    }
}

void SelectionModel::brush(std::vector<int> trials)
{
    if (trials == m_brushed)
        return;
    m_brushed = std::move(trials);
    Q_EMIT brushChanged();
}

void SelectionModel::selectSweep(qint64 sweepId)
{
    if (sweepId == m_current.sweepId)
        return;
    const sweep::SweepRecord *sweep = m_known.sweep(sweepId);
    set({sweepId, 0, 0, !sweep || sweep::isActive(sweep->state)});
}

void SelectionModel::selectTrial(qint64 sweepId, int trial)
{
    const bool isSame = sweepId == m_current.sweepId && trial == m_current.trial;
    set({sweepId, trial, isSame ? m_current.attempt : 0, false});
}

void SelectionModel::selectAttempt(int attempt)
{
    set({m_current.sweepId, m_current.trial, attempt, false});
}

void SelectionModel::setFollowsNewest(bool follows)
{
    Selection wanted = m_current;
    wanted.followsNewest = follows;
    set(wanted);
}

void SelectionModel::update()
{
    set(Selection(m_current));
}

Selection SelectionModel::consistent(Selection wanted)
{
    const sweep::SweepRecord *sweep = wanted.sweepId > 0 ? m_known.sweep(wanted.sweepId) : nullptr;
    const bool isDeleted = !sweep && wanted.sweepId == m_seenSweep && m_known.isUpToDate();
    if (wanted.sweepId <= 0 || isDeleted) {
        m_seenSweep = 0;
        return {};
    }
    wanted.trial = std::max(wanted.trial, 0);
    wanted.attempt = wanted.trial > 0 ? std::max(wanted.attempt, 0) : 0;
    if (!sweep)
        return wanted;
    m_seenSweep = sweep->id;
    if (const int trial = knownTrial(*sweep, wanted.trial); trial != wanted.trial) {
        wanted.trial = trial;
        wanted.attempt = 0;
    }
    const sweep::TrialRecord *trial = findTrial(m_known.trials(sweep->id), wanted.trial);
    if (trial && wanted.attempt >= trial->attempts)
        wanted.attempt = 0;
    return wanted;
}

/// Returns `wanted`; if the sweep has no such trial, its most informative one.
int SelectionModel::knownTrial(const sweep::SweepRecord &sweep, int wanted) const
{
    const std::vector<sweep::TrialRecord> &trials = m_known.trials(sweep.id);
    const bool isOnItsWay = wanted <= sweep.trialsTotal && (trials.empty() || wanted > trials.back().number);
    if (wanted > 0 && (isOnItsWay || findTrial(trials, wanted)))
        return wanted;
    return trialToShow(trials, sweep.goal);
}

}  // namespace sweepscope::ui
