#pragma once

#include "protocol/engineclient.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace sweepscope::ui {

class ComparisonModel;
class ElidedLabel;
class EmptyView;
class PictureSaver;
class TrialPlots;

/// Some trials of one sweep compared: their curves over each other, and beside them what differs.
class ComparisonPanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonPanel(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// At most mostTrials of them are shown.
    void showTrials(qint64 sweepId, std::vector<int> trials);
    /// Their records have changed.
    void refresh();
    const std::vector<int> &trials() const { return m_trials; }

    static constexpr std::size_t mostTrials = 12;

    /// The person wants to see nothing else.
    bool isAlone() const;
    /// Of the curves.
    PictureSaver *pictures() const;

Q_SIGNALS:
    void trialActivated(int trialNumber);
    void aloneChosen(bool alone);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void update();
    void arrange();
    void showSame();
    QWidget *buildHead();

    protocol::EngineClient *m_client;
    qint64 m_sweepId = 0;
    std::vector<int> m_trials;
    std::size_t m_leftOut = 0;
    TrialPlots *m_plots;
    ComparisonModel *m_model;
    QTableView *m_table;
    QLabel *m_note;
    ElidedLabel *m_same;
    QWidget *m_facts;            ///< what is the same, and what differs
    QToolButton *m_curves;       ///< where there is room for one of the two only
    QToolButton *m_differences;  ///< likewise
    QToolButton *m_alone;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QTimer m_update;  ///< many changes, one update
};

}  // namespace sweepscope::ui
