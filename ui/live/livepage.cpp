#include "ui/live/livepage.h"

#include "ui/home/emptyview.h"
#include "ui/live/liveplot.h"
#include "ui/live/noticebanner.h"
#include "ui/live/picturesaver.h"
#include "ui/live/trialheader.h"
#include "ui/live/trialplots.h"
#include "ui/live/trialtiles.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepkey.h"
#include "ui/taborder.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

LivePage::LivePage(protocol::EngineClient *client, QSettings *settings, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_settings(settings),
      m_tiles(new TrialTiles),
      m_header(new TrialHeader),
      m_notice(new NoticeBanner),
      m_feedNotice(new NoticeBanner),
      m_plots(new TrialPlots),
      m_stack(new QStackedWidget)
{
    setObjectName(QStringLiteral("livePage"));
    setFirstForKeys(this, m_plots->plot());
    auto *trial = new QWidget;
    auto *trialLayout = new QVBoxLayout(trial);
    trialLayout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    trialLayout->setSpacing(spacing::small);
    trialLayout->addWidget(m_tiles);
    trialLayout->addWidget(m_header);
    trialLayout->addWidget(m_notice);
    trialLayout->addWidget(m_feedNotice);
    trialLayout->addWidget(m_plots, 1);

    auto *empty = new EmptyView(QStringLiteral("live"));
    empty->setMessage(tr("No trial is running yet"),
                      tr("Open a sweep or write one, and press Start: the curves of its trials appear here."),
                      tr("Define a sweep"));
    m_stack->addWidget(empty);
    m_stack->addWidget(trial);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(0ms);
    connect(&m_refresh, &QTimer::timeout, this, &LivePage::refresh);
    // Nobody who reads another page is taken to the newest trial.
    const auto later = [this] {
        if (isVisible())
            m_refresh.start();
    };
    connect(client, &protocol::EngineClient::connected, this, later);
    connect(client, &protocol::EngineClient::sweepsChanged, this, later);
    connect(client, &protocol::EngineClient::trialsChanged, this, later);
    connect(client, &protocol::EngineClient::devicesChanged, this, later);
    connect(m_tiles, &TrialTiles::trialChosen, this, &LivePage::choose);
    connect(m_tiles, &TrialTiles::menuRequested, this, &LivePage::menuRequested);
    connect(m_plots, &TrialPlots::seriesChanged, m_tiles, &TrialTiles::setSeries);
    connect(m_header, &TrialHeader::trialChosen, this, &LivePage::chooseInSweep);
    connect(m_header, &TrialHeader::followNewestChosen, this, [this](bool follow) {
        m_followNewest = follow;
        refresh();
    });
    connect(m_header, &TrialHeader::detailsRequested, this,
            [this] { Q_EMIT detailsRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_notice, &NoticeBanner::actionClicked, this,
            [this] { Q_EMIT logRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_plots->plot(), &LivePlot::followingChanged, this, later);
    connect(m_plots, &TrialPlots::pinnedChanged, this, &LivePage::showPinned);
    connect(m_plots, &TrialPlots::problemChanged, this,
            [this](const QString &problem) { m_feedNotice->setNotice(NoticeBanner::Kind::Problem, {}, problem); });
    auto *toTiles = new QShortcut(Qt::Key_T, this);
    toTiles->setContext(Qt::WidgetWithChildrenShortcut);
    connect(toTiles, &QShortcut::activated, m_tiles, [this] { m_tiles->setFocus(Qt::ShortcutFocusReason); });
    refresh();
}

void LivePage::showTrial(qint64 sweepId, int trialNumber)
{
    if (trialNumber > 0)
        m_told = {sweepId, trialNumber};
    choose(sweepId, trialNumber);
}

/// Whoever follows what is shown is told.
void LivePage::choose(qint64 sweepId, int trialNumber)
{
    m_followNewest = trialNumber <= 0;
    if (trialNumber > 0)
        m_shown = {sweepId, trialNumber};
    refresh();
}

void LivePage::chooseInSweep(int trialNumber)
{
    const auto &trials = m_client->trials(m_shown.sweepId);
    if (trials.empty())
        return;
    choose(m_shown.sweepId, std::clamp(trialNumber, trials.front().number, trials.back().number));
}

void LivePage::refresh()
{
    // What the person has zoomed into stays.
    if (m_followNewest && (m_plots->plot()->isFollowing() || m_shown == TrialChoice()))
        m_shown = newestTrial(
            m_client->sweeps(), [this](std::int64_t id) -> const auto & { return m_client->trials(id); }, m_shown);
    m_header->setFollowingNewest(m_followNewest);
    m_tiles->setShown(m_shown);
    m_tiles->setTrials(*m_client);
    const sweep::SweepRecord *sweep = m_client->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_shown.sweepId);
    const auto trial = std::find_if(trials.begin(), trials.end(), [this](const sweep::TrialRecord &record) {
        return record.number == m_shown.trial;
    });
    if (!sweep || trial == trials.end()) {
        m_stack->setCurrentIndex(0);
        m_plots->clear();
        return;
    }
    m_plots->restore(m_settings, settingsKey(m_client->workspace(), *sweep));
    m_header->setTrial(*sweep, *trial, trials);
    showChosen(*sweep, *trial);
    showNotice(*trial);
    m_stack->setCurrentIndex(1);
    if (std::exchange(m_told, m_shown) != m_shown)
        Q_EMIT shownTrialChanged(m_shown.sweepId, m_shown.trial);
}

void LivePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_refresh.start();
}

PictureSaver *LivePage::pictures() const
{
    return m_plots->pictures();
}

std::optional<VisibleRange> LivePage::visibleRange() const
{
    const LivePlot *plot = m_plots->plot();
    if (plot->isFollowing() || plot->frame().main.id.isEmpty())
        return std::nullopt;
    return VisibleRange{plot->xScale() == XScale::Step, plot->xRange().lower, plot->xRange().upper};
}

void LivePage::showChosen(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    const QString name = QString::fromStdString(sweep.name);
    m_plots->pictures()->setTitle(
        tr("%1 · trial %2 · %3").arg(name).arg(trial.number).arg(parametersText(trial.parameters)),
        QStringLiteral("%1-trial-%2").arg(name).arg(trial.number));
    showPinned();
    if (trial.attempts == 0) {
        m_plots->clear();
        m_plots->setEmptyText(tr("This trial has not started. Its curves appear here as soon as it runs."));
        return;
    }
    const bool hasReported = trial.step > 0 || trial.objectiveLast || !trial.metrics.empty();
    m_plots->setEmptyText(hasReported                   ? tr("Reading its values …")
                          : sweep::isFinal(trial.state) ? tr("This attempt reported no values. Its log may say why.")
                                                        : tr("Waiting for the first values …"));
    m_plots->showSource(trialSource(m_client->workspace(), sweep, trial, m_client->devices()));
}

void LivePage::showPinned()
{
    std::vector<TrialSource> sources;
    for (const TrialChoice &pinned : m_plots->pinnedTrials()) {
        const sweep::SweepRecord *sweep = m_client->sweep(pinned.sweepId);
        const auto &trials = m_client->trials(pinned.sweepId);
        const auto trial =
            std::ranges::find_if(trials, [&pinned](const auto &record) { return record.number == pinned.trial; });
        if (sweep && trial != trials.end() && trial->attempts > 0)
            sources.push_back(trialSource(m_client->workspace(), *sweep, *trial, m_client->devices()));
    }
    m_plots->setPinned(sources);
}

void LivePage::showNotice(const sweep::TrialRecord &trial)
{
    const QString cause = reasonText(trial.reason);
    switch (trial.state) {
    case sweep::TrialState::Failed:
    case sweep::TrialState::Lost:
        m_notice->setNotice(NoticeBanner::Kind::Problem, stateIcon(trial.state),
                            cause.isEmpty() ? tr("The trial failed; no cause is known.") : cause, tr("Show log"));
        break;
    case sweep::TrialState::Paused:
    case sweep::TrialState::Waiting:
        m_notice->setNotice(NoticeBanner::Kind::Note, stateIcon(trial.state), cause);
        break;
    case sweep::TrialState::Pruned:
    case sweep::TrialState::Stopped:
        m_notice->setNotice(NoticeBanner::Kind::Note, stateIcon(trial.state), cause);
        break;
    case sweep::TrialState::Starting:
    case sweep::TrialState::Running:
    case sweep::TrialState::Completed:
        m_notice->setNotice(NoticeBanner::Kind::Note, {}, {});
        break;
    }
}

}  // namespace sweepscope::ui
