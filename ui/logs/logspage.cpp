#include "ui/logs/logspage.h"

#include "base/workspacelayout.h"
#include "ui/home/emptyview.h"
#include "ui/live/trialheader.h"
#include "ui/logs/triallog.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

bool wentWrong(const sweep::TrialRecord &trial)
{
    return trial.state == sweep::TrialState::Failed || trial.state == sweep::TrialState::Lost;
}

/// The rank that a cause names, or -1.
int rankIn(const std::string &cause)
{
    static const QRegularExpression pattern(QStringLiteral("\\b[Rr]ank (\\d{1,5})\\b"));
    const QRegularExpressionMatch match = pattern.match(QString::fromStdString(cause));
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

}  // namespace

LogsPage::LogsPage(client::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_stack(new QStackedWidget),
      m_stateIcon(new QLabel),
      m_title(new QLabel),
      m_cause(new QLabel),
      m_attempt(new QComboBox),
      m_log(new TrialLog)
{
    m_title->setFont(emphasisFont(font()));
    m_title->setTextFormat(Qt::PlainText);
    m_cause->setTextFormat(Qt::PlainText);
    m_cause->setFont(smallFont(font()));
    m_cause->setWordWrap(true);
    m_cause->setForegroundRole(QPalette::PlaceholderText);
    m_attempt->setObjectName(QStringLiteral("attemptChooser"));
    m_attempt->setAccessibleName(tr("Attempt"));
    auto *empty = new EmptyView(QStringLiteral("logs"));
    empty->setMessage(tr("No trial has run yet"),
                      tr("Open a sweep or write one, and press Start: what its ranks write appears here."));

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_stateIcon);
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_attempt);
    auto *page = new QWidget;
    auto *pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    pageLayout->setSpacing(spacing::small);
    pageLayout->addLayout(head);
    pageLayout->addWidget(m_cause);
    pageLayout->addWidget(m_log, 1);
    m_stack->addWidget(empty);
    m_stack->addWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(0ms);
    connect(&m_refresh, &QTimer::timeout, this, &LogsPage::refresh);
    const auto later = [this] { m_refresh.start(); };
    connect(client, &client::EngineClient::connected, this, later);
    connect(client, &client::EngineClient::sweepsChanged, this, later);
    connect(client, &client::EngineClient::trialsChanged, this, later);
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
            m_client->sweeps(), [this](std::int64_t id) -> const auto & { return m_client->trials(id); }, m_shown);
    const sweep::SweepRecord *sweep = m_client->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_shown.sweepId);
    const auto trial = std::find_if(trials.begin(), trials.end(), [this](const sweep::TrialRecord &record) {
        return record.number == m_shown.trial;
    });
    if (!sweep || trial == trials.end()) {
        m_stack->setCurrentIndex(0);
        m_log->showAttempt({}, 0);
        return;
    }
    m_stack->setCurrentIndex(1);
    m_stateIcon->setPixmap(stateIcon(trial->state).pixmap(spacing::iconSize, spacing::iconSize));
    m_title->setText(
        tr("Trial %1 of %2 · %3").arg(trial->number).arg(QString::fromStdString(sweep->name), stateText(trial->state)));
    m_title->setToolTip(parametersText(trial->parameters));
    m_cause->setText(QString::fromStdString(trial->cause));
    m_cause->setVisible(!trial->cause.empty());
    const bool otherTrial = m_refreshed != m_shown;
    m_refreshed = m_shown;
    showAttempts(*trial, otherTrial);
    if (otherTrial && wentWrong(*trial)) {
        m_log->chooseRank(rankIn(trial->cause));
        m_log->jumpToFirstError();
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
    const sweep::SweepRecord *sweep = m_client->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_shown.sweepId);
    const auto trial = std::find_if(trials.begin(), trials.end(), [this](const sweep::TrialRecord &record) {
        return record.number == m_shown.trial;
    });
    if (!sweep || trial == trials.end() || m_attempt->currentIndex() < 0) {
        m_log->showAttempt({}, 0);
        return;
    }
    const WorkspaceLayout layout{std::filesystem::path(m_client->workspace().toStdString())};
    m_log->showAttempt(layout.attempt(sweep->folder, trial->number, m_attempt->currentData().toInt()).folder,
                       trial->ranks);
}

}  // namespace sweepscope::ui
