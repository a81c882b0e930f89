#pragma once

#include "ui/live/trialchoice.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace sweepscope::ui {

struct PlotPanel;

/// One of the charts: what it shows, and of which trial.
struct Chart {
    enum class Kind {
        Chosen,    ///< the series that is chosen above the plots
        Devices,   ///< a quantity of the trial's devices or processes: "gpu.utilization"
        Series,    ///< one series: a curve for each rank, or what they have in common; several: the mean of each
        StepParts  ///< where a step's time goes, stacked
    };

    Kind kind = Kind::Devices;
    QString device;
    QStringList series;
    TrialChoice pinned;  ///< it stays with this trial; no trial: it shows the one that is chosen

    bool isPinned() const { return pinned.trial > 0; }
    /// In a request, in a frame and in the settings. Of device plots that are not pinned it is what is measured.
    QString id() const;
    static Chart fromId(const QString &id);
    /// "loss, val_loss", "GPU utilization · trial 7"
    QString title() const;

    bool operator==(const Chart &) const = default;
};

/// What a device plot or a series is called: "GPU utilization", "loss".
QString panelTitle(const QString &id);
QString panelTitle(const PlotPanel &panel);

/// Rows of charts that stand beside each other, by their ids. No rows: the usual ones.
using ChartRows = QList<QStringList>;

/// The id of the chart of the chosen series.
QString chosenChart();
/// The chosen series above two device plots, of those that there are.
ChartRows usualCharts(const QStringList &devices);

}  // namespace sweepscope::ui
