#include "ui/theme/theme.h"

#include "ui/theme/applicationstyle.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/stylesheet.h"

#include <QApplication>

namespace sweepscope::ui {

Theme::Theme(QApplication *application)
    : QObject(application), m_application(application), m_systemIsDark(isDark(QApplication::palette()))
{
    QApplication::setStyle(new ApplicationStyle);
    QApplication::setFont(applicationFont());
    apply();
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
    m_application->setStyleSheet(styleSheet(palette));
}

}  // namespace sweepscope::ui
