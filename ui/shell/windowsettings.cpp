#include "ui/shell/windowsettings.h"

#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QSettings>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Coalesces steps: each change takes much of a second, because the style sheet is matched with every widget.
constexpr auto textSizeDelay = 40ms;
/// Until pages have adapted to the size: before that they request more room than they need.
constexpr auto sideBarDelay = 100ms;

constexpr auto geometrySetting = "window/geometry"_L1;
constexpr auto splitterSetting = "window/splitter"_L1;
constexpr auto schemeSetting = "window/colors"_L1;
constexpr auto textSizeSetting = "window/textsize"_L1;

}  // namespace

WindowSettings::WindowSettings(QMainWindow *window, QSplitter *splitter, Theme *theme, QSettings *settings)
    : m_window(window), m_splitter(splitter), m_theme(theme), m_settings(settings)
{
    m_textSizeDelay.setSingleShot(true);
    m_textSizeDelay.setInterval(textSizeDelay);
    QObject::connect(&m_textSizeDelay, &QTimer::timeout, splitter, [this] { applyTextSize(); });
    QObject::connect(splitter, &QSplitter::splitterMoved, splitter, [this] { keepSideBarWidth(); });
    followTextSize(splitter, [this] { fitSideBar(); });
}

void WindowSettings::keepSideBarWidth()
{
    m_sideBarWidth = m_splitter->sizes().constFirst() / textScale();
}

void WindowSettings::fitSideBar()
{
    if (m_sideBarWidth == 0)
        return;
    QTimer::singleShot(sideBarDelay, m_splitter, [this] {
        const QList<int> sizes = m_splitter->sizes();
        const int all = sizes[0] + sizes[1];
        const int width = std::min(static_cast<int>(std::lround(m_sideBarWidth * textScale())), all / 2);
        m_splitter->setSizes({width, all - width});
    });
}

void WindowSettings::restore()
{
    restoreTextSize(m_theme, *m_settings);
    m_window->restoreGeometry(m_settings->value(geometrySetting).toByteArray());
    m_splitter->restoreState(m_settings->value(splitterSetting).toByteArray());
    const QString stored = m_settings->value(schemeSetting).toString();
    m_theme->setScheme(stored == "light"_L1  ? ColorScheme::Light
                       : stored == "dark"_L1 ? ColorScheme::Dark
                                             : ColorScheme::System);
}

void WindowSettings::save() const
{
    m_settings->setValue(geometrySetting, m_window->saveGeometry());
    m_settings->setValue(splitterSetting, m_splitter->saveState());
}

void WindowSettings::restoreTextSize(Theme *theme, const QSettings &settings)
{
    theme->setTextSize(settings.value(textSizeSetting, usualTextSize).toInt());
}

void WindowSettings::setTextSize(int steps)
{
    const int from = m_textSizeDelay.isActive() ? m_textSize : m_theme->textSize();
    m_textSize = steps == 0 ? usualTextSize : textSizeBeside(from, steps);
    m_textSizeDelay.start();
}

void WindowSettings::setTextSizePercent(int percent)
{
    m_textSize = percent;
    applyTextSize();
}

void WindowSettings::applyTextSize()
{
    if (m_sideBarWidth == 0)
        keepSideBarWidth();  // because the new style sheet changes it
    m_theme->setTextSize(m_textSize);
    m_settings->setValue(textSizeSetting, m_theme->textSize());
}

void WindowSettings::setScheme(ColorScheme scheme)
{
    m_theme->setScheme(scheme);
    m_settings->setValue(schemeSetting, scheme == ColorScheme::Light  ? u"light"_s
                                        : scheme == ColorScheme::Dark ? u"dark"_s
                                                                      : u"desktop"_s);
}

}  // namespace sweepscope::ui
