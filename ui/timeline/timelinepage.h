#pragma once

#include "ui/base/enginepage.h"

#include <QTimer>

class QLabel;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class PictureSaver;
class TimelineData;
class TimelineView;
class WaitingModel;

/// Shows which trials of the sweep used which devices over time, and those that wait for one.
class TimelinePage : public EnginePage {
    Q_OBJECT

public:
    TimelinePage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

    PictureSaver *pictures() const { return m_pictures; }

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);  ///< it is selected, with its attempt

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    void buildWaiting();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void showSelected();
    void updateView();
    void showSummary();
    void tick();

    TimelineData *m_data;
    TimelineView *m_view;
    PictureSaver *m_pictures;
    WaitingModel *m_model;
    QTableView *m_waiting;
    QLabel *m_summary;
    QLabel *m_detail;
    QToolButton *m_fit;
    QTimer m_tick;           ///< running bars grow
    qint64 m_sweepId = 0;    ///< the shown sweep
    bool m_filling = false;  ///< changes of the list's selection are not made by the user
};

}  // namespace sweepscope::ui
