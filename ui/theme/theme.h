#pragma once

#include <QObject>
#include <QPalette>

class QApplication;

namespace sweepscope::ui {

enum class ColorScheme { System, Light, Dark };

/// The application's look: Fusion with our palettes, fonts and style sheet. Exists in main as long as the application.
/// Widgets get QEvent::PaletteChange and QEvent::FontChange; see also ui/theme/textsize.h.
class Theme : public QObject {
    Q_OBJECT

public:
    explicit Theme(QApplication *application);

    ColorScheme scheme() const { return m_scheme; }
    void setScheme(ColorScheme scheme);
    /// In percent of the desktop's size, one of textSizes.
    int textSize() const { return m_textSize; }
    void setTextSize(int percent);
    /// Sets the meaning of ColorScheme::System; initially that of the platform's palette.
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
