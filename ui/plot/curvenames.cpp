#include "ui/plot/curvenames.h"

#include "ui/plot/plotframe.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>

namespace sweepscope::ui {

namespace {

struct CurveNames {
    Q_DECLARE_TR_FUNCTIONS(CurveNames)
};

}  // namespace

QString curveName(const PlotPanel &panel, const PlotCurve &curve)
{
    if (!curve.name.isEmpty())
        return curve.name;
    return panel.rankView == RankView::Quartiles ? CurveNames::tr("median") : CurveNames::tr("mean");
}

QString trialCurveName(int trial, const QString &sweep)
{
    return sweep.isEmpty() ? CurveNames::tr("trial %1").arg(trial)
                           : CurveNames::tr("%1 · trial %2").arg(sweep).arg(trial);
}

QColor curveColor(const PlotCurve &curve)
{
    return curve.tint ? QColor(*curve.tint) : rankColor(curve.color);
}

QString fullCurveName(const PlotPanel &panel, const PlotCurve &curve)
{
    if (!curve.name.isEmpty())
        return curve.name;
    switch (panel.rankView) {
    case RankView::Quartiles:
        return CurveNames::tr("median of the ranks, band: quartiles");
    case RankView::Spread:
        return CurveNames::tr("mean of the ranks, band: min to max");
    case RankView::Ranks:
    case RankView::Mean:
        break;
    }
    return CurveNames::tr("mean of the ranks");
}

}  // namespace sweepscope::ui
