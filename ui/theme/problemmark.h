#pragma once

class QWidget;

namespace sweepscope::ui {

/// A red border around a line edit, spin box, combo box or table while what is in it is wrong. The sentence that says
/// what belongs beside it: colour alone tells nobody what to do.
void markProblem(QWidget *field, bool wrong);

}  // namespace sweepscope::ui
