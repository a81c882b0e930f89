#pragma once

#include "sweep/records.h"

#include <QColor>
#include <QIcon>
#include <QString>

namespace sweepscope::ui {

/// How a state looks and is called, everywhere the same: a shape, a word and a colour, never the colour alone.
QIcon stateIcon(sweep::TrialState state);
QString stateText(sweep::TrialState state);
QColor stateColor(sweep::TrialState state);

QIcon stateIcon(sweep::SweepState state);
QString stateText(sweep::SweepState state);

}  // namespace sweepscope::ui
