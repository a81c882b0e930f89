#pragma once

#include <QTimer>

class QMainWindow;
class QSettings;
class QSplitter;

namespace sweepscope::ui {

class Theme;
enum class ColorScheme;

/// What the window remembers from one time to the next: its place, the side bar's width, the colours.
class WindowLook {
public:
    WindowLook(QMainWindow *window, QSplitter *splitter, Theme *theme, QSettings *settings);

    void restore();
    void save() const;
    void setScheme(ColorScheme scheme);
    /// So many steps larger; 0: the usual size. Steps that follow each other quickly are made as one.
    void setTextSize(int steps);
    /// Before there is a window, so that it comes up as it is.
    static void restoreTextSize(Theme *theme, const QSettings &settings);

private:
    void keepSideBar();
    void applyTextSize();

    QMainWindow *m_window;
    QSplitter *m_splitter;
    Theme *m_theme;
    QSettings *m_settings;
    int m_textSize = 0;  ///< where the steps lead
    QTimer m_textSizeDelay;
    int m_sideBarWidth = 0;  ///< as chosen, where large texts make it wider; 0: as it came up
};

}  // namespace sweepscope::ui
