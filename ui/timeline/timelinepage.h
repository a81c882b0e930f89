#pragma once

#include "ui/home/enginepage.h"

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
    explicit TimelinePage(protocol::EngineClient *client, QWidget *parent = nullptr);

    void showSweep(qint64 sweepId);
    void selectTrial(int trialNumber);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    void attemptActivated(qint64 sweepId, int trialNumber, int attempt);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *buildHead();
    void buildWaiting();
    void refresh() override;
    bool concerns(qint64 sweepId) const override { return sweepId == m_sweepId; }
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
    QTimer m_tick;  ///< what runs grows
    qint64 m_sweepId = 0;
};

}  // namespace sweepscope::ui
