#pragma once

#include <QColor>
#include <QIcon>

namespace sweepscope::ui {

/// Okabe and Ito's colours, which colour-blind people tell apart; further ranks repeat them lighter and darker. The
/// same rank or trial has the same colour everywhere. Never the only sign: pair it with a name.
QColor rankColor(int rank);          ///< from 0
QColor trialColor(int trialNumber);  ///< from 1

/// A little mark in the trial's colour, to stand beside its number.
QIcon trialSwatch(int trialNumber);

}  // namespace sweepscope::ui
