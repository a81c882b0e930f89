#pragma once

#include "client/engineclient.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class EmptyView;
class TimelineData;
class TimelineView;
class WaitingModel;

/// When which trial of the sweep had which device, and what waits for one.
class TimelinePage : public QWidget {
    Q_OBJECT

public:
    explicit TimelinePage(client::EngineClient *client, QWidget *parent = nullptr);

    void showSweep(qint64 sweepId);
    void selectTrial(int trialNumber);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *buildHead();
    void buildWaiting();
    void refresh();
    void updateView();
    void showSummary();
    void tick();

    client::EngineClient *m_client;
    TimelineData *m_data;
    TimelineView *m_view;
    WaitingModel *m_model;
    QTableView *m_waiting;
    QLabel *m_summary;
    QLabel *m_detail;
    QToolButton *m_fit;
    EmptyView *m_empty;
    QStackedWidget *m_stack;
    QTimer m_refresh;  ///< many messages, one refresh
    QTimer m_tick;     ///< what runs grows
    qint64 m_sweepId = 0;
};

}  // namespace sweepscope::ui
