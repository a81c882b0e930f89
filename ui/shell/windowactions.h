#pragma once

#include <QList>

class QAction;
class QMainWindow;

namespace sweepscope::ui {

enum class ColorScheme;
struct EditorActions;

/// The window's menus. What the actions do is connected by the window.
struct WindowActions {
    /// New, open, save and undo are the editor's own actions.
    WindowActions(QMainWindow *window, const EditorActions &ofEditor);

    QList<QAction *> all() const;
    void checkScheme(ColorScheme scheme) const;
    void showTextSize(int percent) const;
    void setReadOnly(bool is) const;
    void showPause(bool isPaused, bool possible) const;

    QAction *newSweep;
    QAction *open;
    QAction *save;
    QList<QAction *> editor;  ///< these three and the others that the editor brings
    QAction *exportCsv;
    QAction *savePlot;
    QAction *copyPlot;
    QAction *quit;
    QAction *start;
    QAction *pause;  ///< or go on, see showPause()
    QAction *stop;
    QAction *retryFailed;    ///< trials of the chosen sweep
    QAction *edit;           ///< the chosen sweep's definition
    QAction *undoEdit;       ///< of the chosen sweep
    QAction *readOnly;       ///< checkable
    QList<QAction *> pages;  ///< in the order of the tabs
    QAction *search;
    QAction *sideBar;
    QAction *fullScreen;
    QList<QAction *> schemes;  ///< data: int of ColorScheme
    QAction *largerText;
    QAction *smallerText;
    QAction *usualText;
    QAction *shortcuts;
    QAction *about;
};

}  // namespace sweepscope::ui
