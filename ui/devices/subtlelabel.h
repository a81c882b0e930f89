#pragma once

class QLabel;
class QString;
class QWidget;

namespace sweepscope::ui {

/// Text beside a value: what it is of, in the palette's placeholder colour.
QLabel *subtleLabel(const QString &text, QWidget *parent);

}  // namespace sweepscope::ui
