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
/// A trial whose job waits in the queue of a cluster is queued, although its attempt has begun.
QIcon stateIcon(const sweep::TrialRecord &trial);
QString stateText(const sweep::TrialRecord &trial);

QIcon stateIcon(sweep::SweepState state);
QString stateText(sweep::SweepState state);

}  // namespace sweepscope::ui
