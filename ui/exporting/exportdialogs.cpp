#include "ui/exporting/exportdialogs.h"

#include "ui/exporting/exportdialog.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

void bringToFront(QWidget *dialog)
{
    dialog->raise();
    dialog->activateWindow();
}

}  // namespace

void showExportDialog(protocol::EngineClient *client, qint64 sweepId, const ExportScope &scope, QSettings *settings,
                      QWidget *window)
{
    const QList<ExportDialog *> dialogs = window->findChildren<ExportDialog *>();
    const auto open = std::ranges::find_if(
        dialogs, [sweepId](const ExportDialog *dialog) { return dialog->sweepId() == sweepId && dialog->isVisible(); });
    if (open != dialogs.end()) {
        bringToFront(*open);
        return;
    }
    auto *dialog = new ExportDialog(client, sweepId, settings, window);
    dialog->setScope(scope);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();  // not modal: the user may need to look something up in the window
}

bool closeExportDialogs(const QWidget *window)
{
    const QList<ExportDialog *> dialogs = window->findChildren<ExportDialog *>();
    const auto writing = std::ranges::find_if(dialogs, &ExportDialog::isWriting);
    if (writing != dialogs.end()) {
        bringToFront(*writing);
        return false;
    }
    for (ExportDialog *dialog : dialogs)
        dialog->close();
    return true;
}

}  // namespace sweepscope::ui
