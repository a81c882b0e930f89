#pragma once

#include <QColor>
#include <QIcon>

#include <vector>

namespace sweepscope::ui {

/// Okabe and Ito's colours, which colour-blind people tell apart; further ranks repeat them lighter and darker. The
/// same rank or trial has the same colour everywhere. Never the only sign: pair it with a name.
QColor rankColor(int rank);          ///< from 0
QColor trialColor(int trialNumber);  ///< from 1

/// An index for rankColor() for each of these trials: the trial's own where no earlier one has it, so that few trials
/// next to each other have different colours.
std::vector<int> distinctColors(const std::vector<int> &trialNumbers);

/// A small mark in the trial's colour, next to its number.
QIcon trialSwatch(int trialNumber);
QIcon colorSwatch(int rankColorIndex);

}  // namespace sweepscope::ui
