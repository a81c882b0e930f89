#include "ui/logs/logspage.h"

#include "base/workspacelayout.h"
#include "ui/base/taborder.h"
#include "ui/base/trialheader.h"
#include "ui/base/trialstepper.h"
#include "ui/logs/logview.h"
#include "ui/logs/sweepsearchpanel.h"
#include "ui/logs/triallog.h"
#include "ui/models/missinglog.h"
#include "ui/models/reasontext.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

bool wentWrong(const sweep::TrialRecord &trial)
{
    return trial.state == sweep::TrialState::Failed || trial.state == sweep::TrialState::Lost;
}

}  // namespace

LogsPage::LogsPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings, QWidget *parent)
    : EnginePage(client, selection, QStringLiteral("logs"), 0ms, parent),
      m_stepper(new TrialStepper),
      m_stateIcon(new IconLabel),
      m_title(new ElidedLabel),
      m_cause(new QLabel),
      m_attempt(new QComboBox),
      m_log(new TrialLog),
      m_found(new SweepSearchPanel)
{
    setObjectName(QStringLiteral("logsPage"));
    setTextRole(m_title, TextRole::Emphasis);
    m_title->setTextFormat(Qt::PlainText);
    m_cause->setTextFormat(Qt::PlainText);
    setTextRole(m_cause, TextRole::Small);
    m_cause->setWordWrap(true);
    m_cause->setForegroundRole(QPalette::PlaceholderText);
    m_attempt->setObjectName(QStringLiteral("attemptChooser"));
    m_attempt->setAccessibleName(tr("Attempt"));
    QHBoxLayout *head = addRow();
    head->addWidget(m_stepper);
    head->addWidget(m_stateIcon);
    head->addWidget(m_title, 1);
    head->addWidget(m_attempt);
    content()->addWidget(m_cause);
    auto *parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_log);
    parts->addWidget(m_found);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 1);
    content()->addWidget(parts, 1);
    setFirstForKeys(this, m_log->view());
    m_log->keepIn(settings);

    connect(m_stepper, &TrialStepper::trialChosen, this,
            [this](int number) { this->selection()->selectTrial(sweepId(), number); });
    connect(m_attempt, &QComboBox::activated, this, [this](int index) { this->selection()->selectAttempt(index + 1); });
    connect(m_found, &SweepSearchPanel::hitChosen, this, &LogsPage::openHit);
    connect(m_found, &SweepSearchPanel::counted, this, [this](qint64 lines, int trials) {
        const QString count = lines == 1 ? tr("1 line") : tr("%L1 lines").arg(lines);
        m_log->setFoundElsewhere(lines == 0    ? QString()
                                 : trials == 1 ? tr("%1 in 1 trial").arg(count)
                                               : tr("%1 in %L2 trials").arg(count).arg(trials));
    });
    refresh();
}

void LogsPage::addSearchAction(QAction *action)
{
    m_log->addSearchAction(action);
}

void LogsPage::searchAllTrials()
{
    const sweep::SweepRecord *sweep = client()->sweep(sweepId());
    if (!sweep)
        return;
    const auto pattern = m_log->pattern();
    if (!pattern) {
        m_log->askForAllTrials();
        return;
    }
    SweepSearch search;
    search.workspace = client()->workspace().toStdString();
    search.sweepFolder = sweep->folder;
    search.pattern = *pattern;
    for (const sweep::TrialRecord &trial : client()->trials(sweep->id))
        search.trials.push_back({trial.number, trial.attempts, trial.ranks});
    m_found->search(search, client()->isMirror());
}

void LogsPage::openHit(const SweepHit &hit)
{
    m_toOpen = hit;
    Selection wanted = selection()->current();
    wanted.trial = hit.trial;
    wanted.attempt = hit.attempt;
    wanted.followsNewest = false;
    selection()->set(wanted);
    refresh();
    m_toOpen.reset();
}

void LogsPage::showError()
{
    m_shownTrial = 0;
    if (isVisible())
        refresh();
}

void LogsPage::refresh()
{
    const Selection selected = selection()->current();
    const sweep::SweepRecord *sweep = client()->sweep(selected.sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(selected.sweepId);
    const auto trial = std::ranges::find(trials, selected.trial, &sweep::TrialRecord::number);
    if (!sweep || trial == trials.end()) {
        showNothing();
        return;
    }
    showContent();
    m_stateIcon->setIcon(stateIcon(*trial));
    m_stepper->setTrial(trial->number, sweep->trialsTotal, trials);
    m_title->setText(QStringLiteral("%1 · %2").arg(QString::fromStdString(sweep->name), stateText(*trial)));
    m_title->setToolTip(parametersText(trial->parameters));
    m_cause->setText(reasonText(trial->reason));
    m_cause->setVisible(static_cast<bool>(trial->reason));
    if (m_shownSweep != sweep->id) {
        m_found->close();
        if (m_shownSweep != 0)
            m_log->clearSearch();
    }
    const bool isOtherTrial = m_shownSweep != sweep->id || m_shownTrial != trial->number;
    m_shownSweep = sweep->id;
    m_shownTrial = trial->number;
    showAttempt(*sweep, *trial);
    if (m_toOpen && m_toOpen->trial == trial->number) {
        m_ledTo = {};
        m_log->openLine(m_toOpen->rank, m_toOpen->offset);
        m_toOpen.reset();
    } else if (isOtherTrial) {
        leadToError(*trial);
    }
}

void LogsPage::showNothing()
{
    if (client()->sweeps().empty())
        showEmpty(tr("No trials yet"),
                  tr("Open or create a sweep and press Start. The output of its ranks appears here."), tr("New sweep"));
    else
        showEmpty(
            tr("No trial selected"),
            tr("Select a sweep in the sidebar and a trial on the Trials page. The output of its ranks appears here."));
    m_log->showAttempt({}, 0);
}

/// Shows the rank where a failed trial went wrong; for other trials, returns from the rank that another error led to.
void LogsPage::leadToError(const sweep::TrialRecord &trial)
{
    const QVariant before = m_log->chooser()->currentData();
    const QVariant led = std::exchange(m_ledTo, {});
    if (wentWrong(trial)) {
        m_log->chooseRank(facts::rankIn(trial.reason).value_or(-1));
        m_log->jumpToFirstError();
        if (m_log->chooser()->currentData() != before || led.isValid())
            m_ledTo = m_log->chooser()->currentData();
    } else if (led.isValid() && before == led) {
        m_log->chooseRank(-1);
    }
}

void LogsPage::showAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    if (m_attempt->count() != trial.attempts) {
        m_attempt->clear();
        for (int attempt = 1; attempt <= trial.attempts; ++attempt)
            m_attempt->addItem(tr("Attempt %1").arg(attempt), attempt);
        m_attempt->setVisible(trial.attempts > 1);
    }
    const int selected = selection()->current().attempt;
    const int attempt = selected > 0 ? selected : trial.attempts;
    m_attempt->setCurrentIndex(attempt - 1);
    m_log->setEmptyText(emptyLogText(trial, attempt));
    if (attempt == 0) {
        m_log->showAttempt({}, 0);
        return;
    }
    client()->look(sweep.id, trial.number, attempt);
    const WorkspaceLayout layout{std::filesystem::path(client()->workspace().toStdString())};
    m_log->showAttempt(layout.attempt(sweep.folder, trial.number, attempt).folder, trial.ranks);
}

}  // namespace sweepscope::ui
