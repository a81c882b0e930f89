#pragma once

#include <QtGlobal>

class QSettings;
class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

struct ExportScope;

/// Opens the export dialog of a sweep next to `window`, or brings the open one to the front.
void showExportDialog(protocol::EngineClient *client, qint64 sweepId, const ExportScope &scope, QSettings *settings,
                      QWidget *window);

/// Closes all export dialogs of `window`. Returns false, with the dialog in front, if one of them is still writing.
bool closeExportDialogs(const QWidget *window);

}  // namespace sweepscope::ui
