#pragma once

#include "series/energy.h"

#include <QString>

#include <optional>

namespace sweepscope::ui {

QString energyText(double joules);                ///< "0.35 Wh", "12.5 Wh", "1.25 kWh"
QString methodText(series::EnergyMethod method);  ///< how it was measured: a sentence without its end

}  // namespace sweepscope::ui
