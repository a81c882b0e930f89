#pragma once

class QWidget;

namespace sweepscope::ui {

/// Shows a red border around a line edit, spin box, combo box or table with an invalid value. Put a sentence next to it
/// that says why: colour alone is not enough.
void markProblem(QWidget *field, bool wrong);

/// Marks the default button of a page, and the button of an irreversible action.
void markPrimary(QWidget *button, bool primary = true);
void markDanger(QWidget *button);

}  // namespace sweepscope::ui
