#include "ui/timeline/timelinepage.h"

#include "ui/base/taborder.h"
#include "ui/base/trialheader.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/qcustomplotheader.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/textsize.h"
#include "ui/timeline/timelinedata.h"
#include "ui/timeline/timelineview.h"
#include "ui/timeline/waitingmodel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr double zoomStep = 1.6;
constexpr int waitingHeight = 150;
constexpr int waitingRow = 26;

}  // namespace

TimelinePage::TimelinePage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : EnginePage(client, selection, u"timeline"_s, 250ms, parent),
      m_data(new TimelineData(this)),
      m_view(new TimelineView),
      m_pictures(new PictureSaver(m_view,
                                  [view = m_view](const QString &title) {
                                      return titledSheet(*view, title, view->size(), [view](QCPPainter &painter) {
                                          view->paintPicture(&painter, view->size());
                                      });
                                  })),
      m_model(new WaitingModel(this)),
      m_waiting(new QTableView),
      m_summary(new QLabel),
      m_detail(new QLabel),
      m_fit(new QToolButton)
{
    setObjectName(u"timelinePage"_s);
    setFirstForKeys(this, m_view);
    buildWaiting();
    buildHead();
    addParts(Qt::Vertical, m_view, m_waiting, {3 * waitingHeight, waitingHeight});

    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, &TimelinePage::tick);
    connect(m_data, &TimelineData::spansChanged, this, &TimelinePage::updateView);
    connect(m_view, &TimelineView::attemptSelected, this, [this](int trial, int attempt) {
        this->selection()->set({m_sweepId, trial, attempt, false});
    });
    connect(m_view, &TimelineView::attemptActivated, this,
            [this](int trial) { Q_EMIT trialActivated(m_sweepId, trial); });
    m_view->setTrialText([this](int number) {
        const std::vector<sweep::TrialRecord> &trials = this->client()->trials(m_sweepId);
        const auto trial = std::ranges::find(trials, number, &sweep::TrialRecord::number);
        return trial == trials.end() ? QString() : parametersText(trial->parameters);
    });
    connect(m_view, &TimelineView::detailChanged, m_detail, &QLabel::setText);
    connect(m_view, &TimelineView::fittedChanged, m_fit, &QToolButton::setChecked);
    refresh();
}

void TimelinePage::buildHead()
{
    m_summary->setObjectName(u"timelineSummary"_s);
    m_detail->setObjectName(u"timelineDetail"_s);
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const auto button = [this](const QString &icon, const QString &name, double factor) {
        auto *tool = new QToolButton;
        tool->setIcon(symbolIcon(icon));
        tool->setToolTip(name);
        tool->setAccessibleName(name);
        connect(tool, &QToolButton::clicked, m_view, [this, factor] { m_view->zoom(factor); });
        return tool;
    };
    m_fit->setObjectName(u"timelineFit"_s);
    m_fit->setText(tr("Show all"));
    m_fit->setIcon(symbolIcon(u"fit"_s));
    m_fit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fit->setCheckable(true);
    m_fit->setChecked(true);
    m_fit->setToolTip(tr("Show the whole timeline. Zooming turns this off. (Home)"));
    connect(m_fit, &QToolButton::clicked, this, [this] {
        m_fit->setChecked(true);
        m_view->fit();
    });
    QHBoxLayout *head = addRow();
    head->addWidget(m_summary);
    head->addWidget(m_detail, 1);
    head->addWidget(button(u"zoom-out"_s, tr("Zoom out (−)"), 1 / zoomStep));
    head->addWidget(button(u"zoom-in"_s, tr("Zoom in (+, wheel, or drag over a range)"), zoomStep));
    head->addWidget(m_fit);
}

void TimelinePage::buildWaiting()
{
    m_waiting->setObjectName(u"waitingTrials"_s);
    m_waiting->setAccessibleName(tr("Queued and paused trials"));
    m_waiting->setModel(m_model);
    m_waiting->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_waiting->setSelectionMode(QAbstractItemView::SingleSelection);
    m_waiting->setShowGrid(false);
    m_waiting->setTabKeyNavigation(false);
    m_waiting->setMinimumHeight(3 * waitingRow);
    m_waiting->verticalHeader()->hide();
    m_waiting->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    followTextSize(m_waiting->verticalHeader(),
                   [header = m_waiting->verticalHeader()] { header->setDefaultSectionSize(textScaled(waitingRow)); });
    m_waiting->horizontalHeader()->setHighlightSections(false);
    m_waiting->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_waiting->setColumnWidth(WaitingModel::Trial, 170);
    m_waiting->setColumnWidth(WaitingModel::Parameters, 260);
    m_waiting->horizontalHeader()->setSectionResizeMode(WaitingModel::Why, QHeaderView::Stretch);
    connect(m_waiting, &QTableView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT trialActivated(m_sweepId, index.data(WaitingModel::NumberRole).toInt());
    });
    connect(m_waiting->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        if (!m_filling && row.isValid())
            selection()->selectTrial(m_sweepId, row.data(WaitingModel::NumberRole).toInt());
    });
}

