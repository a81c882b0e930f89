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

/// Compares some trials of a sweep: their curves in one plot, and next to it their differences.
class ComparisonPanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonPanel(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// Shows at most mostTrials of them.
    void showTrials(qint64 sweepId, std::vector<int> trials);
    /// Updates the page after a change of the records.
    void refresh();
    const std::vector<int> &trials() const { return m_trials; }

    static constexpr std::size_t mostTrials = 12;

    /// Whether the user has hidden everything else.
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
    QWidget *m_facts;            ///< common values and differences
    QToolButton *m_curves;       ///< if there is room for only one of the two
    QToolButton *m_differences;  ///< if there is room for only one of the two
    QToolButton *m_alone;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QTimer m_update;  ///< coalesces changes
};

}  // namespace sweepscope::ui
