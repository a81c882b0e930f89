#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

QPalette lightPalette();
QPalette darkPalette();

/// Whether text is lighter than its background.
bool isDark(const QPalette &palette);

QColor borderColor(const QPalette &palette);      ///< lines around and between things
QColor subtleTextColor(const QPalette &palette);  ///< notes, units, second lines
/// For the focus frame: visible on every background, including selected rows.
QColor focusColor(const QPalette &palette);
QColor problemColor(const QPalette &palette);    ///< text and borders of errors
QColor warningColor(const QPalette &palette);    ///< marks of warnings
QColor goodColor(const QPalette &palette);       ///< text and borders of success
QColor sidePanelColor(const QPalette &palette);  ///< a side bar next to the content
QColor hoverColor(const QPalette &palette);      ///< a row or button under the pointer
QColor selectionColor(const QPalette &palette);  ///< a selected row: subtle, text on it keeps its colour

}  // namespace sweepscope::ui
