#include "ui/shell/quickentries.h"

#include "base/clock.h"
#include "protocol/engineclient.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/trialheader.h"
#include "ui/models/sweeplistmodel.h"
#include "ui/models/sweepsummary.h"
#include "ui/shell/navigator.h"
#include "ui/theme/stateappearance.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct QuickEntriesWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::QuickEntries)
};

constexpr std::size_t mostFarTrials = 20'000;

/// "Theme: Dark": actions in submenus include the submenu's title.
QString nameOf(const QAction &action)
{
    QString name = action.text();
    for (const QObject *place : action.associatedObjects()) {
        const auto *menu = qobject_cast<const QMenu *>(place);
        if (menu && qobject_cast<const QMenu *>(menu->parent()))
            name = menu->title() + u": "_s + name;
    }
    return name.remove(u'&');
}

/// Adds trials of the newest sweeps only, because each keystroke searches all entries.
void addTrialsOfOthers(std::vector<QuickEntry> &entries, Navigator *navigator, qint64 shownSweep,
                       protocol::EngineClient *client)
{
    std::size_t room = mostFarTrials;
    const std::vector<sweep::SweepRecord> &sweeps = client->sweeps();
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend(); ++sweep) {
        const std::vector<sweep::TrialRecord> &trials = client->trials(sweep->id);
        if (sweep->id == shownSweep || trials.size() > room)
            continue;
        room -= trials.size();
        const QString in = QuickEntriesWords::tr("in #%1 %2").arg(sweep->id).arg(QString::fromStdString(sweep->name));
        for (const sweep::TrialRecord &trial : trials) {
            entries.push_back({QuickEntriesWords::tr("Trial %1").arg(trial.number) + u' ' + in, stateText(trial),
                               stateIcon(trial),
                               [navigator, sweepId = sweep->id, number = trial.number] {
                                   navigator->openTrial(sweepId, number, Page::Trial);
                               },
                               true});
        }
    }
}

}  // namespace

std::vector<QuickEntry> quickEntries(Navigator *navigator, SelectionModel *selection, protocol::EngineClient *client,
                                     const QList<QAction *> &actions)
{
    std::vector<QuickEntry> entries;
    for (QAction *action : actions) {
        if (!action->isEnabled())
            continue;
        entries.push_back({nameOf(*action), action->shortcut().toString(QKeySequence::NativeText), action->icon(),
                           [action] { action->trigger(); }});
    }
    for (const sweep::SweepRecord &sweep : client->sweeps()) {
        const QString kind = QuickEntriesWords::tr("sweep #%1").arg(sweep.id);
        const QString tags = tagsText(sweep.mark);
        entries.push_back({QString::fromStdString(sweep.name), tags.isEmpty() ? kind : kind + u" · "_s + tags,
                           stateIcon(sweep, summarize(sweep, client->trials(sweep.id), 1, wallNow())),
                           [navigator, selection, id = sweep.id] {
                               selection->selectSweep(id);
                               navigator->open(Page::Trials);
                           }});
    }
    const qint64 sweepId = selection->current().sweepId;
    for (const sweep::TrialRecord &trial : client->trials(sweepId)) {
        entries.push_back(
            {QuickEntriesWords::tr("Trial %1").arg(trial.number),
             stateText(trial) + u" · "_s + parametersText(trial.parameters), stateIcon(trial),
             [navigator, sweepId, number = trial.number] { navigator->openTrial(sweepId, number, Page::Trial); }});
    }
    addTrialsOfOthers(entries, navigator, sweepId, client);
    return entries;
}

}  // namespace sweepscope::ui
