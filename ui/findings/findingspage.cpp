#include "ui/findings/findingspage.h"

#include "ui/base/emptyview.h"
#include "ui/base/noticebanner.h"
#include "ui/base/taborder.h"
#include "ui/examination/findingsmodel.h"
#include "ui/examination/findingwords.h"
#include "ui/examination/findingworker.h"
#include "ui/findings/failurespanel.h"
#include "ui/findings/findinggroups.h"
#include "ui/findings/findingssummary.h"
#include "ui/findings/findingtree.h"
#include "ui/findings/rulesmodel.h"
#include "ui/models/reasontext.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int ruleRow = 26;
constexpr int emptyHeight = 150;
constexpr int lineWidth = 1;

}  // namespace

FindingsPage::FindingsPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : EnginePage(client, selection, u"findings"_s, 250ms, parent),
      m_worker(new FindingWorker(this)),
      m_findings(new FindingsModel(this)),
      m_groups(new FindingGroups(m_findings, this)),
      m_rules(new RulesModel(this)),
      m_sortedRules(new QSortFilterProxyModel(this)),
      m_list(new FindingTree),
      m_table(new QTableView),
      m_summary(new ElidedLabel),
      m_progress(new QLabel),
      m_notice(new NoticeBanner),
      m_failures(new FailuresPanel),
      m_nothing(new EmptyView(u"findings"_s)),
      m_listStack(new QStackedWidget),
      m_splitter(new QSplitter(Qt::Vertical))
{
    setObjectName(u"findingsPage"_s);
    m_summary->setObjectName(u"findingsSummary"_s);
    setTextRole(m_summary, TextRole::Section);
    m_progress->setObjectName(u"findingsProgress"_s);
    m_progress->setForegroundRole(QPalette::PlaceholderText);
    buildFindings();
    setFirstForKeys(this, m_list);
    buildRules();
    QHBoxLayout *head = addRow();
    head->addWidget(m_summary, 1);
    head->addWidget(m_progress);
    m_splitter->addWidget(m_listStack);
    m_splitter->addWidget(m_table);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplit = true; });
    content()->addWidget(m_notice);
    content()->addWidget(m_failures);
    content()->addWidget(m_splitter, 1);
    connect(m_failures, &FailuresPanel::trialRequested, this,
            [this](int trial) { Q_EMIT trialActivated(m_sweepId, trial); });
    connect(m_failures, &FailuresPanel::logRequested, this,
            [this](int trial) { Q_EMIT logRequested(m_sweepId, trial); });
    connect(m_failures, &FailuresPanel::retryRequested, this, [this, client](const std::vector<int> &trials) {
        sweep::Control retry;
        retry.action = sweep::Control::Action::Retry;
        retry.trials = trials;
        client->control(m_sweepId, retry);
    });

    connect(m_worker, &FindingWorker::attemptExamined, this,
            [this](const std::shared_ptr<const ExaminedAttempt> &examined) {
                m_findings->setAttempt(*examined);
                m_rules->setAttempt(*examined);
                m_problems.erase(examined->trial);
                if (!examined->problem.empty())
                    m_problems[examined->trial] = examined->problem;
                showSummary();
                announceCount();
                chooseWanted();
            });
    m_fit.setSingleShot(true);
    m_fit.setInterval(0ms);
    connect(&m_fit, &QTimer::timeout, this, &FindingsPage::fitList);
    connect(m_list, &QTreeView::expanded, &m_fit, qOverload<>(&QTimer::start));
    connect(m_list, &QTreeView::collapsed, &m_fit, qOverload<>(&QTimer::start));
    m_follow.setSingleShot(true);
    m_follow.setInterval(1s);
    connect(&m_follow, &QTimer::timeout, this, [this] {
        if (!isVisible())
            follow();
    });
    const auto followLater = [this] {
        if (!isVisible() && !m_follow.isActive())
            m_follow.start();
    };
    connect(client, &protocol::EngineClient::trialsChanged, this, [this, followLater](qint64 changed) {
        if (changed == sweepId())
            followLater();
    });
    connect(selection, &SelectionModel::changed, this, [followLater](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            followLater();
    });
    m_worker->setBackground(true);
    m_worker->setActive(true);
    showNothing();
}

