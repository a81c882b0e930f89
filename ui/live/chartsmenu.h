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
    /// A menu that is open goes on with this one.
    void setTrial(const TrialChoice &trial);
    /// What can be done with this chart.
    void addActionsOf(const QString &id, QMenu *menu);
    /// Charts that can be added, there.
    void addAdditions(QMenu *menu, const ChartPlace &place);
    /// In menus of their own: right of this chart, and below it.
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
