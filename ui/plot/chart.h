#pragma once

#include "ui/plot/trialchoice.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace sweepscope::ui {

struct PlotPanel;

/// A chart: its content, and its trial.
struct Chart {
    enum class Kind {
        Chosen,    ///< the series selected above the plots
        Devices,   ///< a quantity of the trial's devices or processes: "gpu.utilization"
        Series,    ///< one series: a curve per rank, or their aggregate; several series: the mean of each
        StepParts  ///< the parts of a step's time, stacked
    };

    Kind kind = Kind::Devices;
    QString device;
    QStringList series;
    TrialChoice pinned;  ///< always shows this trial; without one, the selected trial

    bool isPinned() const { return pinned.trial > 0; }
    /// Identifies the chart in requests, frames and settings. For device charts that are not pinned, the name of the
    /// quantity.
    QString id() const;
    static Chart fromId(const QString &id);
    /// "loss, val_loss", "GPU utilization · trial 7"
    QString title() const;

    bool operator==(const Chart &) const = default;
};

/// Returns the title of a device plot or a series: "GPU utilization", "loss".
QString panelTitle(const QString &id);
QString panelTitle(const PlotPanel &panel);

/// The ids of charts in rows. No rows: the default charts.
using ChartRows = QList<QStringList>;
/// Returns the charts of all rows, in order.
QStringList chartsOf(const ChartRows &rows);

/// Returns the id of the chart that shows the selected series.
QString chosenChart();
/// Returns the default charts of a trial: the selected series `chosen`, below it all other metrics in a grid whose rows
/// begin anew with each prefix ("val/"), then two of the available device plots. Times within a step are one chart.
ChartRows usualCharts(const QStringList &metrics, const QString &chosen, const QStringList &devices);

}  // namespace sweepscope::ui
