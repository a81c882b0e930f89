#include "ui/actions/trialmarker.h"

#include "ui/actions/markdialog.h"
#include "ui/actions/trialundo.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TrialMarker::TrialMarker(protocol::EngineClient *client, TrialUndo *undo, QWidget *dialogParent)
    : QObject(dialogParent), m_client(client), m_undo(undo), m_dialogParent(dialogParent)
{}

bool TrialMarker::areAllStarred(qint64 sweepId, const std::vector<int> &trials) const
{
    const std::vector<sweep::TrialRecord> &records = m_client->trials(sweepId);
    return std::ranges::all_of(trials, [&records](int number) {
        const auto record = std::ranges::lower_bound(records, number, {}, &sweep::TrialRecord::number);
        return record != records.end() && record->number == number && record->mark.starred;
    });
}

void TrialMarker::toggleStars(qint64 sweepId, const std::vector<int> &trials)
{
    if (trials.empty())
        return;
    sweep::Control control;
    control.action = sweep::Control::Action::Mark;
    control.trials = trials;
    control.mark.starred = !areAllStarred(sweepId, trials);
    m_undo->send(sweepId, control);
}

void TrialMarker::edit(qint64 sweepId, const std::vector<int> &trials)
{
    if (trials.empty() || m_client->isReadOnly())
        return;
    std::vector<sweep::Mark> marks;
    for (const sweep::TrialRecord &trial : m_client->trials(sweepId)) {
        if (std::ranges::find(trials, trial.number) != trials.end())
            marks.push_back(trial.mark);
    }
    const QString title = trials.size() == 1 ? tr("Note and tags of trial %1").arg(trials.front())
                                             : tr("Note and tags of %L1 trials").arg(trials.size());
    auto *dialog = new MarkDialog(title, marks, m_dialogParent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &MarkDialog::marked, this, [this, sweepId, trials](const sweep::MarkChange &change) {
        sweep::Control control;
        control.action = sweep::Control::Action::Mark;
        control.trials = trials;
        control.mark = change;
        m_undo->send(sweepId, control);
        if (!change.addedTags.empty())
            Q_EMIT written(u"tags"_s);
        if (change.note && !change.note->empty())
            Q_EMIT written(u"note"_s);
    });
    dialog->open();
}

void TrialMarker::addTo(QMenu *menu, qint64 sweepId, const std::vector<int> &trials)
{
    const bool removes = areAllStarred(sweepId, trials);
    QAction *star =
        menu->addAction(symbolIcon(removes ? u"star"_s : u"starred"_s), removes ? tr("Remove star") : tr("Star"), this,
                        [this, sweepId, trials] { toggleStars(sweepId, trials); });
    star->setObjectName(u"starTrials"_s);
    star->setShortcut(Qt::Key_S);
    star->setEnabled(!m_client->isReadOnly());
    QAction *mark = menu->addAction(symbolIcon(u"note"_s), tr("Note and tags…"), this,
                                    [this, sweepId, trials] { edit(sweepId, trials); });
    mark->setObjectName(u"markTrials"_s);
    mark->setShortcut(Qt::Key_N);
    mark->setEnabled(!m_client->isReadOnly());
}

}  // namespace sweepscope::ui
