#pragma once

class QLabel;
class QString;
class QWidget;

namespace sweepscope::ui {

/// Returns the caption of a value, in the palette's placeholder colour.
QLabel *subtleLabel(const QString &text, QWidget *parent);

}  // namespace sweepscope::ui
