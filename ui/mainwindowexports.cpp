// Export dialogs beside the window.
#include "ui/exporting/exportdialog.h"
#include "ui/live/livepage.h"
#include "ui/mainwindow.h"
#include "ui/trials/trialspage.h"

#include <QStatusBar>

namespace sweepscope::ui {

void MainWindow::exportCsv()
{
    if (!m_client->sweep(sweepId()))
        return;
    for (ExportDialog *open : findChildren<ExportDialog *>()) {
        if (open->sweepId() == sweepId() && open->isVisible()) {
            open->raise();
            open->activateWindow();
            return;
        }
    }
    auto *dialog = new ExportDialog(m_client, sweepId(), m_settings, this);
    ExportScope scope = m_trials->exportScope();
    scope.visible = m_live->visibleRange();
    dialog->setScope(scope);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();  // beside the window, in which something may have to be looked up
}

/// What is being written is not lost unasked; what is only open goes with the window.
bool MainWindow::leaveExports()
{
    const QList<ExportDialog *> dialogs = findChildren<ExportDialog *>();
    for (ExportDialog *dialog : dialogs) {
        if (dialog->isWriting()) {
            dialog->raise();
            dialog->activateWindow();
            statusBar()->showMessage(tr("An export is being written: wait for its end or cancel it"), 10'000);
            return false;
        }
    }
    for (ExportDialog *dialog : dialogs)
        dialog->close();
    return true;
}

}  // namespace sweepscope::ui
