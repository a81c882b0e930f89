#include "ui/quickentries.h"

#include "ui/live/trialheader.h"
#include "ui/mainwindow.h"
#include "ui/theme/stateappearance.h"

#include <QAction>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

std::vector<QuickEntry> quickEntries(MainWindow *window, client::EngineClient *client, const QList<QAction *> &actions)
{
    std::vector<QuickEntry> entries;
    for (QAction *action : actions) {
        if (!action->isEnabled())
            continue;
        QString text = action->text();
        entries.push_back({text.remove(u'&'), action->shortcut().toString(QKeySequence::NativeText), action->icon(),
                           [action] { action->trigger(); }});
    }
    for (const sweep::SweepRecord &sweep : client->sweeps()) {
        entries.push_back({QString::fromStdString(sweep.name), MainWindow::tr("sweep #%1").arg(sweep.id),
                           stateIcon(sweep.state), [window, id = sweep.id] {
                               window->showSweep(id);
                               window->showPage(MainWindow::Page::Trials);
                           }});
    }
    const qint64 sweepId = window->shownSweep();
    for (const sweep::TrialRecord &trial : client->trials(sweepId)) {
        entries.push_back({MainWindow::tr("Trial %1").arg(trial.number), parametersText(trial.parameters),
                           stateIcon(trial.state), [window, sweepId, number = trial.number] {
                               window->showTrial(sweepId, number);
                               window->showPage(MainWindow::Page::Trial);
                           }});
    }
    return entries;
}

}  // namespace sweepscope::ui
