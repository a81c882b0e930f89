#pragma once

#include <QString>

namespace sweepscope::ui {

/// Returns the file in the Breeze icon theme that corresponds to resources/icons/NAME.svg, for an icon of this height
/// in logical pixels. Empty if Breeze is not installed or has no monochrome drawing with this meaning: then ours is
/// used.
QString breezeIconFile(const QString &name, int pixels);

}  // namespace sweepscope::ui
