#include "ui/theme/textsize.h"

#include "ui/theme/fonts.h"

#include <QApplication>
#include <QFontInfo>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Deleted with its widget.
class TextSizeFollower : public QObject {
public:
    TextSizeFollower(QWidget *widget, std::function<void()> adapt) : QObject(widget), m_adapt(std::move(adapt))
    {
        m_adapt();
    }
    void adapt() const { m_adapt(); }

private:
    std::function<void()> m_adapt;
};

double pointSizeOf(const QFont &font)
{
    return font.pointSizeF() > 0 ? font.pointSizeF() : QFontInfo(font).pointSizeF();
}

QFont fontOf(TextRole role)
{
    const QFont base = QApplication::font();
    switch (role) {
    case TextRole::Heading:
        return headingFont(base);
    case TextRole::Section:
        return sectionFont(base);
    case TextRole::Emphasis:
        return emphasisFont(base);
    case TextRole::Small:
        return smallFont(base);
    case TextRole::Monospace:
        break;
    }
    return monospaceFont();
}

}  // namespace

int textSizeBeside(int percent, int steps)
{
    const auto nearest =
        std::ranges::min_element(textSizes, {}, [percent](int one) { return std::abs(one - percent); });
    const auto place = std::clamp<std::ptrdiff_t>(nearest - std::begin(textSizes) + steps, 0,
                                                  static_cast<std::ptrdiff_t>(std::size(textSizes)) - 1);
    return textSizes[place];
}

double textScale()
{
    static const double desktop = pointSizeOf(applicationFont());
    return desktop > 0 ? pointSizeOf(QApplication::font()) / desktop : 1;
}

int textScaled(int pixels)
{
    return static_cast<int>(std::lround(pixels * textScale()));
}

void setTextRole(QWidget *widget, TextRole role)
{
    followTextSize(widget, [widget, role] { widget->setFont(fontOf(role)); });
}

void followTextSize(QWidget *widget, std::function<void()> adapt)
{
    new TextSizeFollower(widget, std::move(adapt));
}

void notifyTextSize()
{
    for (QWidget *widget : QApplication::allWidgets()) {
        for (QObject *child : widget->children()) {
            if (const auto *follower = dynamic_cast<const TextSizeFollower *>(child))
                follower->adapt();
        }
    }
}

}  // namespace sweepscope::ui
