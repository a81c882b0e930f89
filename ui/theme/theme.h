#pragma once

#include <QObject>
#include <QPalette>

class QApplication;

namespace sweepscope::ui {

enum class ColorScheme { System, Light, Dark };

/// The application's look: Fusion with our palettes, fonts and style sheet. Lives in main, as long as the application.
/// Widgets hear of a change as QEvent::PaletteChange and QEvent::FontChange, and see ui/theme/textsize.h.
class Theme : public QObject {
    Q_OBJECT

public:
    explicit Theme(QApplication *application);

    ColorScheme scheme() const { return m_scheme; }
    void setScheme(ColorScheme scheme);
    /// In percent of the desktop's size, one of textSizes.
    int textSize() const { return m_textSize; }
    void setTextSize(int percent);
    /// What ColorScheme::System means; at first what the platform's palette says.
    void setSystemIsDark(bool dark);

Q_SIGNALS:
    void schemeChanged();
    void textSizeChanged();

private:
    void apply();

    QApplication *m_application;
    ColorScheme m_scheme = ColorScheme::System;
    bool m_systemIsDark = false;
    int m_textSize;
};

}  // namespace sweepscope::ui
