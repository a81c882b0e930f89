#include "ui/theme/palettes.h"

namespace sweepscope::ui {

namespace {

constexpr QRgb lightAccent = 0xff2667d9;

struct Tones {
    QRgb window, base, alternate, text, subtle, button, border, midlight, light, dark, shadow, accent, link, toolTip,
        toolTipText, disabled;
};

QPalette build(const Tones &tones)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb rgb) { palette.setColor(role, QColor(rgb)); };
    set(QPalette::Window, tones.window);
    set(QPalette::WindowText, tones.text);
    set(QPalette::Base, tones.base);
    set(QPalette::AlternateBase, tones.alternate);
    set(QPalette::Text, tones.text);
    set(QPalette::PlaceholderText, tones.subtle);
    set(QPalette::Button, tones.button);
    set(QPalette::ButtonText, tones.text);
    set(QPalette::BrightText, 0xffffffff);
    set(QPalette::Light, tones.light);
    set(QPalette::Midlight, tones.midlight);
    set(QPalette::Mid, tones.border);
    set(QPalette::Dark, tones.dark);
    set(QPalette::Shadow, tones.shadow);
    set(QPalette::Highlight, tones.accent);
    set(QPalette::HighlightedText, 0xffffffff);
    set(QPalette::Link, tones.link);
    set(QPalette::LinkVisited, tones.link);
    set(QPalette::ToolTipBase, tones.toolTip);
    set(QPalette::ToolTipText, tones.toolTipText);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::BrightText})
        palette.setColor(QPalette::Disabled, role, QColor(tones.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Base, QColor(tones.window));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(tones.border));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(tones.disabled));
    return palette;
}

QColor mixed(const QColor &a, const QColor &b, double shareOfB)
{
    const auto mix = [shareOfB](int x, int y) { return qRound(x + (y - x) * shareOfB); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

}  // namespace

QPalette lightPalette()
{
    return build({.window = 0xfff7f8fa,
                  .base = 0xffffffff,
                  .alternate = 0xfff8f9fb,
                  .text = 0xff1d2330,
                  .subtle = 0xff5c667a,
                  .button = 0xffffffff,
                  .border = 0xffd3d8e0,
                  .midlight = 0xffe8ebf0,
                  .light = 0xffffffff,
                  .dark = 0xffa3abb8,
                  .shadow = 0xff6b7280,
                  .accent = lightAccent,
                  .link = 0xff1f5cc4,
                  .toolTip = 0xff262c38,
                  .toolTipText = 0xfff3f4f6,
                  .disabled = 0xff9aa3b2});
}

QPalette darkPalette()
{
    return build({.window = 0xff20232a,
                  .base = 0xff181b20,
                  .alternate = 0xff1c1f25,
                  .text = 0xffe3e6eb,
                  .subtle = 0xff9fa8b7,
                  .button = 0xff2b2f38,
                  .border = 0xff3c424e,
                  .midlight = 0xff31363f,
                  .light = 0xff3a404a,
                  .dark = 0xff14161a,
                  .shadow = 0xff000000,
                  .accent = 0xff3672d8,
                  .link = 0xff7fb0ff,
                  .toolTip = 0xff363c47,
                  .toolTipText = 0xffeef0f3,
                  .disabled = 0xff697180});
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

QColor borderColor(const QPalette &palette)
{
    return palette.color(QPalette::Mid);
}

QColor subtleTextColor(const QPalette &palette)
{
    return palette.color(QPalette::PlaceholderText);
}

QColor focusColor(const QPalette &palette)
{
    return QColor(isDark(palette) ? 0xff6aa0f8 : lightAccent);
}

QColor problemColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(0xff, 0x7b, 0x72) : QColor(0xc6, 0x28, 0x28);
}

QColor warningColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(0xe3, 0xb3, 0x41) : QColor(0xb2, 0x6a, 0x00);
}

QColor goodColor(const QPalette &palette)
{
    return isDark(palette) ? QColor(0x56, 0xc2, 0x82) : QColor(0x1c, 0x72, 0x40);
}

QColor sidePanelColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Window), isDark(palette) ? QColor(Qt::black) : palette.color(QPalette::Mid),
                 0.22);
}

QColor hoverColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), isDark(palette) ? 0.09 : 0.06);
}

QColor selectionColor(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Base), palette.color(QPalette::Highlight), isDark(palette) ? 0.32 : 0.16);
}

}  // namespace sweepscope::ui
