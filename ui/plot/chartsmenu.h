#pragma once

#include "ui/plot/trialchoice.h"

#include <QMenu>
#include <QStringList>

namespace sweepscope::ui {

class ChartLayout;
struct ChartPlace;
struct PlotFrame;

/// The menu of all charts: actions for each, and charts that can be added. Rebuilt whenever it is opened.
class ChartsMenu : public QMenu {
    Q_OBJECT

public:
    explicit ChartsMenu(ChartLayout *layout, QWidget *parent = nullptr);

    /// Sets the possible charts of the shown trial.
    void setChoices(const PlotFrame &frame);
    /// An open menu uses this trial from now on.
    void setTrial(const TrialChoice &trial);
    /// Adds the actions for this chart.
    void addActionsOf(const QString &id, QMenu *menu);
    /// Adds actions that add a chart at `place`.
    void addAdditions(QMenu *menu, const ChartPlace &place);
    /// Adds submenus for a new chart to the right of this one, and below it.
    void addAdditionsAround(const QString &id, QMenu *menu);

Q_SIGNALS:
    void trialChanged();

private:
    void addPinOf(const QString &id, QMenu *menu);
    void fill();
    void chooseSeveral(const ChartPlace &place);

    ChartLayout *m_layout;
    QStringList m_devices;
    QStringList m_series;
    TrialChoice m_trial;
};

}  // namespace sweepscope::ui
