#pragma once

#include "ui/live/trialchoice.h"

#include <QMenu>
#include <QStringList>

namespace sweepscope::ui {

class ChartLayout;
struct ChartPlace;
struct PlotFrame;

/// What can be done with the charts: of each, and which others there could be. Made anew whenever it is opened.
class ChartsMenu : public QMenu {
    Q_OBJECT

public:
    explicit ChartsMenu(ChartLayout *layout, QWidget *parent = nullptr);

    /// What there could be, of the trial that is shown.
    void setChoices(const PlotFrame &frame);
    void setTrial(const TrialChoice &trial) { m_trial = trial; }
    /// What can be done with this chart.
    void addActionsOf(const QString &id, QMenu *menu) const;
    /// Charts that can be added, there.
    void addAdditions(QMenu *menu, const ChartPlace &place);
    /// In menus of their own: right of this chart, and below it.
    void addAdditionsAround(const QString &id, QMenu *menu);

private:
    void fill();
    void chooseSeveral(const ChartPlace &place);

    ChartLayout *m_layout;
    QStringList m_devices;
    QStringList m_series;
    TrialChoice m_trial;
};

}  // namespace sweepscope::ui
