#pragma once

#include <QColor>
#include <QIcon>

#include <vector>

namespace sweepscope::ui {

/// The colours of Okabe and Ito, which colour-blind people can distinguish; further ranks repeat them lighter and
/// darker. A rank or trial has the same colour everywhere. Never the only sign: show it with a name.
QColor rankColor(int rank);          ///< from 0
QColor trialColor(int trialNumber);  ///< from 1

/// Returns an index for rankColor() for each trial: the trial's own unless an earlier one has it, so that a few trials
/// next to each other have different colours.
std::vector<int> distinctColors(const std::vector<int> &trialNumbers);

/// A small mark in the trial's colour, next to its number.
QIcon trialSwatch(int trialNumber);
QIcon colorSwatch(int rankColorIndex);
QIcon colorSwatch(const QColor &color);

}  // namespace sweepscope::ui
