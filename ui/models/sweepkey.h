#pragma once

#include "sweep/records.h"

#include <QString>

namespace sweepscope::ui {

/// The key of a sweep's settings: the same in every window.
QString settingsKey(const QString &workspace, const sweep::SweepRecord &sweep);

}  // namespace sweepscope::ui
