#pragma once

#include "base/clock.h"
#include "series/series.h"
#include "sweep/records.h"
#include "ui/plot/chart.h"
#include "ui/plot/columns.h"

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

/// What plots request from the reading thread, and what it returns: plain values.
namespace sweepscope::ui {

enum class RankView { Ranks, Mean, Spread, Quartiles };

/// The area and the look of a picture of curves.
struct PictureFrame {
    QSize area;        ///< of the axis rect, in logical pixels
    double ratio = 1;  ///< device pixels per logical pixel
    bool logarithmic = false;
    QRgb background = 0;

    bool operator==(const PictureFrame &) const = default;
};

/// How the curves would be drawn if they are too many for separate items.
struct PictureRequest {
    PictureFrame frame;                          ///< without an area, no picture is needed
    std::optional<std::pair<double, double>> y;  ///< set by the user; otherwise fitted
    QSet<QString> hidden;
    QRgb common = 0;               ///< colour of curves without a rank
    bool ignoresOutliers = false;  ///< for fitting y

    bool operator==(const PictureRequest &) const = default;
};

struct PlotRequest {
    quint64 view = 0;  ///< incremented by changes of the user's view; copied to the frame
    QString series;    ///< empty or not declared: the best available one
    series::XAxis axis = series::XAxis::WallTime;
    bool relative = false;  ///< the axis is time since the start: pinned trials begin at the start of the shown one
    bool follow = true;     ///< from the start to slightly beyond now; otherwise [from, to]
    double from = 0;
    double to = 0;
    int columns = 800;     ///< width of a plot in device pixels
    double smoothing = 0;  ///< weight of the past, 0 to 0.99
    RankView rankView = RankView::Ranks;
    ChartRows charts;  ///< empty: the default ones
    PictureRequest picture;

    bool operator==(const PlotRequest &) const = default;
};

/// The progress of a trial and its rate.
struct TrialPace {
    std::int64_t step = 0;                 ///< the highest that any rank reported
    WallNs at = 0;                         ///< of the newest value
    std::optional<double> stepsPerSecond;  ///< over the last seconds; nullopt without enough data

    bool operator==(const TrialPace &) const = default;
};

struct PlotCurve {
    QString name;                ///< "rank 0", "GPU 1", "core 3", the key for hiding; empty: the aggregate of the ranks
    int color = 0;               ///< for rankColor()
    std::optional<QRgb> tint{};  ///< instead of that color
    int trial = 0;               ///< whose mean it is; 0: it is of a rank, a device, a series or a group of trials
    std::optional<sweep::TrialState> state{};  ///< of the trial, if it failed or was lost
    qint64 sweep = 0;                          ///< of the trial
    std::vector<series::Column> columns;  ///< sorted by time; one more beyond each edge, for the lines to the edges
    std::vector<series::Column> raw;      ///< before smoothing; empty without smoothing
    std::vector<series::Column> stack;    ///< if set, the curve is only the area from min to max
    std::vector<series::Column> band;     ///< its own spread, at the x of each column; see GroupMedian
    std::optional<double> newest;         ///< latest value
    bool drawn = true;                    ///< false: only in the read-out
    bool isFaint = false;                 ///< behind the curves that the user isolated
    std::optional<CurveExtent> extent;    ///< of columns and raw over the frame's range
    // Of a trial in the overview, where each has its own.
    QString series;
    QString unit;
    std::optional<TrialPace> pace;
};

/// Curves drawn ahead. Valid only for an axis rect with the same view.
struct CurvePicture {
    struct Curve {
        std::size_t index;  ///< in the panel
        QRgb color;
        bool isFaint = false;
        bool operator==(const Curve &) const = default;
    };
    struct View {
        PictureFrame frame;
        std::pair<double, double> x;
        std::pair<double, double> y;
        std::vector<Curve> curves;
        bool operator==(const View &) const = default;
    };
    View view;
    QImage image;
};

/// The end of an attempt that another one continues.
struct AttemptEnd {
    double x = 0;
    int attempt = 0;
    std::optional<int> color;  ///< for rankColor(); nullopt: that of the axes

    bool operator==(const AttemptEnd &) const = default;
};

struct PlotPanel {
    QString id;     ///< the chart's; for the selected series: its name
    QString title;  ///< if empty, panelTitle() of the id
    QString unit;
    std::vector<PlotCurve> curves;
    std::vector<series::Column> band;  ///< spread over the ranks: min to max of each column, or quartiles
    std::vector<AttemptEnd> attemptEnds;
    std::shared_ptr<const CurvePicture> picture;  ///< of the curves; may be null
    bool isOfTrials = false;                      ///< each curve is that of a trial instead of a rank
    bool hasGroups = false;                       ///< some curves are medians of trials
    bool isOfSeries = false;                      ///< each curve is the mean of a series over its ranks
    bool isOfMeans = false;                       ///< each curve is a mean over several ranks
    bool isStrip = true;                          ///< low and starting at zero, for devices; not for the first panel
    RankView rankView = RankView::Ranks;          ///< the meaning of the unnamed curve and the band
};

struct PlotFrame {
    quint64 view = 0;
    quint64 generation = 0;         ///< counts trials and attempts: frames of earlier ones are dropped
    PlotPanel main;                 ///< of the selected series; without curves if its chart is not requested
    std::vector<PlotPanel> strips;  ///< the other charts
    ChartRows charts;               ///< as requested, see shownCharts(); empty: below each other
    QStringList seriesNames;        ///< declared in the feeds
    QStringList stripIds;           ///< available device plots
    double from = 0;                ///< the range of the columns, each of which is one device pixel wide
    double to = 0;
    double start = 0;  ///< zero of relative time, seconds since 1970
    qint64 droppedRecords = 0;
    QString problem;          ///< why a feed cannot be read
    qint64 missingBytes = 0;  ///< of feeds of which a thin copy is here (base/thincopy.h)
    int missingCurves = 0;    ///< that the next frames will have, or have finer
};

}  // namespace sweepscope::ui
