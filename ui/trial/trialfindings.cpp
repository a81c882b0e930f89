#include "ui/trial/trialfindings.h"

#include "protocol/engineclient.h"
#include "ui/examination/findingsmodel.h"
#include "ui/examination/findingwords.h"
#include "ui/examination/findingworker.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/trial/facttable.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int mostRowsSeen = 3;  ///< the others scroll

}  // namespace

TrialFindings::TrialFindings(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_worker(new FindingWorker(this)),
      m_findings(new FindingsModel(this)),
      m_rows(new FactsModel({tr("Severity"), tr("Rule"), tr("Finding")}, 3, this)),
      m_table(new FactTable(u"trialFindings"_s, m_rows, 2, this)),
      m_summary(new ElidedLabel(this))
{
    m_table->setAccessibleName(tr("Findings"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->hide();
    m_table->setHorizontalScrollBarPolicy(
        Qt::ScrollBarAlwaysOff);  // the sentence is elided; the tooltip has the full text
    m_summary->setObjectName(u"trialFindingsSummary"_s);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    auto *title = new QLabel(tr("Findings"), this);
    setTextRole(title, TextRole::Emphasis);
    title->setBuddy(m_table);
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::medium);
    head->addWidget(title);
    head->addWidget(m_summary, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(head);
    layout->addWidget(m_table);
    const auto goTo = [this](const QModelIndex &index) {
        Q_EMIT findingActivated(m_findings->finding(index.row()).finding);
    };
    connect(m_table, &QTableView::clicked, this, goTo);
    connect(m_table, &QTableView::activated, this, goTo);
    connect(m_worker, &FindingWorker::attemptExamined, this,
            [this](const std::shared_ptr<const ExaminedAttempt> &examined) { showExamined(*examined); });
    followTextSize(this, [this] { fitHeight(); });
    showRows();
}

void TrialFindings::showTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    if (sweep.id != m_sweepId || trial.number != m_trial) {
        m_sweepId = sweep.id;
        m_trial = trial.number;
        m_lastExamined = 0;
        m_results.clear();
        m_problem.clear();
        m_worker->clearTrials();
        m_findings->clear();
    }
    m_attempts = trial.attempts;
    m_hasFailed = trial.state == sweep::TrialState::Failed || trial.state == sweep::TrialState::Lost;
    m_findings->setMachine(m_client->allDevices());
    m_worker->setSweep({std::filesystem::path(m_client->workspace().toStdString())}, sweep);
    m_worker->setTrials({trial});
    setVisible(m_attempts > 0);
    showRows();
}

void TrialFindings::examineAgain()
{
    m_lastExamined = 0;
    m_worker->clearTrials();
}

void TrialFindings::showExamined(const ExaminedAttempt &examined)
{
    m_findings->setAttempt(examined);
    if (examined.attempt >= m_lastExamined) {
        m_lastExamined = examined.attempt;
        m_results = examined.results;
        m_problem = QString::fromStdString(examined.problem);
    }
    showRows();
}

void TrialFindings::showRows()
{
    std::vector<Fact> rows;
    for (int row = 0; row < m_findings->rowCount(); ++row) {
        const ShownFinding &shown = m_findings->finding(row);
        const diagnosis::Finding &finding = shown.finding;
        const QString rule = ruleTitle(finding.rule);
        const QString sentence = QString::fromStdString(finding.sentence);
        rows.push_back({{severityText(finding.severity), finding.simulated ? tr("%1 · simulated").arg(rule) : rule,
                         m_attempts > 1 ? tr("Attempt %1: %2").arg(finding.attempt).arg(sentence) : sentence},
                        findingText(shown, m_findings->place(finding)),
                        severityIcon(finding.severity),
                        0,
                        {}});
    }
    m_rows->setFacts(std::move(rows));
    m_table->setVisible(m_rows->rowCount() > 0);
    fitHeight();
    showSummary();
}

void TrialFindings::showSummary()
{
    QStringList parts;
    QStringList details;
    const int found = m_rows->rowCount();
    if (m_lastExamined == 0)
        parts << tr("Checking…");
    else if (found == 0 && !m_results.empty())  // an imported attempt is not examined
        parts << (m_hasFailed ? tr("No other problems found")
                              : tr("No problems found"));  // the page says why it failed
    if (!m_problem.isEmpty())
        parts << m_problem;
    int blind = 0;
    int applicable = 0;
    for (const diagnosis::RuleResult &result : m_results) {
        applicable += result.verdict != diagnosis::Verdict::NotApplicable ? 1 : 0;
        if (result.verdict != diagnosis::Verdict::NotEnoughData)
            continue;
        ++blind;
        details << u"%1: %2"_s.arg(ruleTitle(result.rule), QString::fromStdString(result.missing));
    }
    if (blind > 0 && found == 0)
        parts << tr("not enough data for %1 of %2 rules").arg(blind).arg(applicable);
    m_summary->setText(parts.join(u" · "_s));
    if (!details.isEmpty())
        details.prepend(tr("Missing data:"));
    if (!m_problem.isEmpty())
        details.prepend(m_problem);
    m_summary->setToolTip(details.join(u'\n'));
}

void TrialFindings::fitHeight()
{
    const int rows = std::clamp(m_rows->rowCount(), 1, mostRowsSeen);
    m_table->setFixedHeight(rows * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth());
}

void TrialFindings::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_worker->setActive(true);
}

void TrialFindings::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_worker->setActive(false);
}

}  // namespace sweepscope::ui
