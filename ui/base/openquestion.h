#pragma once

class QWidget;

namespace sweepscope::ui {

/// Whether a message box of this window or widget waits for its answer: then no second one is opened.
bool hasOpenQuestion(const QWidget *parent);

}  // namespace sweepscope::ui
