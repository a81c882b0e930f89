#pragma once

class QWidget;

namespace sweepscope::ui {

/// Returns whether a message box of this window or widget is open, so that no second one opens.
bool hasOpenQuestion(const QWidget *parent);

}  // namespace sweepscope::ui
