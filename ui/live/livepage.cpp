#include "ui/live/livepage.h"

#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "ui/base/emptyview.h"
#include "ui/base/noticebanner.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/base/trialheader.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiles.h"
#include "ui/models/devicewords.h"
#include "ui/models/missinglog.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepkey.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/trialplots.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {

using namespace std::chrono_literals;

LivePage::LivePage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_selection(selection),
      m_settings(settings),
      m_tiles(new TrialTiles),
      m_header(new TrialHeader),
      m_notice(new NoticeBanner),
      m_feedNotice(new NoticeBanner),
      m_missingNotice(new NoticeBanner),
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
    trialLayout->addWidget(m_plots, 1);
    m_plots->addBelowToolBar(m_notice);
    m_plots->addBelowToolBar(m_feedNotice);
    m_plots->addBelowToolBar(m_missingNotice);

    auto *empty = new EmptyView(QStringLiteral("live"));
    empty->setMessage(tr("No running trials yet"),
                      tr("Open or create a sweep, and press Start to see the curves of its trials here."),
                      tr("New sweep"));
    m_stack->addWidget(empty);
    m_stack->addWidget(trial);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(0ms);
    connect(&m_refresh, &QTimer::timeout, this, &LivePage::refresh);
    // A hidden page does not change the selection: another page may depend on it.
    const auto later = [this] {
        if (isVisible())
            m_refresh.start();
    };
    connect(client, &protocol::EngineClient::connected, this, later);
    connect(client, &protocol::EngineClient::disconnected, this, later);
    connect(client, &protocol::EngineClient::sweepsChanged, this, later);
    connect(client, &protocol::EngineClient::trialsChanged, this, later);
    connect(client, &protocol::EngineClient::devicesChanged, this, later);
    connect(selection, &SelectionModel::changed, this, [this] {
        if (isVisible())
            showSelected();
    });
    connect(m_tiles, &TrialTiles::trialChosen, selection, &SelectionModel::selectTrial);
    connect(m_tiles, &TrialTiles::menuRequested, this, &LivePage::menuRequested);
    connect(m_tiles->trialsModel(), &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &changed) {
        if (isVisible() && changed.row() == m_tiles->trialsModel()->rowOf(m_shown))
            showHeader();
    });
    connect(m_plots, &TrialPlots::seriesChanged, m_tiles, &TrialTiles::setSeries);
    connect(m_header, &TrialHeader::trialChosen, this, &LivePage::chooseInSweep);
    connect(m_header, &TrialHeader::followNewestChosen, this, [this](bool follows) {
        m_selection->setFollowsNewest(follows);
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
    connect(m_plots, &TrialPlots::missingBytesChanged, this, &LivePage::showMissing);
    connect(m_missingNotice, &NoticeBanner::actionClicked, this, &LivePage::fetchMissing);
    auto *toTiles = new QShortcut(Qt::Key_T, this);
    toTiles->setContext(Qt::WidgetWithChildrenShortcut);
    connect(toTiles, &QShortcut::activated, m_tiles, [this] { m_tiles->setFocus(Qt::ShortcutFocusReason); });
    refresh();
}

void LivePage::chooseInSweep(int trialNumber)
{
    const auto &trials = m_client->trials(m_shown.sweepId);
    if (!trials.empty())
        m_selection->selectTrial(m_shown.sweepId, std::clamp(trialNumber, trials.front().number, trials.back().number));
}

void LivePage::refresh()
{
    if (!followNewest())
        showSelected();
}

/// Returns whether it has selected another trial.
bool LivePage::followNewest()
{
    const Selection before = m_selection->current();
    // Keep what the user has zoomed into.
    if (!isVisible() || !before.followsNewest || (!m_plots->plot()->isFollowing() && before.trial != 0))
        return false;
    const TrialChoice newest =
        newestTrial(m_client->sweeps(), [this](std::int64_t id) -> const auto & { return m_client->trials(id); },
                    {before.sweepId, before.trial});
    if (newest.trial == 0 || newest == TrialChoice{before.sweepId, before.trial})
        return false;
    m_selection->set({newest.sweepId, newest.trial, 0, true});
    return m_selection->current() != before;
}

void LivePage::showSelected()
{
    const Selection selected = m_selection->current();
    m_shown = {selected.sweepId, selected.trial};
    m_header->setFollowingNewest(selected.followsNewest);
    m_tiles->setShown(m_shown);
    m_tiles->setTrials(*m_client);
    const sweep::SweepRecord *sweep = m_client->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_shown.sweepId);
    const auto trial = std::ranges::find(trials, m_shown.trial, &sweep::TrialRecord::number);
    if (!sweep || trial == trials.end()) {
        m_stack->setCurrentIndex(0);
        m_plots->clear();
        return;
    }
    m_plots->restore(m_settings, settingsKey(m_client->workspace(), *sweep));
    showHeader();
    showCurves(*sweep, *trial);
    showNotice(*trial);
    m_stack->setCurrentIndex(1);
}

