#include "ui/timeline/waitingmodel.h"

#include "ui/base/trialheader.h"
#include "ui/models/reasontext.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

bool waits(const sweep::TrialRecord &trial)
{
    return trial.state == sweep::TrialState::Queued || trial.state == sweep::TrialState::Paused;
}

bool isSame(const sweep::TrialRecord &a, const sweep::TrialRecord &b)
{
    return a.sweepId == b.sweepId && a.number == b.number && a.state == b.state && a.reason == b.reason;
}

}  // namespace

/// Keeps the rows that are equal at both ends, and with them selection and scroll position.
void WaitingModel::setTrials(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<sweep::TrialRecord> waiting;
    std::copy_if(trials.begin(), trials.end(), std::back_inserter(waiting), waits);
    const auto ends = std::mismatch(m_trials.begin(), m_trials.end(), waiting.begin(), waiting.end(), isSame);
    const auto head = ends.first - m_trials.begin();
    const auto most = static_cast<std::ptrdiff_t>(std::min(m_trials.size(), waiting.size())) - head;
    std::ptrdiff_t tail = 0;
    while (tail < most && isSame(*(m_trials.end() - 1 - tail), *(waiting.end() - 1 - tail)))
        ++tail;
    const auto at = static_cast<int>(head);
    if (const auto removed = static_cast<int>(static_cast<std::ptrdiff_t>(m_trials.size()) - head - tail);
        removed > 0) {
        beginRemoveRows({}, at, at + removed - 1);
        m_trials.erase(m_trials.begin() + head, m_trials.end() - tail);
        endRemoveRows();
    }
    if (const auto added = static_cast<int>(static_cast<std::ptrdiff_t>(waiting.size()) - head - tail); added > 0) {
        beginInsertRows({}, at, at + added - 1);
        m_trials.insert(m_trials.begin() + head, waiting.begin() + head, waiting.end() - tail);
        endInsertRows();
    }
}

int WaitingModel::queued() const
{
    return static_cast<int>(std::ranges::count(m_trials, sweep::TrialState::Queued, &sweep::TrialRecord::state));
}

int WaitingModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

int WaitingModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WaitingModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const sweep::TrialRecord &trial = m_trials[static_cast<std::size_t>(index.row())];
    if (role == NumberRole)
        return trial.number;
    if (role == Qt::DecorationRole && index.column() == Trial)
        return stateIcon(trial);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Trial:
        return tr("Trial %1 · %2").arg(trial.number).arg(stateText(trial));
    case Why:
        return reasonText(trial.reason);
    case Parameters:
        return parametersText(trial.parameters);
    default:
        return {};
    }
}

QVariant WaitingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case Trial:
        return tr("Trial");
    case Why:
        return tr("Reason");
    case Parameters:
        return tr("Parameters");
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