void FindingsPage::buildFindings()
{
    m_list->setObjectName(u"findingsList"_s);
    m_list->setAccessibleName(tr("Findings"));
    m_list->setModel(m_groups);
    connect(m_list, &FindingTree::findingChosen, this, [this](const QModelIndex &index) {
        Q_EMIT trialActivated(m_sweepId, index.data(FindingsModel::TrialRole).toInt());
    });
    m_nothing->setObjectName(u"nothingFound"_s);
    m_listStack->addWidget(m_nothing);
    m_listStack->addWidget(m_list);
}

void FindingsPage::buildRules()
{
    m_table->setObjectName(u"rulesTable"_s);
    m_table->setAccessibleName(tr("Rules and their results"));
    m_sortedRules->setSourceModel(m_rules);
    m_sortedRules->setSortRole(RulesModel::OrderRole);
    m_sortedRules->sort(RulesModel::Result);
    m_table->setModel(m_sortedRules);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setMinimumHeight(4 * ruleRow);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    followTextSize(m_table->verticalHeader(),
                   [header = m_table->verticalHeader()] { header->setDefaultSectionSize(textScaled(ruleRow)); });
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSectionResizeMode(RulesModel::Rule, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(RulesModel::Result, QHeaderView::ResizeToContents);
}

void FindingsPage::showSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    m_sweepId = sweepId;
    m_wanted.reset();
    m_problems.clear();
    m_diverged.clear();
    m_worker->clear();
    m_findings->clear();
    m_rules->clear();
}

void FindingsPage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refresh();
}

void FindingsPage::showFinding(const diagnosis::Finding &finding)
{
    m_wanted = finding;
    chooseWanted();
}

void FindingsPage::chooseWanted()
{
    const int row = m_wanted ? m_findings->rowOf(*m_wanted) : -1;
    if (row < 0)
        return;
    m_wanted.reset();
    m_list->setCurrentIndex(m_groups->indexOf(row));
    m_list->scrollTo(m_groups->indexOf(row));  // expands its group
    m_list->setFocus(Qt::OtherFocusReason);
}

void FindingsPage::showEvent(QShowEvent *event)
{
    EnginePage::showEvent(event);
    m_worker->setBackground(false);
}

void FindingsPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_worker->setBackground(true);
    m_wanted.reset();
}

void FindingsPage::resizeEvent(QResizeEvent *event)
{
    EnginePage::resizeEvent(event);
    m_failures->setRoom(height() / 3);
    m_fit.start();
}

/// Gives the list the height of its rows, and the rest to the rules. Where there is not enough for both, the list gets
/// two thirds.
void FindingsPage::fitList()
{
    if (m_isSplit || !isVisible())
        return;
    const int room = m_splitter->height() - m_splitter->handleWidth();
    const int rules = m_table->horizontalHeader()->height() + m_table->verticalHeader()->length() + 2 * lineWidth;
    const int findings = m_listStack->currentWidget() == m_list ? m_list->heightOfRows() : textScaled(emptyHeight);
    const int list =
        std::clamp(findings, std::min(room / 3, textScaled(emptyHeight)), std::max(room / 3, 2 * room / 3));
    m_splitter->setSizes({std::max(list, room - rules), std::min(room - list, rules)});
}

void FindingsPage::refresh()
{
    if (!isVisible())
        return;
    follow();
    if (!client()->sweep(m_sweepId) || m_worker->attempts() == 0) {
        showNothing();
        return;
    }
    showContent();
    showSummary();
}

/// Examines the selected sweep.
void FindingsPage::follow()
{
    showSweep(sweepId());
    showFailures();
    m_findings->setMachine(client()->allDevices());
    if (const sweep::SweepRecord *record = client()->sweep(m_sweepId)) {
        m_worker->setSweep({std::filesystem::path(client()->workspace().toStdString())}, *record);
        m_worker->setTrials(client()->trials(m_sweepId));
    }
    announceCount();
}

