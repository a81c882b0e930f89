#pragma once

#include "ui/plot/columns.h"

#include <QSet>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

/// The view of a panel: computed in the same way by the reading thread, ahead, and by the GUI thread.
namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

enum class PanelKind { Curves, Strip };

/// Min and max; first > second if empty.
using ValueRange = std::pair<double, double>;

/// The key of a curve in the set of hidden ones.
QString hidingKey(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve);
bool isShown(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve, const QSet<QString> &hidden);

/// With more curves, only the emphasized one has an item.
constexpr std::size_t mostCurveItems = 100;

/// Whether there are too many points to draw each line separately: then all curves are drawn together, without
/// antialiasing, so that a frame of many ranks still takes milliseconds.
bool isDense(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden);

/// The spread that belongs to the curve; null if the panel has none.
const std::vector<series::Column> *bandOf(const PlotPanel &panel, const PlotCurve &curve);
/// Of the curve and its band (may be null) for x in [from, to]; only values above zero if `positive`.
ValueRange curveRange(const PlotCurve &curve, const std::vector<series::Column> *band, double from, double to,
                      bool positive);

/// Of all visible curves for x in [from, to].
ValueRange shownRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from, double to,
                      bool positive);

/// Returns how many visible curves have values for x in `x`, but none of them in `y`.
int curvesOutside(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, const ValueRange &x,
                  const ValueRange &y, bool positive);

/// How a y axis is fitted to its curves.
struct YFit {
    bool logarithmic = false;
    bool ignoresOutliers =
        false;  ///< excludes values of curves beyond Tukey's fences, 1.5 interquartile ranges outside the quartiles;
                ///< with up to 20 curves, only those of curves that end there, and values that are orders of magnitude
                ///< beyond them
};

/// Returns the y axis that fits what is visible between `from` and `to`; nullopt if nothing is, so that any range will
/// do.
std::optional<ValueRange> fittedRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from,
                                      double to, const YFit &fit);

}  // namespace sweepscope::ui
