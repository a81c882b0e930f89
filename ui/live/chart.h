#pragma once

#include "ui/live/trialchoice.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace sweepscope::ui {

/// One of the charts below the first one: what it shows, and of which trial.
struct Chart {
    enum class Kind {
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

/// So many device plots stand below the first chart, if the person has not chosen any.
inline constexpr int usualStrips = 2;

/// Instead of charts: there shall be none. No ids at all: the usual ones.
QString noCharts();

}  // namespace sweepscope::ui
