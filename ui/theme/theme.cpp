#include "ui/theme/theme.h"

#include "ui/theme/applicationstyle.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/stylesheet.h"
#include "ui/theme/textsize.h"

#include <QApplication>

namespace sweepscope::ui {

Theme::Theme(QApplication *application)
    : QObject(application),
      m_application(application),
      m_systemIsDark(isDark(QApplication::palette())),
      m_textSize(usualTextSize)
{
    QApplication::setStyle(new ApplicationStyle);
    QApplication::setFont(applicationFont());
    apply();
}

void Theme::setTextSize(int percent)
{
    const int size = textSizeBeside(percent, 0);
    if (size == m_textSize)
        return;
    m_textSize = size;
    QFont font = applicationFont();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * size / usualTextSize);
    else
        font.setPixelSize(font.pixelSize() * size / usualTextSize);
    QApplication::setFont(font);
    apply();
    Q_EMIT textSizeChanged();
}

void Theme::setScheme(ColorScheme scheme)
{
    if (scheme == m_scheme)
        return;
    m_scheme = scheme;
    apply();
    Q_EMIT schemeChanged();
}

void Theme::setSystemIsDark(bool dark)
{
    if (dark == m_systemIsDark)
        return;
    m_systemIsDark = dark;
    if (m_scheme == ColorScheme::System)
        apply();
}

void Theme::apply()
{
    const bool dark = m_scheme == ColorScheme::Dark || (m_scheme == ColorScheme::System && m_systemIsDark);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    m_application->setStyleSheet(styleSheet(palette, textScale()));
    // A style sheet restores the fonts that widgets had when it was first set.
    notifyTextSize();
}

}  // namespace sweepscope::ui
