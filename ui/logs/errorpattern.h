#pragma once

#include <QRegularExpression>

namespace sweepscope::ui {

/// Matches typical errors in the logs of training programs.
const QRegularExpression &errorPattern();
/// Matches the same lines three times as fast, but only a part of each error: it tries no word that does not continue
/// like one.
const QRegularExpression &errorLinePattern();

}  // namespace sweepscope::ui
