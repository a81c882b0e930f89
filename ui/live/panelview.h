#pragma once

#include "ui/live/columns.h"

#include <QSet>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

/// How a panel is looked at: computed alike by the thread that reads the feeds, ahead, and by the window's own.
namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

enum class PanelKind { Curves, Strip };

/// Lowest and highest value; first > second: none.
using ValueRange = std::pair<double, double>;

/// The name under which a curve is hidden.
QString hidingKey(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve);
bool isShown(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve, const QSet<QString> &hidden);

/// Too many points to draw each line well: the curves are drawn together, without antialiasing, so that a frame of many
/// ranks still takes milliseconds.
bool isDense(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden);

/// The spread that belongs to the curve; null: none has come with it.
const std::vector<series::Column> *bandOf(const PlotPanel &panel, const PlotCurve &curve);
/// Of the curve and its band (may be null) where x lies in [from, to]; above zero only, where `positive` says so.
ValueRange curveRange(const PlotCurve &curve, const std::vector<series::Column> *band, double from, double to,
                      bool positive);

/// Of all curves that are shown, where x lies in [from, to].
ValueRange shownRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from, double to,
                      bool positive);

/// How a y axis is fitted to what it shows.
struct YFit {
    bool logarithmic = false;
    bool ignoresOutliers =
        false;  ///< of curves: values beyond Tukey's fences, 1.5 interquartile ranges outside the quartiles
};

/// The y axis that shows what is visible between `from` and `to`. None: nothing is, so that any will do.
std::optional<ValueRange> fittedRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from,
                                      double to, const YFit &fit);

}  // namespace sweepscope::ui
