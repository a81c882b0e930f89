#include "ui/live/trialtiles.h"

#include "protocol/engineclient.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiledelegate.h"
#include "ui/models/reasontext.h"
#include "ui/plot/livedata.h"
#include "ui/plot/trialsource.h"
#include "ui/theme/palettes.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto watchInterval = 5s;
constexpr int curveColumns = 96;

}  // namespace

TrialTiles::TrialTiles(QWidget *parent)
    : QListView(parent),
      m_model(new RunningTrialsModel(this)),
      m_tile(new TrialTileDelegate(this)),
      m_data(new LiveData(this))
{
    setObjectName(QStringLiteral("trialTiles"));
    setAccessibleName(tr("Running trials"));
    setModel(m_model);
    setItemDelegate(m_tile);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setMovement(QListView::Static);
    setUniformItemSizes(true);
    setResizeMode(QListView::Fixed);  // arrange() does it
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QListView { border: none; background: transparent; }"));
    viewport()->setAttribute(Qt::WA_Hover);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    hide();

    m_data->setOverview();
    PlotRequest request;
    request.columns = curveColumns;
    m_data->setRequest(request);
    connect(m_data, &LiveData::frameReady, this,
            [this](const std::shared_ptr<const PlotFrame> &frame) { m_model->setFrame(*frame, wallNow()); });
    m_watch.setInterval(watchInterval);
    connect(&m_watch, &QTimer::timeout, this, [this] {
        if (!m_isCutOff)  // without a connection, silence says nothing about a trial
            m_model->setNow(wallNow());
    });
    connect(this, &QListView::clicked, this, &TrialTiles::choose);
    connect(this, &QListView::activated, this, &TrialTiles::choose);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &TrialTiles::arrange);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &TrialTiles::arrange);
    arrange();
}

void TrialTiles::setTrials(const protocol::EngineClient &client)
{
    m_isCutOff = client.isMirror() && !client.isConnected();
    std::vector<RunningTrial> running = runningTrials(
        client.sweeps(), [&client](std::int64_t id) -> const auto & { return client.trials(id); }, client.allDevices(),
        m_shown.sweepId);
    std::vector<TrialSource> sources;
    for (const RunningTrial &trial : running) {
        const sweep::SweepRecord *sweep = client.sweep(trial.trial.sweepId);
        const auto &records = client.trials(trial.trial.sweepId);
        const auto record = std::ranges::lower_bound(records, trial.trial.trial, {}, &sweep::TrialRecord::number);
        if (sweep && record != records.end() && record->attempts > 0)
            sources.push_back(sourceToShow(client, *sweep, *record));
    }
    const bool isActive =
        std::ranges::any_of(client.sweeps(), [](const auto &sweep) { return sweep::isActive(sweep.state); });
    const bool isPaused = std::ranges::any_of(
        client.sweeps(), [](const auto &sweep) { return sweep.state == sweep::SweepState::Paused; });
    const auto held = std::ranges::find_if(client.sweeps(), [](const auto &sweep) { return sweep.held.has_value(); });
    m_emptyText =
        isPaused ? tr("The sweep is paused. No trial is running.")
        : held != client.sweeps().end()
            ? tr("No trial is running. Trial %1: %2").arg(held->held->number).arg(reasonText(held->held->reason))
            : tr("No trial is running.");
    const bool none = running.empty();
    m_model->setTrials(std::move(running));
    if (sources.empty())
        m_data->clearSource();
    else
        m_data->setSources(sources);
    setVisible(isActive || !none);
    setShown(m_shown);
    if (none)
        viewport()->update();
}

void TrialTiles::setShown(const TrialChoice &trial)
{
    m_shown = trial;
    const int row = m_model->rowOf(trial);
    if (row == m_tile->shown() && (row < 0 || currentIndex().row() == row))
        return;
    m_tile->setShown(row);
    if (row >= 0)
        setCurrentIndex(m_model->index(row));
    m_reveals = row >= 0;
    viewport()->update();
    scheduleDelayedItemsLayout();
}

void TrialTiles::doItemsLayout()
{
    QListView::doItemsLayout();
    if (std::exchange(m_reveals, false))
        scrollTo(currentIndex());
}

void TrialTiles::setSeries(const QString &name)
{
    PlotRequest request = m_data->request();
    request.series = name;
    m_data->setRequest(request);
}

void TrialTiles::choose(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const TrialChoice trial = m_model->trial(index.row()).trial;
    setShown(trial);
    Q_EMIT trialChosen(trial.sweepId, trial.trial);
}

void TrialTiles::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex before = currentIndex();
    QListView::keyPressEvent(event);
    if (currentIndex() != before)
        choose(currentIndex());
}

void TrialTiles::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = byKey ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    const TrialChoice trial = m_model->trial(index.row()).trial;
    const QPoint place = byKey ? viewport()->mapToGlobal(visualRect(index).center()) : event->globalPos();
    Q_EMIT menuRequested(trial.sweepId, trial.trial, place);
}

/// Uses the largest tiles that all fit, in the fewest rows that the window has room for.
void TrialTiles::arrange()
{
    using Size = TrialTileDelegate::Size;
    const int room = window()->height();
    const int count = std::max(1, m_model->rowCount());
    const int scrollBar = verticalScrollBar()->sizeHint().width();
    for (const Size size : {Size::Large, Size::Small}) {
        const QSize least = TrialTileDelegate::smallest(size, fontMetrics());
        // Tiles get a share of the window.
        const int most = std::max(1, room * (size == Size::Large ? 16 : 12) / 100 / least.height());
        int across = std::max(1, width() / least.width());
        int rows = (count + across - 1) / across;
        if (rows > most && size == Size::Large)
            continue;
        const bool scrolls = rows > most;
        rows = std::min(rows, most);
        const int usable = width() - (scrolls ? scrollBar : 0);
        across = std::max(1, usable / least.width());
        const int extent = std::min(usable / across, least.width() * 4 / 3);
        m_tile->setTile(size, {extent, least.height()});
        m_height = rows * least.height();
        // ScrollBarAsNeeded would take the space of the last tile of a row.
        setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
        // A partly visible row shows that there are more.
        if (scrolls)
            m_height += least.height() / 2;
        break;
    }
    if (height() != m_height)
        updateGeometry();
    scheduleDelayedItemsLayout();
}

QSize TrialTiles::sizeHint() const
{
    return {200, m_height};
}

void TrialTiles::paintEvent(QPaintEvent *event)
{
    QListView::paintEvent(event);
    if (m_model->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(subtleTextColor(palette()));
    painter.drawText(viewport()->rect().adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_emptyText);
}

void TrialTiles::resizeEvent(QResizeEvent *event)
{
    QListView::resizeEvent(event);
    m_reveals = m_tile->shown() >= 0;
    arrange();
}

void TrialTiles::changeEvent(QEvent *event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrange();
}

void TrialTiles::showEvent(QShowEvent *event)
{
    QListView::showEvent(event);
    arrange();
    m_data->setActive(true);
    m_watch.start();
}

void TrialTiles::hideEvent(QHideEvent *event)
{
    QListView::hideEvent(event);
    m_data->setActive(false);
    m_watch.stop();
}

}  // namespace sweepscope::ui
