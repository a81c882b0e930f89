#pragma once

#include <QString>

namespace sweepscope::ui {

/// The drawing of the Breeze icon theme for what resources/icons/NAME.svg shows, for an icon this many pixels high (not counting
/// the screen's scale). Empty where Breeze is not installed or has no drawing of one colour that means it: then ours is used.
QString breezeIconFile(const QString &name, int pixels);

}  // namespace sweepscope::ui
