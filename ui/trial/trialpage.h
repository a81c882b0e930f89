#pragma once

#include "diagnosis/finding.h"
#include "ui/base/enginepage.h"
#include "ui/plot/trialchoice.h"
#include "ui/trial/attemptfiles.h"

#include <QTimer>

class QLabel;

namespace sweepscope::ui {

class AttemptCurves;
class AttemptDetails;
class AttemptReader;
class EnergyReader;
class FactTable;
class FactsModel;
class NoticeBanner;
class PictureSaver;
class TrialActionBar;
class TrialFindings;
class TrialHeader;

/// Everything about the selected trial: parameters, metrics, history, the commands of its attempts, and why it ended.
class TrialPage : public EnginePage {
    Q_OBJECT

public:
    TrialPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

    /// Of the curves.
    PictureSaver *pictures() const;

Q_SIGNALS:
    void liveRequested(qint64 sweepId, int trialNumber);
    void logRequested(qint64 sweepId, int trialNumber);
    void findingRequested(const sweepscope::diagnosis::Finding &finding);  ///< of the selected sweep

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildBody();
    QWidget *buildFacts();
    void refresh() override;
    void requestHistory(const sweep::TrialRecord &trial);
    void showHistory(quint64 job, const sweep::TrialHistory &history);
    void readAttempt();
    void showEnergy();
    void showCurves(bool isReported);
    void showContents(const AttemptContents &contents);
    void showMetricsTitle(const std::vector<int> &reportingRanks);
    void showCause(const sweep::TrialRecord &trial);
    void showMark(const sweep::TrialRecord &trial);
    void clone();
    void goToClone();
    void openInFileManager(const QString &path) const;
    int shownAttempt() const;
    std::filesystem::path attemptFolder() const;
    const sweep::TrialRecord *record() const;

    TrialHeader *m_header;
    NoticeBanner *m_cause;
    QLabel *m_mark;
    TrialActionBar *m_actions;
    TrialFindings *m_findings;
    AttemptCurves *m_curves;
    FactsModel *m_parameters;
    QLabel *m_metricsTitle = nullptr;
    FactsModel *m_metrics;
    FactsModel *m_history;
    FactTable *m_historyTable = nullptr;
    AttemptDetails *m_attempt;
    AttemptReader *m_reader;
    EnergyReader *m_energy;
    QTimer m_tick;
    TrialChoice m_shown;   ///< the selected trial, once the page has been refreshed
    TrialChoice m_cloned;  ///< the trial that was cloned, until the clone is known
    int m_lastBefore = 0;  ///< the newest trial before that
    TrialChoice m_requestedFor;
    TrialChoice m_historyOf;         ///< the trial whose history is shown or requested
    sweep::TrialRecord m_requested;  ///< the record when its history was requested
    quint64 m_job = 0;
};

}  // namespace sweepscope::ui
