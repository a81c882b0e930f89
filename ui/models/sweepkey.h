#pragma once

#include "sweep/records.h"

#include <QString>

namespace sweepscope::ui {

/// Under which the window keeps what belongs to a sweep: the same whichever window shows it.
QString settingsKey(const QString &workspace, const sweep::SweepRecord &sweep);

}  // namespace sweepscope::ui
