#pragma once

#include "protocol/engineclient.h"
#include "ui/base/exportchoice.h"
#include "ui/models/trialrows.h"
#include "ui/models/trialtablemodel.h"

#include <QTimer>
#include <QWidget>

#include <set>

class QSettings;
class QSplitter;
class QStackedWidget;

namespace sweepscope::ui {

class ComparisonPanel;
class EmptyView;
class EnergyReader;
class PictureSaver;
class SelectionModel;
class TrialColumns;
class TrialFilterBar;
class TrialMarker;
class TrialTable;
class TrialUndo;

/// The trials of the selected sweep: controls that filter and group them, the table, and below it a comparison of the
/// selected rows. The current row is the selected trial. Updated while hidden, too, because exports use its filter and
/// selection.
class TrialsPage : public QWidget {
    Q_OBJECT

public:
    /// `settings` may be null; then nothing is stored.
    TrialsPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
               QWidget *parent = nullptr);

    /// Replaces the filter: by `text`, or by the numbers of these trials if the table lacks a column of it
    /// (TrialFilter::textFor).
    void setFilter(const QString &text, const std::vector<int> &trials);
    /// Marks the trials of a sweep that diverged according to findings, now and when it is shown.
    void setDiverged(qint64 sweepId, const std::set<int> &trials);
    /// Also undoes what other pages do to trials.
    TrialUndo *undo() const { return m_undo; }
    ExportScope exportScope() const;
    /// Of the comparison.
    PictureSaver *pictures() const;

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);  ///< opens the Overview page
    void liveRequested(qint64 sweepId, int trialNumber);
    void logsRequested(qint64 sweepId, int trialNumber);
    void newSweepRequested();
    void reported(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void connectParts();
    void showSweep(qint64 sweepId);
    void addKeys();
    void sweepsChanged();
    void trialsChanged(qint64 sweepId, int firstNumber, int lastNumber);
    void updateShown();
    void followFilter();
    void applyFilter();
    void compare();
    void showCurveColors();
    void arrangeComparison();
    QString settingsKey() const;

    void sortByCurrentColumn();
    void showRowMenu(const QPoint &position);
    void followBrush();
    void copySelectedRows() const;
    void keepForComparison();
    QString keptText(const std::vector<int> &trials, std::size_t before) const;

    protocol::EngineClient *m_client;
    SelectionModel *m_selection;
    TrialTableModel *m_model;
    TrialRows *m_rows;
    TrialTable *m_table;
    TrialColumns *m_columns;
    EnergyReader *m_energy;
    TrialFilterBar *m_bar;
    ComparisonPanel *m_comparison;
    TrialUndo *m_undo;
    TrialMarker *m_marker;
    QSplitter *m_splitter;
    QStackedWidget *m_stack;
    EmptyView *m_empty;
    QTimer m_ticker;
    QTimer m_hold;  ///< delays a filter that matches nothing while the user types
    QTimer m_grow;
    bool m_followsBrush = false;  ///< rows are selected, but not by the user
    qint64 m_sweepId = 0;
    qint64 m_divergedOf = 0;  ///< the sweep of m_diverged
    std::set<int> m_diverged;
    bool m_hasArranged = false;  ///< of the comparison
};

}  // namespace sweepscope::ui
