#pragma once

#include "sweep/mark.h"

namespace sweepscope::ui {

/// Returns the change that restores the mark after `change`; empty if it changed nothing.
sweep::MarkChange takingBack(const sweep::MarkChange &change, const sweep::Mark &before);

}  // namespace sweepscope::ui
