#include "ui/quickentries.h"

#include "ui/live/trialheader.h"
#include "ui/mainwindow.h"
#include "ui/theme/stateappearance.h"

#include <QAction>
#include <QMenu>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostFarTrials = 20'000;

/// "Theme: Dark": of what stands in a menu of its own that menu's title too.
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

/// Those of the newest sweeps: what is typed is looked for in all of them, letter by letter.
void addTrialsOfOthers(std::vector<QuickEntry> &entries, MainWindow *window, protocol::EngineClient *client)
{
    std::size_t room = mostFarTrials;
    const std::vector<sweep::SweepRecord> &sweeps = client->sweeps();
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend(); ++sweep) {
        const std::vector<sweep::TrialRecord> &trials = client->trials(sweep->id);
        if (sweep->id == window->selection().current().sweepId || trials.size() > room)
            continue;
        room -= trials.size();
        const QString in = MainWindow::tr("in #%1 %2").arg(sweep->id).arg(QString::fromStdString(sweep->name));
        for (const sweep::TrialRecord &trial : trials) {
            entries.push_back({MainWindow::tr("Trial %1").arg(trial.number) + u' ' + in, stateText(trial.state),
                               stateIcon(trial.state),
                               [window, sweepId = sweep->id, number = trial.number] {
                                   window->selection().selectTrial(sweepId, number);
                                   window->showPage(MainWindow::Page::Trial);
                               },
                               true});
        }
    }
}

}  // namespace

std::vector<QuickEntry> quickEntries(MainWindow *window, protocol::EngineClient *client,
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
        entries.push_back({QString::fromStdString(sweep.name), MainWindow::tr("sweep #%1").arg(sweep.id),
                           stateIcon(sweep.state), [window, id = sweep.id] {
                               window->selection().selectSweep(id);
                               window->showPage(MainWindow::Page::Trials);
                           }});
    }
    const qint64 sweepId = window->selection().current().sweepId;
    for (const sweep::TrialRecord &trial : client->trials(sweepId)) {
        entries.push_back({MainWindow::tr("Trial %1").arg(trial.number),
                           stateText(trial.state) + u" · "_s + parametersText(trial.parameters), stateIcon(trial.state),
                           [window, sweepId, number = trial.number] {
                               window->selection().selectTrial(sweepId, number);
                               window->showPage(MainWindow::Page::Trial);
                           }});
    }
    addTrialsOfOthers(entries, window, client);
    return entries;
}

}  // namespace sweepscope::ui
