#pragma once

#include "base/clock.h"
#include "series/series.h"
#include "ui/live/chart.h"
#include "ui/live/columns.h"

#include <QColor>
#include <QImage>
#include <QSet>
#include <QSize>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// What the plots ask of the thread that reads the feeds, and what it hands back: plain values.
namespace sweepscope::ui {

enum class RankView { Ranks, Mean, Spread, Quartiles };

/// Where and on what a picture of curves is drawn.
struct PictureFrame {
    QSize area;        ///< of the axis rect, in the window's pixels
    double ratio = 1;  ///< device pixels in one of them
    bool logarithmic = false;
    QRgb background = 0;

    bool operator==(const PictureFrame &) const = default;
};

/// How the curves would be drawn if they are too many to be drawn well one by one.
struct PictureRequest {
    PictureFrame frame;                          ///< without an area: no picture is wanted
    std::optional<std::pair<double, double>> y;  ///< the person's; otherwise it is fitted
    QSet<QString> hidden;
    QRgb common = 0;               ///< colour of what belongs to no rank
    bool ignoresOutliers = false;  ///< when y is fitted

    bool operator==(const PictureRequest &) const = default;
};

struct PlotRequest {
    quint64 view = 0;  ///< counts the person's changes of what is shown; the frame carries it back
    QString series;    ///< empty, or not declared: the best one there is
    series::XAxis axis = series::XAxis::WallTime;
    bool relative = false;  ///< the axis is time since the start: pinned trials begin where the shown one does
    bool follow = true;     ///< everything from the start to now and a little beyond; otherwise [from, to]
    double from = 0;
    double to = 0;
    int columns = 800;     ///< width of a plot in device pixels
    double smoothing = 0;  ///< weight of the past, 0 to 0.99
    RankView rankView = RankView::Ranks;
    ChartRows charts;  ///< empty: the usual ones
    PictureRequest picture;

    bool operator==(const PlotRequest &) const = default;
};

/// How far a trial is, and how fast it goes.
struct TrialPace {
    std::int64_t step = 0;                 ///< the highest that a rank reported
    WallNs at = 0;                         ///< of the newest value
    std::optional<double> stepsPerSecond;  ///< over the last seconds; none: too little was reported

    bool operator==(const TrialPace &) const = default;
};

struct PlotCurve {
    QString name;   ///< "rank 0", "GPU 1", "core 3", what hiding goes by; empty: what the ranks have in common
    int color = 0;  ///< for rankColor()
    std::vector<series::Column> columns;  ///< in order of time; one more beyond each edge, so that lines reach it
    std::vector<series::Column> raw;      ///< before smoothing; empty without
    std::vector<series::Column> stack;    ///< drawn as the area from min to max, and nothing else; empty: as lines
    std::optional<double> newest;         ///< value
    bool drawn = true;                    ///< false: only for the read-out
    std::optional<CurveExtent> extent;    ///< of columns and raw over the frame's range
    // Of a trial in the overview, where each has its own:
    QString series;
    QString unit;
    std::optional<TrialPace> pace;
};

/// Curves that were drawn ahead. Right for an axis rect that has the same look, and for no other.
struct CurvePicture {
    struct Curve {
        std::size_t index;  ///< in the panel
        QRgb color;
        bool operator==(const Curve &) const = default;
    };
    struct Look {
        PictureFrame frame;
        std::pair<double, double> x;
        std::pair<double, double> y;
        std::vector<Curve> curves;
        bool operator==(const Look &) const = default;
    };
    Look look;
    QImage image;
};

/// Where an attempt ended that another one continues.
struct AttemptEnd {
    double x = 0;
    int attempt = 0;
    std::optional<int> color;  ///< for rankColor(); none: that of the axes

    bool operator==(const AttemptEnd &) const = default;
};

struct PlotPanel {
    QString id;     ///< the chart's; of the chosen series: its name
    QString title;  ///< empty: panelTitle() of the id says it
    QString unit;
    std::vector<PlotCurve> curves;
    std::vector<series::Column> band;  ///< spread over the ranks: min to max of each column, or quartiles
    std::vector<AttemptEnd> attemptEnds;
    std::shared_ptr<const CurvePicture> picture;  ///< of the curves; null: there is none
    bool isOfTrials = false;                      ///< each curve is a trial's, not a rank's
    bool isOfSeries = false;                      ///< each curve is a series', the mean of its ranks
    bool isOfMeans = false;                       ///< each of several ranks
    bool isStrip = true;                          ///< low and from zero, as devices are shown; not of the first panel
    RankView rankView = RankView::Ranks;          ///< what the curve without a name is, and the band
};

struct PlotFrame {
    quint64 view = 0;
    quint64 generation = 0;  ///< counts trials and attempts: a frame of one that is not shown any more is dropped
    PlotPanel main;          ///< of the chosen series; without curves where its chart is not wanted
    std::vector<PlotPanel> strips;  ///< the other charts
    ChartRows charts;               ///< as they were wanted, see shownCharts(); empty: all above each other
    QStringList seriesNames;        ///< that the feeds declare
    QStringList stripIds;           ///< device plots that could be shown
    double from = 0;                ///< the range that the columns are for, each a device pixel wide
    double to = 0;
    double start = 0;  ///< zero of relative time, seconds since 1970
    qint64 droppedRecords = 0;
    QString problem;  ///< a feed that cannot be read: the sentence of its error
};

}  // namespace sweepscope::ui
