#pragma once

#include "ui/base/enginepage.h"

#include "diagnosis/finding.h"

#include <QTimer>

#include <map>
#include <optional>
#include <set>
#include <string>

class QLabel;
class QSortFilterProxyModel;
class QSplitter;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace sweepscope::ui {

class ElidedLabel;
class EmptyView;
class FailuresPanel;
class FindingGroups;
class FindingsModel;
class FindingTree;
class FindingWorker;
class NoticeBanner;
class RulesModel;

/// Shows problems of the sweep's trials, including running ones, and what could not be decided.
class FindingsPage : public EnginePage {
    Q_OBJECT

public:
    FindingsPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

    /// Selects the finding in the list as soon as it is there.
    void showFinding(const diagnosis::Finding &finding);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    void logRequested(qint64 sweepId, int trialNumber);
    /// Of kinds of problems and warnings, and causes of failures, also while the page is hidden.
    void countChanged(int count);
    /// Trials whose last attempt diverged, also while the page is hidden.
    void divergedChanged(qint64 sweepId, const std::set<int> &trials);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildFindings();
    void buildRules();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    void showSweep(qint64 sweepId);
    void follow();
    void announceCount();
    void showFailures();
    void showSummary();
    void showNothing();
    void chooseWanted();
    void fitList();

    FindingWorker *m_worker;
    FindingsModel *m_findings;
    FindingGroups *m_groups;
    RulesModel *m_rules;
    QSortFilterProxyModel *m_sortedRules;  ///< those with findings first
    FindingTree *m_list;
    QTableView *m_table;
    ElidedLabel *m_summary;
    QLabel *m_progress;
    NoticeBanner *m_notice;
    FailuresPanel *m_failures;
    EmptyView *m_nothing;  ///< shown if attempts were examined without findings
    QStackedWidget *m_listStack;
    QSplitter *m_splitter;
    bool m_isSplit = false;                      ///< by the user
    QTimer m_fit;                                ///< after the layout of the list
    QTimer m_follow;                             ///< while hidden; coalesces messages
    int m_count = 0;                             ///< as announced
    std::set<int> m_diverged;                    ///< as announced
    qint64 m_sweepId = 0;                        ///< the shown sweep
    std::optional<diagnosis::Finding> m_wanted;  ///< to be selected
    std::map<int, std::string> m_problems;       ///< by trial: which of its files could not be read
};

}  // namespace sweepscope::ui
