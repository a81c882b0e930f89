#pragma once

#include <QObject>

#include <functional>

class QWidget;

/// How large texts are: the desktop's size, and what the person made of it. Whatever has a size that goes with the text
/// asks here, once or by followTextSize().
namespace sweepscope::ui {

/// In percent of the desktop's size, from small to large.
inline constexpr int textSizes[] = {80, 90, 100, 110, 125, 150, 175, 200};
inline constexpr int usualTextSize = 100;

/// The nearest one of textSizes, so many steps further.
int textSizeBeside(int percent, int steps);

/// How much larger texts are than the desktop has them.
double textScale();
/// A length that is right for texts of the desktop's size, for those that there are now.
int textScaled(int pixels);

enum class TextRole {
    Heading,   ///< a page's title
    Section,   ///< of a page
    Emphasis,  ///< the same size, heavier
    Small,     ///< notes under something
    Monospace  ///< logs, commands, paths
};

/// Now and after each change; a font that is only set is lost with the next theme.
void setTextRole(QWidget *widget, TextRole role);

/// Does it now, and whenever texts have got another size.
void followTextSize(QWidget *widget, std::function<void()> adapt);

/// What follows hears of it. Theme calls this.
void tellTextSize();

}  // namespace sweepscope::ui
