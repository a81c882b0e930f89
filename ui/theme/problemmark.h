#pragma once

class QWidget;

namespace sweepscope::ui {

/// A red border around a line edit, spin box, combo box or table while what is in it is wrong. The sentence that says
/// what belongs beside it: colour alone tells nobody what to do.
void markProblem(QWidget *field, bool wrong);

/// The button that one is here for, and the one that cannot be taken back.
void markPrimary(QWidget *button, bool primary = true);
void markDanger(QWidget *button);

}  // namespace sweepscope::ui
