#include "ui/models/energytext.h"

#include <QCoreApplication>
#include <QLocale>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct EnergyWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Energy)
};

}  // namespace

QString energyText(double joules)
{
    const double kilowattHours = joules / series::joulesPerKilowattHour;
    const bool isSmall = kilowattHours < 1;
    const double value = isSmall ? kilowattHours * 1000 : kilowattHours;
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals) + (isSmall ? u" Wh"_s : u" kWh"_s);
}

QString methodText(series::EnergyMethod method)
{
    return method == series::EnergyMethod::Counter ? EnergyWords::tr("measured by the energy counters of the GPUs")
                                                   : EnergyWords::tr("integrated from power readings of the GPUs");
}

}  // namespace sweepscope::ui
