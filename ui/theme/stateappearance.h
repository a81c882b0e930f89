#pragma once

#include "sweep/records.h"

#include <QColor>
#include <QIcon>
#include <QString>

namespace sweepscope::ui {

/// The look and the name of a state, the same everywhere: shape, text and colour, never colour alone.
QIcon stateIcon(sweep::TrialState state);
QString stateText(sweep::TrialState state);
QColor stateColor(sweep::TrialState state);

QIcon stateIcon(sweep::SweepState state);
QString stateText(sweep::SweepState state);

}  // namespace sweepscope::ui
