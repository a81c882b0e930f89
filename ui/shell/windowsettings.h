#pragma once

#include <QTimer>

class QMainWindow;
class QSettings;
class QSplitter;

namespace sweepscope::ui {

class Theme;
enum class ColorScheme;

/// Stores the window's geometry, the width of the side bar, and the colours between runs.
class WindowSettings {
public:
    WindowSettings(QMainWindow *window, QSplitter *splitter, Theme *theme, QSettings *settings);

    void restore();
    void save() const;
    void setScheme(ColorScheme scheme);
    /// Sets the text size in steps relative to the default, 0. Coalesces quick changes.
    void setTextSize(int steps);
    void setTextSizePercent(int percent);
    /// Call before the window exists, so that it opens in this size.
    static void restoreTextSize(Theme *theme, const QSettings &settings);

private:
    void keepSideBarWidth();
    void fitSideBar();
    void applyTextSize();

    QMainWindow *m_window;
    QSplitter *m_splitter;
    Theme *m_theme;
    QSettings *m_settings;
    int m_textSize = 0;  ///< the requested size
    QTimer m_textSizeDelay;
    double m_sideBarWidth = 0;  ///< at the usual text size, before large text made it wider; 0: not changed yet
};

}  // namespace sweepscope::ui
