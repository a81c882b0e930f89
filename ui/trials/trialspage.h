#pragma once

#include "client/engineclient.h"
#include "ui/models/trialfilterproxy.h"
#include "ui/models/trialtablemodel.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class EmptyView;

/// The trials of one sweep as a table.
class TrialsPage : public QWidget {
    Q_OBJECT

public:
    explicit TrialsPage(client::EngineClient *client, QWidget *parent = nullptr);

    void showSweep(qint64 sweepId);
    void selectTrial(int trialNumber);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);  ///< show all about it
    void liveRequested(qint64 sweepId, int trialNumber);
    void logsRequested(qint64 sweepId, int trialNumber);
    void trialSelected(qint64 sweepId, int trialNumber);  ///< the current row is another one
    void newSweepRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildTable();
    void buildFilters();
    void sweepsChanged();
    void trialsChanged(qint64 sweepId, int firstNumber, int lastNumber);
    void filterChanged();
    void updateShown();
    void fitColumns();   ///< to what is in them now
    void growColumns();  ///< those whose contents have become longer
    void showRowMenu(const QPoint &position);
    void showHeaderMenu(const QPoint &position);
    void copySelectedRows() const;
    QList<int> selectedRows() const;  ///< of the proxy, from the top
    const sweep::TrialRecord *currentTrial() const;

    client::EngineClient *m_client;
    TrialTableModel *m_model;
    TrialFilterProxy *m_proxy;
    QTableView *m_table;
    QLineEdit *m_filter;
    QComboBox *m_state;
    QLabel *m_count;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QTimer m_ticker;
    QTimer m_grow;
    std::set<int> m_sizedByHand;
    bool m_fitting = false;
    qint64 m_sweepId = 0;
};

}  // namespace sweepscope::ui
