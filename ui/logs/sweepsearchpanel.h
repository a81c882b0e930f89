#pragma once

#include "ui/logs/sweepsearch.h"

#include <QWidget>

class QLabel;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class SweepHitsModel;
class SweepSearchJob;

/// Lists the lines of a search through all trials while they are found.
class SweepSearchPanel : public QWidget {
    Q_OBJECT

public:
    explicit SweepSearchPanel(QWidget *parent = nullptr);

    /// `isPartial`: only some of the logs are on this machine.
    void search(const SweepSearch &search, bool isPartial);
    /// Cancels the search and hides the panel.
    void close();

Q_SIGNALS:
    void hitChosen(const sweepscope::ui::SweepHit &hit);
    /// The number of lines found so far, and of the trials that have them.
    void counted(qint64 lines, int trials);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void layOutColumns();
    void stop();
    void showState();
    QString stateText() const;

    QLabel *m_text;
    QToolButton *m_stop;
    QTableView *m_table;
    SweepHitsModel *m_model;
    SweepSearchJob *m_job;
    SweepSearch m_search;
    SweepSearchState m_state;
    bool m_hasAttempts = false;
    bool m_isPartial = false;
    bool m_isStopped = false;
};

}  // namespace sweepscope::ui
