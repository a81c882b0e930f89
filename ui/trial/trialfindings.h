#pragma once

#include "diagnosis/finding.h"
#include "sweep/records.h"

#include <QWidget>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class ElidedLabel;
class FactsModel;
class FactTable;
class FindingsModel;
class FindingWorker;
struct ExaminedAttempt;

/// Findings of one trial, a line each. Examines the trial while visible.
class TrialFindings : public QWidget {
    Q_OBJECT

public:
    explicit TrialFindings(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// Call when files of the trial have come from another machine; showTrial() follows.
    void examineAgain();
    void showTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

Q_SIGNALS:
    void findingActivated(const sweepscope::diagnosis::Finding &finding);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void showExamined(const ExaminedAttempt &examined);
    void showRows();
    void showSummary();
    void fitHeight();

    protocol::EngineClient *m_client;
    FindingWorker *m_worker;
    FindingsModel *m_findings;
    FactsModel *m_rows;
    FactTable *m_table;
    ElidedLabel *m_summary;
    qint64 m_sweepId = 0;
    int m_trial = 0;
    int m_attempts = 0;
    bool m_hasFailed = false;
    int m_lastExamined = 0;                        ///< the newest attempt that was examined
    std::vector<diagnosis::RuleResult> m_results;  ///< of that attempt
    QString m_problem;                             ///< why its files cannot be read
};

}  // namespace sweepscope::ui
