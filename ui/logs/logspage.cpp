#include "ui/logs/logspage.h"

#include "base/workspacelayout.h"
#include "ui/live/trialheader.h"
#include "ui/live/trialstepper.h"
#include "ui/logs/logview.h"
#include "ui/logs/triallog.h"
#include "ui/models/reasontext.h"
#include "ui/taborder.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
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

LogsPage::LogsPage(protocol::EngineClient *client, QSettings *settings, QWidget *parent)
    : EnginePage(client, QStringLiteral("logs"), 0ms, parent),
      m_stepper(new TrialStepper),
      m_stateIcon(new QLabel),
      m_title(new QLabel),
      m_cause(new QLabel),
      m_attempt(new QComboBox),
      m_log(new TrialLog)
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
    showEmpty(tr("No trial has run yet"),
              tr("Open a sweep or write one, and press Start: what its ranks write appears here."),
              tr("Define a sweep"));

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_stepper);
    head->addWidget(m_stateIcon);
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_attempt);
    content()->addLayout(head);
    content()->addWidget(m_cause);
    content()->addWidget(m_log, 1);
    setFirstForKeys(this, m_log->view());
    m_log->keepIn(settings);

    connect(m_stepper, &TrialStepper::trialChosen, this, [this](int number) {
        showTrial(m_shown.sweepId, number);
        Q_EMIT shownTrialChanged(m_shown.sweepId, number);
    });
    connect(m_attempt, &QComboBox::currentIndexChanged, this, &LogsPage::showChosenAttempt);
    refresh();
}

void LogsPage::showTrial(qint64 sweepId, int trialNumber)
{
    m_followNewest = trialNumber <= 0;
    if (trialNumber > 0)
        m_shown = {sweepId, trialNumber};
    m_refreshed = {};  // also of the same trial again: to the error
    refresh();
}

void LogsPage::refresh()
{
    if (m_followNewest)
        m_shown = newestTrial(
            client()->sweeps(), [this](std::int64_t id) -> const auto & { return client()->trials(id); }, m_shown);
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_shown.sweepId);
    const auto trial = std::find_if(trials.begin(), trials.end(), [this](const sweep::TrialRecord &record) {
        return record.number == m_shown.trial;
    });
    if (!sweep || trial == trials.end()) {
        showEmpty();
        m_log->showAttempt({}, 0);
        return;
    }
    showContent();
    m_stateIcon->setPixmap(stateIcon(trial->state).pixmap(spacing::iconSize, spacing::iconSize));
    m_stepper->setTrial(trial->number, sweep->trialsTotal, trials);
    m_title->setText(QStringLiteral("%1 · %2").arg(QString::fromStdString(sweep->name), stateText(trial->state)));
    m_title->setToolTip(parametersText(trial->parameters));
    m_cause->setText(reasonText(trial->reason));
    m_cause->setVisible(static_cast<bool>(trial->reason));
    const bool otherTrial = m_refreshed != m_shown;
    m_refreshed = m_shown;
    showAttempts(*trial, otherTrial);
    if (otherTrial)
        leadToError(*trial);
}

/// To the rank where it went wrong; of a trial where nothing did, away from where another one led.
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

void LogsPage::showAttempts(const sweep::TrialRecord &trial, bool otherTrial)
{
    const bool wasNewest = m_attempt->currentIndex() == m_attempt->count() - 1;
    if (otherTrial || m_attempts != trial.attempts) {
        m_attempts = trial.attempts;
        const int before = m_attempt->currentIndex();
        m_attempt->blockSignals(true);
        m_attempt->clear();
        for (int attempt = 1; attempt <= trial.attempts; ++attempt)
            m_attempt->addItem(tr("Attempt %1").arg(attempt), attempt);
        m_attempt->setCurrentIndex(otherTrial || wasNewest ? trial.attempts - 1 : before);
        m_attempt->blockSignals(false);
        m_attempt->setVisible(trial.attempts > 1);
    }
    showChosenAttempt();
}

void LogsPage::showChosenAttempt()
{
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_shown.sweepId);
    const auto trial = std::find_if(trials.begin(), trials.end(), [this](const sweep::TrialRecord &record) {
        return record.number == m_shown.trial;
    });
    if (!sweep || trial == trials.end() || m_attempt->currentIndex() < 0) {
        m_log->showAttempt({}, 0);
        return;
    }
    const WorkspaceLayout layout{std::filesystem::path(client()->workspace().toStdString())};
    m_log->showAttempt(layout.attempt(sweep->folder, trial->number, m_attempt->currentData().toInt()).folder,
                       trial->ranks);
}

}  // namespace sweepscope::ui