void TimelinePage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refresh();
    else
        showSelected();
}

/// A waiting trial has no bar, but a row in the list.
void TimelinePage::showSelected()
{
    const Selection selected = selection()->current();
    const std::vector<sweep::TrialRecord> &trials = client()->trials(selected.sweepId);
    const auto trial = std::ranges::find(trials, selected.trial, &sweep::TrialRecord::number);
    const int newest = trial != trials.end() ? trial->attempts : 0;
    m_view->selectTrial(selected.trial, selected.attempt > 0 ? selected.attempt : newest);
    const QScopedValueRollback filling(m_filling, true);
    const QModelIndexList rows =
        m_model->match(m_model->index(0, 0), WaitingModel::NumberRole, selected.trial, 1, Qt::MatchExactly);
    if (rows.isEmpty())
        m_waiting->setCurrentIndex({});
    else if (rows.first().row() != m_waiting->currentIndex().row())
        m_waiting->setCurrentIndex(rows.first());
}

void TimelinePage::showEvent(QShowEvent *event)
{
    EnginePage::showEvent(event);
    m_tick.start();
}

void TimelinePage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
}

void TimelinePage::refresh()
{
    if (!isVisible())
        return;
    if (std::exchange(m_sweepId, sweepId()) != sweepId())
        m_view->fit();
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    if (record) {
        const QString name = QString::fromStdString(record->name);
        m_pictures->setTitle(tr("%1 · timeline").arg(name), tr("%1-timeline").arg(name));
        m_data->setSweep(client()->workspace(), *record);
        m_data->want(attemptsOnlyInFiles(client()->trials(m_sweepId)));
    }
    updateView();
}

void TimelinePage::updateView()
{
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    const bool begun = std::ranges::any_of(trials, [](const sweep::TrialRecord &trial) { return trial.attempts > 0; });
    if (!record || trials.empty()) {
        showEmpty(tr("No sweeps yet"),
                  tr("Open or create a sweep and press Start. This page then shows when and where its trials run."),
                  tr("New sweep"));
        return;
    }
    showContent();
    const WallNs end = record->ended.value_or(wallNow());
    std::vector<OtherUse> others;
    for (const sweep::SweepRecord &other : client()->sweeps()) {
        if (other.id != m_sweepId && other.created < end && other.ended.value_or(end) > record->created)
            addUses(other.id, client()->trials(other.id), record->created, end, others);
    }
    m_view->setTimeline(makeTimeline(trials, m_data->spans(), client()->allDevices(), end, others));
    {
        const QScopedValueRollback filling(m_filling, true);
        m_model->setTrials(trials);
    }
    showSelected();
    m_waiting->setVisible(m_model->rowCount() > 0);
    showSummary();
    if (!begun)
        m_summary->setText(tr("No trial has started yet"));
}

void TimelinePage::showSummary()
{
    const Timeline &timeline = m_view->timeline();
    int devices = 0;
    for (const TimelineRow &row : timeline.rows)
        devices += row.title.isEmpty() ? 0 : 1;
    const long busy = std::lround(100 * timeline.busy);
    const long other = std::min(100 - busy, std::lround(100 * timeline.other));
    const QString attempts = timeline.attempts == 1 ? tr("1 attempt") : tr("%L1 attempts").arg(timeline.attempts);
    const QString on = devices == 1 ? tr("1 device") : tr("%1 devices").arg(devices);
    QStringList parts{
        tr("%1 on %2").arg(attempts, on),
        other > 0 ? tr("busy %1%, used by other sweeps %2%, idle %3%").arg(busy).arg(other).arg(100 - busy - other)
                  : tr("busy %1%, idle %2%").arg(busy).arg(100 - busy)};
    if (const int queued = m_model->queued(); queued > 0)
        parts << tr("%L1 queued").arg(queued);
    if (const int paused = m_model->rowCount() - m_model->queued(); paused > 0)
        parts << tr("%L1 paused").arg(paused);
    m_summary->setText(parts.join(u" · "_s));
}

void TimelinePage::tick()
{
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    if (record && !record->ended && client()->isConnected())
        m_view->setNow(wallNow());
}

}  // namespace sweepscope::ui
