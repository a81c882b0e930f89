#pragma once

#include "sweep/records.h"

#include <QString>

namespace sweepscope::ui {

/// Why a sweep's definition cannot be changed; empty if it can.
QString whyNotEdited(const sweep::SweepRecord &record, bool readOnly);
/// Why the last edit cannot be undone; empty if it can.
QString whyNoEditUndone(const sweep::SweepRecord &record, bool readOnly);

}  // namespace sweepscope::ui
