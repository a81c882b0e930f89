#pragma once

#include "diagnosis/finding.h"

#include <QIcon>
#include <QString>

#include <string>

namespace sweepscope::ui {

/// An icon whose shape differs too, so that severities are not distinguished by colour alone.
QIcon severityIcon(diagnosis::Severity severity);
QString severityText(diagnosis::Severity severity);
/// "Slow rank" of the rule "straggler".
QString ruleTitle(const std::string &rule);

/// "Trial 3, attempt 2 · rank 2 · GPU 0"; `device`: its name, empty if none is involved.
QString placeText(const diagnosis::Finding &finding, const QString &device);
QString windowText(const diagnosis::Finding &finding);     ///< "steps 120 to 480 · 14:02:10, for 38 s"
QString thresholdText(const diagnosis::Finding &finding);  ///< "38%, threshold 15% (its source)"

}  // namespace sweepscope::ui
