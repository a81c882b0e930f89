#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

QPalette lightPalette();
QPalette darkPalette();

/// Whether text is lighter than what it stands on.
bool isDark(const QPalette &palette);

QColor borderColor(const QPalette &palette);      ///< lines around and between things
QColor subtleTextColor(const QPalette &palette);  ///< notes, units, second lines
/// Of the frame around what has the keys: seen on every ground, that of selected rows included.
QColor focusColor(const QPalette &palette);
QColor problemColor(const QPalette &palette);    ///< text and borders of what is wrong
QColor goodColor(const QPalette &palette);       ///< text and borders of what went well
QColor sidePanelColor(const QPalette &palette);  ///< a side bar beside the content
QColor hoverColor(const QPalette &palette);      ///< a row or button under the pointer
QColor selectionColor(const QPalette &palette);  ///< a chosen row: quiet, the text on it stays as it is

}  // namespace sweepscope::ui
