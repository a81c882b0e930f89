#pragma once

#include <QList>

class QAction;
class QMainWindow;
class QMenu;

namespace sweepscope::ui {

enum class ColorScheme;
struct EditorActions;

/// The window's menus. The window connects the actions.
struct WindowActions {
    /// New, open, save and undo are actions of the editor.
    WindowActions(QMainWindow *window, const EditorActions &ofEditor);

    QList<QAction *> all() const;
    void checkScheme(ColorScheme scheme) const;
    void showTextSize(int percent) const;
    void setReadOnly(bool is) const;
    void showPause(bool isPaused, bool possible) const;

    QAction *newSweep;
    QAction *open;
    QAction *save;
    QList<QAction *> editor;  ///< these and other actions of the editor
    QMenu *file;
    QAction *belowMachines;  ///< what follows the menu of machines in `file`
    QAction *importSweep;
    QAction *exportCsv;
    QAction *savePlot;
    QAction *copyPlot;
    QAction *preferences;
    QAction *quit;
    QAction *start;
    QAction *pause;  ///< or resume, see showPause()
    QAction *stop;
    QAction *retryFailed;    ///< of the selected sweep
    QAction *edit;           ///< the definition of the selected sweep
    QAction *undoEdit;       ///< of the selected sweep
    QAction *readOnly;       ///< checkable
    QList<QAction *> pages;  ///< in tab order
    QAction *search;
    QAction *searchLogs;  ///< of all trials
    QAction *sideBar;
    QAction *fullScreen;
    QList<QAction *> schemes;  ///< data: ColorScheme as int
    QAction *largerText;
    QAction *smallerText;
    QAction *usualText;
    QAction *guide;
    QAction *shortcuts;
    QAction *about;
};

}  // namespace sweepscope::ui
