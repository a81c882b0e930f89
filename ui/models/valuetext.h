#pragma once

#include "base/clock.h"
#include "sweep/parameter.h"

#include <QString>

/// Values as people read them. What programs read (CSV, clipboard, sweep files) uses sweep::toText, which loses
/// nothing.
namespace sweepscope::ui {

QString numberText(double value);                           ///< five significant digits: "0.15033", "114,820"
QString parameterText(const sweep::ParameterValue &value);  ///< floats like numberText, the rest as it is
QString exactText(const sweep::ParameterValue &value);      ///< reads back as the same value
QString durationText(double seconds);                       ///< "0.8 s", "42 s", "3 min 07 s", "2 h 05 min", "1 d 4 h"
QString sentenceText(const QString &text);                  ///< begins with a capital
QString elapsedText(double seconds);                        ///< the same without fractions, for what goes on
QString timeLeftText(double seconds);                       ///< "about 3 min left": no more exact than it can be
QString dateTimeText(WallNs time);                          ///< local time, the desktop's format
QString momentText(WallNs time, WallNs now);                ///< as short as it can be: "14:02", "20 Nov, 14:02"

}  // namespace sweepscope::ui