/// With the step of the curves: the record is older, by a lot in a read-only window whose engine has ended.
void LivePage::showHeader()
{
    const sweep::SweepRecord *sweep = m_client->sweep(m_shown.sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_shown.sweepId);
    const auto found = std::ranges::find(trials, m_shown.trial, &sweep::TrialRecord::number);
    if (!sweep || found == trials.end())
        return;
    sweep::TrialRecord trial = *found;
    const RunningTrialsModel *running = m_tiles->trialsModel();
    if (const int row = running->rowOf(m_shown); row >= 0) {
        const std::int64_t step = running->trial(row).step();
        if (trial.step > 0)
            trial.progress =
                std::min(1.0, trial.progress * static_cast<double>(step) / static_cast<double>(trial.step));
        trial.step = step;
    }
    m_header->setTrial(*sweep, trial, trials);
}

void LivePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

PictureSaver *LivePage::pictures() const
{
    return m_plots->pictures();
}

std::optional<VisibleRange> LivePage::visibleRange() const
{
    const LivePlot *plot = m_plots->plot();
    const Selection selected = m_selection->current();
    const bool isShown = m_shown == TrialChoice{selected.sweepId, selected.trial};
    if (!isShown || plot->isFollowing() || plot->frame().main.id.isEmpty())
        return std::nullopt;
    return VisibleRange{plot->xScale() == XScale::Step, plot->xRange().lower, plot->xRange().upper};
}

void LivePage::showCurves(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    const QString name = QString::fromStdString(sweep.name);
    m_plots->pictures()->setTitle(
        tr("%1 · trial %2 · %3").arg(name).arg(trial.number).arg(parametersText(trial.parameters)),
        QStringLiteral("%1-trial-%2").arg(name).arg(trial.number));
    showPinned();
    if (trial.attempts == 0) {
        m_plots->clear();
        m_plots->setEmptyText(sweep::isFinal(trial.state)
                                  ? tr("This trial ended before it started.")
                                  : tr("This trial has not started. Its curves appear here when it runs."));
        return;
    }
    const bool hasReported = trial.step > 0 || trial.objectiveLast || !trial.metrics.empty();
    m_plots->setEmptyText(hasReported            ? tr("Loading values…")
                          : m_printed.size() > 1 ? tr("No values reported. The output contains %1: to plot them, "
                                                      "press “Plot them” above.")
                                                       .arg(m_printed.join(QStringLiteral(", ")))
                          : !m_printed.isEmpty() ? tr("No values reported. The output contains %1: to plot it, press "
                                                      "“Plot it” above.")
                                                       .arg(m_printed.front())
                          : sweep::isFinal(trial.state)
                              ? tr("This attempt reported no values. Check its log for the reason.")
                              : tr("Waiting for the first values…"));
    m_plots->showSource(sourceToShow(*m_client, sweep, trial));
}

void LivePage::setPrinted(const QStringList &metrics)
{
    m_printed = metrics;
    if (isVisible())
        showSelected();
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
            sources.push_back(sourceToShow(*m_client, *sweep, *trial));
    }
    m_plots->setPinned(sources);
}

/// Of curves on another machine that are long.
void LivePage::showMissing(qint64 bytes)
{
    const QString size = bytesText(static_cast<double>(bytes));
    if (bytes == 0)
        m_missingNotice->setNotice(NoticeBanner::Kind::Note, {}, {});
    else if (m_fetched.contains({m_shown.sweepId, m_shown.trial}))
        m_missingNotice->setNotice(NoticeBanner::Kind::Note, {},
                                   tr("Fetching all points of these curves: %1 left.").arg(size));
    else
        m_missingNotice->setNotice(
            NoticeBanner::Kind::Note, {},
            tr("These curves show only a sample of their points. Fetching all takes %1.").arg(size), tr("Fetch all"));
}

void LivePage::fetchMissing()
{
    const auto &trials = m_client->trials(m_shown.sweepId);
    const auto trial = std::ranges::find(trials, m_shown.trial, &sweep::TrialRecord::number);
    if (trial == trials.end())
        return;
    for (int attempt = std::max(sweep::chainOf(*trial).first, 1); attempt <= trial->attempts; ++attempt)
        m_client->look(m_shown.sweepId, m_shown.trial, attempt, true);
    m_fetched.emplace(m_shown.sweepId, m_shown.trial);
    m_missingNotice->setNotice(NoticeBanner::Kind::Note, {}, tr("Fetching all points of these curves…"));
}

void LivePage::showNotice(const sweep::TrialRecord &trial)
{
    const QString cause = reasonText(trial.reason);
    switch (trial.state) {
    case sweep::TrialState::Failed:
    case sweep::TrialState::Lost:
        m_notice->setNotice(NoticeBanner::Kind::Problem, stateIcon(trial.state),
                            cause.isEmpty() ? tr("The trial failed for an unknown reason.") : cause,
                            hasLog(trial) ? tr("Show log") : QString());
        break;
    case sweep::TrialState::Paused:
    case sweep::TrialState::Queued:
        m_notice->setNotice(NoticeBanner::Kind::Note, stateIcon(trial.state), cause);
        break;
    case sweep::TrialState::Pruned:
    case sweep::TrialState::Stopped:
        m_notice->setNotice(NoticeBanner::Kind::Note, stateIcon(trial.state), cause);
        break;
    case sweep::TrialState::Starting:
    case sweep::TrialState::Running:
        m_notice->setNotice(NoticeBanner::Kind::Note, {},
                            isUnreachable(trial.reason) || sweep::waitsAsJob(trial) ? cause : QString());
        break;
    case sweep::TrialState::Completed:
        m_notice->setNotice(NoticeBanner::Kind::Note, {}, {});
        break;
    }
}

}  // namespace sweepscope::ui
