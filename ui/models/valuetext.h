#pragma once

#include "base/clock.h"
#include "sweep/parameter.h"

#include <QString>

/// Values for display. Output for programs (CSV, clipboard, sweep files) uses the lossless sweep::toText.
namespace sweepscope::ui {

QString meanText(double mean, double error,
                 int runs);        ///< "0.15033 ± 0.0021 (3)": mean, its standard error, and of how many
QString numberText(double value);  ///< five significant digits: "0.15033", "114,820"
QString parameterText(const sweep::ParameterValue &value);  ///< floats like numberText, other values unchanged
QString exactText(const sweep::ParameterValue &value);      ///< reads back as the same value
QString durationText(double seconds);         ///< "840 ms", "4.2 s", "42 s", "3 min 07 s", "2 h 05 min", "1 d 4 h"
QString fileSizeText(qint64 bytes);           ///< "1 byte", "12 bytes", "1.50 KiB"
QString sentenceText(const QString &text);    ///< starts with a capital letter
QString elapsedText(double seconds);          ///< the same without fractions, for elapsed time
QString timeLeftText(double seconds);         ///< "about 3 min left": as exact as an estimate can be
QString dateTimeText(WallNs time);            ///< local time in the desktop's format
QString momentText(WallNs time, WallNs now);  ///< as short as possible: "14:02", "20 Nov, 14:02"

}  // namespace sweepscope::ui
