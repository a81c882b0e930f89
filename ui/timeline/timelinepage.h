#pragma once

#include "ui/base/enginepage.h"

#include <QTimer>

class QLabel;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class TimelineData;
class TimelineView;
class WaitingModel;

/// When which trial of the sweep had which device, and what waits for one.
class TimelinePage : public EnginePage {
    Q_OBJECT

public:
    TimelinePage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);  ///< it is selected, with its attempt

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *buildHead();
    void buildWaiting();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void showSelected();
    void updateView();
    void showSummary();
    void tick();

    TimelineData *m_data;
    TimelineView *m_view;
    WaitingModel *m_model;
    QTableView *m_waiting;
    QLabel *m_summary;
    QLabel *m_detail;
    QToolButton *m_fit;
    QTimer m_tick;           ///< what runs grows
    qint64 m_sweepId = 0;    ///< that is shown
    bool m_filling = false;  ///< what is chosen in the list is no choice of the person
};

}  // namespace sweepscope::ui
