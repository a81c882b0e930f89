#pragma once

#include <QObject>

#include <functional>

class QWidget;

/// The text size: the desktop's, scaled by the user. Sizes that depend on it come from here, once or through
/// followTextSize().
namespace sweepscope::ui {

/// In percent of the desktop's size, ascending.
inline constexpr int textSizes[] = {80, 90, 100, 110, 125, 150, 175, 200};
inline constexpr int usualTextSize = 100;

/// Returns the value of textSizes that is `steps` away from the nearest one.
int textSizeBeside(int percent, int steps);

/// Ratio of the text size to the desktop's.
double textScale();
/// Scales a length meant for the desktop's text size to the current one.
int textScaled(int pixels);

enum class TextRole {
    Heading,   ///< a page's title
    Section,   ///< of a page
    Emphasis,  ///< same size, heavier
    Small,     ///< notes below something
    Monospace  ///< logs, commands, paths
};

/// Sets the font now and after each change of the text size; a font set directly is lost with the next theme.
void setTextRole(QWidget *widget, TextRole role);

/// Calls `adapt` now and after each change of the text size.
void followTextSize(QWidget *widget, std::function<void()> adapt);

/// Notifies all followers. Called by Theme.
void notifyTextSize();

}  // namespace sweepscope::ui