void FindingsPage::announceCount()
{
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    std::set<std::string> rules;
    std::set<int> diverged;
    for (int row = 0; row < m_findings->rowCount(); ++row) {
        const diagnosis::Finding &finding = m_findings->finding(row).finding;
        if (finding.severity != diagnosis::Severity::Note)
            rules.insert(finding.rule);
        const bool hasLostLoss = finding.rule == "not-finite" && finding.series.find("grad_norm") == std::string::npos;
        if (finding.rule != "diverged" && !hasLostLoss)
            continue;
        const auto trial = std::ranges::lower_bound(trials, finding.trial, {}, &sweep::TrialRecord::number);
        if (trial != trials.end() && trial->number == finding.trial && trial->attempts == finding.attempt)
            diverged.insert(finding.trial);
    }
    const int count = static_cast<int>(rules.size() + sweep::failureGroups(trials).size());
    if (std::exchange(m_count, count) != count)
        Q_EMIT countChanged(count);
    if (std::exchange(m_diverged, diverged) != diverged)
        Q_EMIT divergedChanged(m_sweepId, m_diverged);
}

/// Sweeps that are stopping, archived or without a program take no retry.
void FindingsPage::showFailures()
{
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    const bool mayRetry = record && !client()->isReadOnly() && client()->isConnected() && !record->archived
                          && record->state != sweep::SweepState::Stopping;
    const std::vector<sweep::FailureGroup> groups = sweep::failureGroups(client()->trials(m_sweepId));
    m_failures->showFailures(groups, mayRetry, record && !groups.empty() ? missingProgramText(*record) : QString());
}

void FindingsPage::showNothing()
{
    showEmpty(tr("No trials yet"),
              tr("Open or create a sweep and press Start. This page then reports slow ranks, starved data loaders, "
                 "throttled GPUs, loss spikes and more."),
              tr("New sweep"));
}

void FindingsPage::showSummary()
{
    FindingsSummary summary;
    summary.trials = static_cast<int>(client()->trials(m_sweepId).size());
    for (const sweep::FailureGroup &group : sweep::failureGroups(client()->trials(m_sweepId)))
        summary.failed += static_cast<int>(group.trials.size());
    for (int row = 0; row < m_findings->rowCount(); ++row) {
        const diagnosis::Finding &finding = m_findings->finding(row).finding;
        summary.found[finding.severity].insert(finding.trial);
    }
    m_summary->setText(summaryText(summary));
    const int examined = m_worker->examined();
    const int attempts = m_worker->attempts();
    QString progress = examined < attempts
                           ? tr("Checking attempts, newest first: %L1 of %L2").arg(examined).arg(attempts)
                       : attempts == 1 ? tr("1 attempt checked")
                                       : tr("%L1 attempts checked").arg(attempts);
    if (m_findings->isFull())
        progress += tr(" · newest %1 shown").arg(FindingsModel::mostRows);
    m_progress->setText(progress);
    QString problem;
    if (!m_problems.empty())
        problem =
            tr("Trial %1: %2").arg(m_problems.begin()->first).arg(QString::fromStdString(m_problems.begin()->second));
    if (m_problems.size() == 2)
        problem += tr(" (and 1 more trial)");
    else if (m_problems.size() > 2)
        problem += tr(" (and %1 more trials)").arg(m_problems.size() - 1);
    m_notice->setNotice(NoticeBanner::Kind::Problem, {}, problem);
    m_listStack->setCurrentIndex(m_findings->rowCount() > 0 ? 1 : 0);
    m_fit.start();
    const int blind = m_rules->blindRules();
    if (examined > 0 && static_cast<int>(m_problems.size()) >= examined) {
        m_nothing->setMessage(tr("Not checked"), tr("None of the attempts could be read."));
        return;
    }
    m_nothing->setMessage(examined == 0                   ? tr("Checking…")
                          : m_failures->isVisibleTo(this) ? tr("No other problems found")
                                                          : tr("No problems found"),
                          blind == 0 ? tr("All applicable rules had enough data.")
                                     : tr("Some rules need more data: see the table below."));
}

}  // namespace sweepscope::ui
