#pragma once

#include "sweep/records.h"

#include <QString>

namespace sweepscope::ui {

/// False if no rank of the last attempt ran.
bool hasLog(const sweep::TrialRecord &trial);
/// Why the log of an attempt has no lines. `attempt`: 0 if the trial has none.
QString emptyLogText(const sweep::TrialRecord &trial, int attempt);

}  // namespace sweepscope::ui
