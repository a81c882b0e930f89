#include "ui/analysis/analysispage.h"

#include "sweep/sweepfile.h"
#include "ui/analysis/comparedsweeps.h"
#include "ui/analysis/frontpanel.h"
#include "ui/analysis/importancepanel.h"
#include "ui/analysis/mappanel.h"
#include "ui/analysis/parallelview.h"
#include "ui/analysis/plotcard.h"
#include "ui/analysis/pruningpanel.h"
#include "ui/analysis/rungsplot.h"
#include "ui/analysis/scattercontent.h"
#include "ui/analysis/surrogatejob.h"
#include "ui/analysis/targetchooser.h"
#include "ui/analysis/trialscatter.h"
#include "ui/base/emptyview.h"
#include "ui/base/taborder.h"
#include "ui/models/newestjob.h"
#include "ui/models/sweepkey.h"
#include "ui/models/sweepsummary.h"
#include "ui/models/valuetext.h"
#include "ui/plot/picturesaver.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto pointsDelay = 40ms;

constexpr int besideChosen = 100;  ///< pixels visible on both sides of the selected axis

}  // namespace

AnalysisPage::AnalysisPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
                           QWidget *parent)
    : EnginePage(client, selection, u"analysis"_s, 300ms, parent),
      m_settings(settings),
      m_job(new NewestJob(0ms, this)),
      m_surrogate(new SurrogateJob(this))
{
    setObjectName(u"analysisPage"_s);
    build();
    m_showPoints.setSingleShot(true);
    m_showPoints.setInterval(pointsDelay);
    connect(&m_showPoints, &QTimer::timeout, this, &AnalysisPage::showPoints);
    connectPlots();
    addPictures();
    setFirstForKeys(this, m_parallel);
    refresh();
}

AnalysisPage::~AnalysisPage()
{
    keepRanges();
}

void AnalysisPage::build()
{
    m_target = new TargetChooser;
    m_log = new QCheckBox;
    m_summary = new ElidedLabel;
    m_clear = new QPushButton(tr("Clear ranges"));
    m_show = new QPushButton(tr("Show in Trials"));
    m_parallel = new ParallelView;
    m_importance = new ImportancePanel;
    m_parameter = new QComboBox;
    m_slice = new TrialScatter(u"slicePlot"_s);
    m_map = new MapPanel;
    m_parameterCard = addCard();
    m_history = new TrialScatter(u"historyPlot"_s);
    m_distribution = new TrialScatter(u"distributionPlot"_s);
    m_compared = new ComparedSweeps;
    m_distribution->setAccessibleName(tr("Distribution of the values"));
    m_slice->setAccessibleName(tr("Value by selected parameter"));
    m_history->setAccessibleName(tr("Values by finish time, best value so far, and random search"));
    m_pruning = new PruningPanel;
    m_front = new FrontPanel;
    m_hypervolume = new TrialScatter(u"hypervolumePlot"_s);
    m_hypervolume->setAccessibleName(tr("Hypervolume by finish time"));
    m_progressCard = addCard();
    m_parallelCard = addCard();
    m_noValues = new EmptyView(u"analysis"_s);
    m_plots = new QStackedWidget;
    m_plots->addWidget(buildPlots());
    m_plots->addWidget(m_noValues);
    content()->addWidget(buildHead());
    content()->addWidget(m_plots, 1);
}

PlotCard *AnalysisPage::addCard()
{
    auto *card = new PlotCard;
    m_cards.push_back(card);
    connect(card, &PlotCard::maximizeToggled, this, [this, card](bool isMaximized) { maximize(card, isMaximized); });
    return card;
}

/// Shows one card or all.
void AnalysisPage::maximize(const PlotCard *card, bool isMaximized)
{
    for (PlotCard *other : m_cards)
        other->setVisible(!isMaximized || other == card);
    m_below->setVisible(!isMaximized || card != m_parallelCard);
}

/// Acts on the card with the keyboard focus, or restores the one that is maximized.
void AnalysisPage::toggleMaximized()
{
    const auto hasFocus = [](const PlotCard *card) { return card->isAncestorOf(QApplication::focusWidget()); };
    auto found = std::ranges::find_if(m_cards, &PlotCard::isMaximized);
    if (found == m_cards.end())
        found = std::ranges::find_if(m_cards, hasFocus);
    if (found != m_cards.end())
        (*found)->setMaximized(!(*found)->isMaximized());
}

QWidget *AnalysisPage::buildHead()
{
    m_log->setObjectName(u"analysisLog"_s);
    m_log->setText(tr("Log scale"));
    m_log->setToolTip(tr("Logarithmic value axis; needs values above 0 (L)"));
    m_log->setAccessibleName(tr("Logarithmic value axis"));
    m_summary->setObjectName(u"analysisSummary"_s);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_clear->setObjectName(u"analysisClear"_s);
    m_clear->setToolTip(tr("Show all trials (Esc)"));
    m_clear->hide();
    m_show->setObjectName(u"analysisShowTrials"_s);
    m_show->setIcon(symbolIcon(u"trials"_s));
    m_show->setToolTip(
        tr("Show the trials within the selected ranges in the table. To select a range, drag along an axis."));
    m_show->setEnabled(false);
    auto *head = new QWidget;
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_target);
    layout->addWidget(m_log);
    layout->addWidget(m_summary, 1);
    layout->addWidget(m_clear);
    layout->addWidget(m_show);
    return head;
}

QWidget *AnalysisPage::buildPlots()
{
    QScrollArea *scroll = m_parallelArea = new QScrollArea;  // for many axes in a narrow window
    scroll->setObjectName(u"parallelArea"_s);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_parallel);
    followTextSize(scroll, [this, scroll] {
        scroll->setMinimumHeight(m_parallel->minimumSizeHint().height()
                                 + scroll->horizontalScrollBar()->sizeHint().height());
    });
    m_parameter->setObjectName(u"sliceParameter"_s);
    m_parameter->setAccessibleName(tr("Slice parameter"));
    m_parameter->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    QSplitter *below = m_below = new QSplitter(Qt::Horizontal);
    below->setProperty("quiet", true);
    m_parameterCard->addPlot(tr("Slice"), m_slice, m_parameter);
    m_parameterCard->addPlot(tr("Map"), m_map);
    m_parameterCard->tabs()->setObjectName(u"parameterTabs"_s);
    m_parameterCard->tabs()->setTabToolTip(0, tr("Values over one parameter"));
    m_parameterCard->tabs()->setTabToolTip(1, tr("Measured or predicted values over two parameters"));
    PlotCard *importance = addCard();
    importance->addPlot(tr("Importance"), m_importance);
    below->addWidget(importance);
    below->addWidget(m_parameterCard);
    m_progressCard->addPlot(tr("History"), m_history);
    m_progressCard->addPlot(tr("EDF"), m_distribution, m_compared);
    m_progressCard->addPlot(tr("Pruning"), m_pruning);
    m_progressCard->addPlot(tr("Pareto front"), m_front);
    m_progressCard->addPlot(tr("Hypervolume"), m_hypervolume);
    m_progressCard->tabs()->setTabToolTip(1,
                                          tr("Empirical distribution function: the share of completed trials at or "
                                             "below each value, compared with other sweeps with the same objective"));
    for (QWidget *plot : std::initializer_list<QWidget *>{m_pruning, m_front, m_hypervolume})
        m_progressCard->setPlotShown(plot, false);
    m_progressCard->tabs()->setObjectName(u"progressTabs"_s);
    below->addWidget(m_progressCard);
    auto *all = new QSplitter(Qt::Vertical);
    all->setProperty("quiet", true);
    m_parallelCard->addPlot(tr("Parallel coordinates"), scroll);
    all->addWidget(m_parallelCard);
    all->addWidget(below);
    for (QSplitter *splitter : {below, all}) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(spacing::medium);
        for (int i = 0; i < splitter->count(); ++i)
            splitter->setStretchFactor(i, 1);
    }
    below->setSizes({300, 360, 360});
    all->setSizes({360, 300});
    auto *room = new QScrollArea;  // for large text in a low window
    room->setObjectName(u"analysisArea"_s);
    room->setFrameShape(QFrame::NoFrame);
    room->setWidgetResizable(true);
    room->setFocusPolicy(Qt::NoFocus);
    room->setWidget(all);
    return room;
}

void AnalysisPage::connectPlots()
{
    connect(m_target, &TargetChooser::targetChosen, this, [this] {
        m_parallel->clearRanges();
        keep();
        refresh();
    });
    connect(m_target, &TargetChooser::goalChosen, this, [this] {
        keep();
        refresh();
    });
    connect(m_log, &QCheckBox::toggled, this, [this] {
        if (m_filling)
            return;
        m_hasChosenScale = true;
        keep();
        refresh();
    });
    connect(m_compared, &ComparedSweeps::chosenChanged, this, &AnalysisPage::refresh);
    connect(m_map, &MapPanel::surrogateWanted, this, &AnalysisPage::refresh);
    auto *maximize = new QShortcut(Qt::Key_M, this);
    maximize->setContext(Qt::WidgetWithChildrenShortcut);
    connect(maximize, &QShortcut::activated, this, &AnalysisPage::toggleMaximized);
    connect(m_surrogate, &SurrogateJob::outdated, this, &AnalysisPage::refresh);
    connect(m_surrogate, &SurrogateJob::fitted, this, [this] {
        if (!m_figure)
            return;
        showMap();
        showHistory();
    });
    connect(m_parallel, &ParallelView::axesMoved, this, &AnalysisPage::keep);
    auto *log = new QShortcut(Qt::Key_L, this);
    log->setContext(Qt::WidgetWithChildrenShortcut);
    connect(log, &QShortcut::activated, m_log, &QAbstractButton::click);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        if (m_parallel->isLimitedToTrials())
            selection()->brush({});
        else
            m_parallel->clearRanges();
    });
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (!m_figure)
            return;
        Q_EMIT filterRequested(filterText(*m_figure, m_parallel->ranges()), trialsWithin());
    });

    connect(m_parallel, &ParallelView::rangesChanged, this, [this] {
        if (m_filling)
            return;
        showRanges();
        const QScopedValueRollback brushing(m_brushes, true);
        std::vector<int> trials = m_parallel->isLimited() ? trialsWithin() : std::vector<int>();
        std::ranges::sort(trials);
        selection()->brush(std::move(trials));
    });
    connect(selection(), &SelectionModel::brushChanged, this, &AnalysisPage::followBrush);
    connect(m_parallel, &ParallelView::axisChosen, this, &AnalysisPage::chooseParameter);
    connect(m_parallel, &ParallelView::axisChosen, m_parallelArea, [this] {
        // Keep the axis with the keyboard focus visible.
        m_parallelArea->ensureVisible(m_parallel->chosenPlace(), 0, textScaled(besideChosen), 0);
    });
    connect(m_importance, &ImportancePanel::parameterChosen, this, &AnalysisPage::chooseParameter);
    connect(m_parameter, &QComboBox::currentTextChanged, this, &AnalysisPage::chooseParameter);
    const auto selected = [this](int trial) { selection()->selectTrial(m_sweepId, trial); };
    const auto activated = [this](int trial) { Q_EMIT trialActivated(m_sweepId, trial); };
    connect(m_parallel, &ParallelView::trialSelected, this, selected);
    connect(m_parallel, &ParallelView::trialActivated, this, activated);
    for (TrialScatter *plot : scatters()) {
        plot->setTexts([this](int trial) { return pointText(trial); });
        connect(plot, &TrialScatter::trialSelected, this, selected);
        connect(plot, &TrialScatter::trialActivated, this, activated);
    }
    connect(m_parameterCard, &PlotCard::plotChosen, this, &AnalysisPage::refresh);
}

std::vector<int> AnalysisPage::trialsWithin() const
{
    std::vector<int> trials;
    const std::vector<char> &within = m_parallel->within();
    for (std::size_t row = 0; row < within.size(); ++row) {
        if (within[row])
            trials.push_back(m_figure->values.trials[row]);
    }
    return trials;
}

/// Shows the trials that another page picked out.
void AnalysisPage::followBrush()
{
    if (m_brushes || !isVisible() || !m_figure)
        return;
    m_parallel->limitTo({});
    std::vector<int> within = trialsWithin();
    std::ranges::sort(within);
    const bool isOwn = !m_parallel->ranges().empty() && within == selection()->brushed();
    m_parallel->limitTo(isOwn ? std::vector<int>() : selection()->brushed());
    showRanges();
}

std::vector<TrialScatter *> AnalysisPage::scatters() const
{
    return {m_slice, m_history, m_distribution, m_map->plot(), m_front->plot(), m_hypervolume};
}

QString AnalysisPage::pointText(int trial) const
{
    const QString text = m_figure ? trialText(*m_figure, trial) : QString();
    if (!text.isEmpty())
        return text;
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    const auto found = std::ranges::find(trials, trial, &sweep::TrialRecord::number);
    return found != trials.end() ? unfinishedText(*found) : QString();
}

/// Every plot can be saved and copied; the menu's commands use the plot that had the keyboard focus last.
void AnalysisPage::addPictures()
{
    addPicture(tr("parallel coordinates"), u"parallel-coordinates"_s, m_parallel,
               [this](const QString &title) { return m_parallel->sheet(title); });
    addPicture(tr("importance"), u"importance"_s, m_importance->list(),
               [this](const QString &title) { return m_importance->sheet(title); });
    const std::tuple<QString, QString, TrialScatter *> plots[] = {{tr("slice"), u"slice"_s, m_slice},
                                                                  {tr("history"), u"history"_s, m_history},
                                                                  {tr("Pareto front"), u"front"_s, m_front->plot()},
                                                                  {tr("hypervolume"), u"hypervolume"_s, m_hypervolume},
                                                                  {tr("EDF"), u"edf"_s, m_distribution}};
    for (const auto &[title, fileName, scatter] : plots) {
        TrialScatter *plot = scatter;
        addPicture(title, fileName, plot, [plot](const QString &heading) {
            return titledSheet(*plot, heading, plot->size(),
                               [plot](QCPPainter &painter) { plot->paintPicture(&painter); });
        });
    }
    addPicture(tr("map"), u"map"_s, m_map->plot(), [this](const QString &title) { return m_map->sheet(title); });
    RungsPlot *rungs = m_pruning->plot();
    addPicture(tr("pruning"), u"pruning"_s, rungs, [rungs](const QString &heading) {
        return titledSheet(*rungs, heading, rungs->size(),
                           [rungs](QCPPainter &painter) { rungs->paintPicture(&painter); });
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        const auto found = std::ranges::find(m_pictures, now, &Picture::plot);
        if (found != m_pictures.end())
            m_picturesOf = static_cast<std::size_t>(found - m_pictures.begin());
    });
}

void AnalysisPage::addPicture(const QString &title, const QString &fileName, QWidget *plot,
                              std::function<PictureSheet(const QString &title)> source)
{
    m_pictures.push_back({title, fileName, plot, new PictureSaver(plot, std::move(source))});
}

std::vector<PictureSaver *> AnalysisPage::allPictures() const
{
    std::vector<PictureSaver *> savers;
    for (const Picture &picture : m_pictures)
        savers.push_back(picture.saver);
    return savers;
}

/// Puts the sweep's name above each picture.
void AnalysisPage::nameSheets(const sweep::SweepRecord &record)
{
    const QString sweep = QString::fromStdString(record.name);
    for (const Picture &picture : m_pictures)
        picture.saver->setTitle(u"%1 · %2 · %3"_s.arg(sweep, picture.title, m_target->title()),
                                u"%1-%2"_s.arg(sweep, picture.fileName));
}

void AnalysisPage::showSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    keepRanges();
    m_sweepId = sweepId;
    m_needsRanges = true;
    m_job->drop();
    m_surrogate->drop();
    m_map->resetParameters();
    m_hasChosen = false;
    m_key.clear();
    setFigure(nullptr);
}

void AnalysisPage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refresh();
    else
        showSelected();
}

void AnalysisPage::showSelected()
{
    const int trial = selection()->current().trial;
    m_parallel->selectTrial(trial);
    for (TrialScatter *plot : scatters())
        plot->selectTrial(trial);
}

bool AnalysisPage::isBusy() const
{
    return m_job->isPending() || m_surrogate->isPending() || m_map->isBusy() || m_importance->isBusy()
           || !m_parallel->isDrawn() || m_showPoints.isActive();
}

void AnalysisPage::refresh()
{
    if (!isVisible())
        return;
    showSweep(sweepId());
    showSelected();
    followBrush();
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    if (!record || trials.empty()) {
        showEmpty(tr("No sweeps yet"),
                  tr("Open or create a sweep and press Start. This page then shows which parameters matter and which "
                     "values work best."),
                  tr("New sweep"));
        return;
    }
    showContent();
    readSpec(*record);
    m_target->fill(*record, trials);
    restore(*record);
    m_saved = analysis::savedByPruning(trials);
    showPruning();
    analysis::TrialValues values = analysis::collect(m_spec, *record, trials, m_target->target());
    m_bestTrial = bestTrial(trials, record->goal);
    chooseScale(values);
    followResults(trials, values);
    if (values.size() == 0) {
        m_job->drop();
        setFigure(nullptr);
        showNoValues(*record, values);
        return;
    }
    nameSheets(*record);
    m_plots->setCurrentIndex(0);
    m_job->request([this, values = std::make_shared<analysis::TrialValues>(std::move(values)),
                    objectives = analysis::collectObjectives(m_spec, trials), title = m_target->title(),
                    logarithmic = m_log->isChecked() && m_log->isEnabled(),
                    others = othersLike(*record)]() -> std::function<void()> {
        const FigurePtr figure = makeFigure(std::move(*values), title, logarithmic, others);
        return [this, figure, front = makeObjectivesFigure(objectives)] { setFigure(figure, front); };
    });
}

/// Until the user selects the scale of the value axis, the values do.
void AnalysisPage::chooseScale(const analysis::TrialValues &values)
{
    const QScopedValueRollback filling(m_filling, true);
    m_log->setEnabled(std::ranges::all_of(values.values, [](double value) { return value > 0; }));
    if (!m_hasChosenScale)
        m_log->setChecked(analysis::scaleFor(values.values) == analysis::Scale::Log);
}

/// Those of the sweeps with the same objective that the user compares with.
std::vector<Distribution> AnalysisPage::othersLike(const sweep::SweepRecord &record)
{
    std::vector<const sweep::SweepRecord *> alike;
    for (const sweep::SweepRecord &other : client()->sweeps()) {
        if (other.id != record.id && other.objective == record.objective && other.goal == record.goal)
            alike.push_back(&other);
    }
    std::ranges::sort(alike, std::ranges::greater(), &sweep::SweepRecord::id);
    std::vector<Distribution> others;
    std::vector<ComparedSweeps::Sweep> offered;
    for (const sweep::SweepRecord *other : alike) {
        std::vector<double> values = analysis::completedValues(client()->trials(other->id), m_target->target());
        if (values.empty())
            continue;
        offered.push_back({other->id, QString::fromStdString(other->name)});
        others.push_back({other->id, offered.back().name, std::move(values)});
    }
    m_compared->offer(record.id, std::move(offered));
    std::erase_if(others, [this](const Distribution &other) { return !m_compared->isChosen(other.sweepId); });
    return others;
}

/// Restores what the user selected for this sweep. Stored per sweep, like the columns and filters of its table.
void AnalysisPage::restore(const sweep::SweepRecord &record)
{
    if (!m_key.isEmpty())
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_key = settingsKey(client()->workspace(), record);
    const auto kept = [this](const QString &name) {
        return m_settings ? m_settings->value(u"analysis/%1/%2"_s.arg(m_key, name)) : QVariant();
    };
    m_target->restore(m_settings, u"analysis/%1"_s.arg(m_key));
    m_hasChosenScale = kept(u"log"_s).isValid();
    m_log->setChecked(kept(u"log"_s).toBool());
    m_parallel->setWantedOrder(kept(u"order"_s).toStringList());
}

void AnalysisPage::keep() const
{
    if (!m_settings || m_key.isEmpty() || m_filling)
        return;
    m_target->keep(m_settings, u"analysis/%1"_s.arg(m_key));
    if (m_hasChosenScale)
        m_settings->setValue(u"analysis/%1/log"_s.arg(m_key), m_log->isChecked());
    m_settings->setValue(u"analysis/%1/order"_s.arg(m_key), m_parallel->wantedOrder());
}

void AnalysisPage::keepRanges()
{
    if (!m_figure || m_needsRanges)
        return;
    const QVariantMap stored = storedRanges(*m_figure, m_parallel->ranges());
    m_keptRanges[m_sweepId] = stored;
    const QString name = u"analysis/%1/ranges"_s.arg(m_key);
    if (!m_settings || m_key.isEmpty())
        return;
    if (stored.isEmpty())
        m_settings->remove(name);
    else
        m_settings->setValue(name, stored);
}

void AnalysisPage::restoreRanges()
{
    if (!m_figure || !std::exchange(m_needsRanges, false))
        return;
    const auto kept = m_keptRanges.find(m_sweepId);
    const bool isInSettings = m_settings && !m_key.isEmpty();
    const QVariantMap stored = kept != m_keptRanges.end() ? kept->second
                               : isInSettings ? m_settings->value(u"analysis/%1/ranges"_s.arg(m_key)).toMap()
                                              : QVariantMap();
    if (!stored.isEmpty())
        m_parallel->setRanges(restoredRanges(*m_figure, stored));
}

void AnalysisPage::readSpec(const sweep::SweepRecord &record)
{
    if (m_toml == record.toml)
        return;
    m_toml = record.toml;
    m_spec = sweep::parseSweep(m_toml).spec;
    m_isComparable = analysis::isComparableWithRandom(m_spec);
}

/// Keeps the surrogate up to date where something is shown of it.
void AnalysisPage::followResults(const std::vector<sweep::TrialRecord> &trials, const analysis::TrialValues &values)
{
    const bool hasBaseline = m_isComparable && values.target.kind == analysis::Target::Kind::ObjectiveBest;
    if (hasBaseline || (m_map->isVisibleTo(this) && m_map->needsSurrogate()))
        m_surrogate->follow(m_sweepId, m_spec, trials, values, hasBaseline);
    else
        m_surrogate->drop();
}

void AnalysisPage::showNoValues(const sweep::SweepRecord &record, const analysis::TrialValues &values)
{
    const QString name = m_target->isObjective() ? QString::fromStdString(record.objective) : m_target->title();
    if (values.without > 0)
        m_noValues->setMessage(tr("No values for %1").arg(name),
                               tr("No trial reported it. Choose another value above."));
    else if (!sweep::isActive(record.state))
        m_noValues->setMessage(tr("No completed trials"),
                               tr("All trials failed or were stopped, so there is nothing to "
                                  "compare. The Trials page shows the reasons."));
    else
        m_noValues->setMessage(
            tr("No results yet"),
            tr("When trials complete, their parameters and %1 appear here. Failed and stopped trials are excluded.")
                .arg(name));
    m_plots->setCurrentIndex(1);
    m_summary->clear();
}

/// Clears the page after a change of the sweep: the shown trials belong to another one.
void AnalysisPage::clearFigure()
{
    m_showPoints.stop();
    m_clear->hide();
    m_show->setEnabled(false);
    m_show->setText(tr("Show in Trials"));
    m_summary->clear();
    m_summary->setToolTip({});
    m_slice->setContent({});
    m_history->setContent({});
    m_distribution->setContent({});
    m_importance->setData(nullptr);
    m_map->setData(nullptr, nullptr, {});
    showObjectives();
}

void AnalysisPage::setFigure(FigurePtr figure, std::shared_ptr<const ObjectivesFigure> objectives)
{
    m_figure = std::move(figure);
    m_objectives = std::move(objectives);
    m_parallel->setFigure(m_figure);
    restoreRanges();
    if (!m_figure) {
        clearFigure();
        return;
    }
    const QScopedValueRollback filling(m_filling, true);
    QStringList names;
    for (const analysis::Parameter &parameter : m_figure->values.parameters)
        names << QString::fromStdString(parameter.name);
    QStringList before;
    for (int i = 0; i < m_parameter->count(); ++i)
        before << m_parameter->itemText(i);
    if (names != before) {
        const QString chosen = m_parameter->currentText();
        m_parameter->clear();
        m_parameter->addItems(names);
        m_parameter->setCurrentText(chosen);
    }
    m_parameter->setEnabled(names.size() > 1);
    // Until the user selects a parameter, show the most important one.
    const std::vector<double> &shares = m_figure->importance.shares;
    const auto most = std::ranges::max_element(shares);
    if (!m_hasChosen && most != shares.end() && *most > 0)
        m_parameter->setCurrentIndex(static_cast<int>(most - shares.begin()));
    if (!m_parallel->chosenAxis().isEmpty())  // the target's axis stays selected
        m_parallel->chooseAxis(m_parameter->currentText());
    m_importance->chooseParameter(m_parameter->currentText());
    followBrush();
    showRanges();
    showPoints();
    showSelected();
}

/// Selects a parameter on the user's request, in all plots.
void AnalysisPage::chooseParameter(const QString &id)
{
    const int index = m_parameter->findText(id);
    if (m_filling || !m_figure || index < 0)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_hasChosen = true;
    m_parameter->setCurrentIndex(index);
    m_parallel->chooseAxis(id);
    m_importance->chooseParameter(id);
    showSlice();
}

/// Updates all views to the trials within the ranges.
void AnalysisPage::showRanges()
{
    if (!m_figure)
        return;
    const auto all = static_cast<int>(m_figure->values.size());
    const auto within = static_cast<int>(std::ranges::count(m_parallel->within(), 1));
    const bool isLimited = m_parallel->isLimited();
    QString text;
    if (all == 1)
        text = isLimited ? tr("%1 of 1 trial with a value").arg(within) : tr("1 trial with a value");
    else
        text = isLimited ? tr("%L1 of %L2 trials with a value").arg(within).arg(all)
                         : tr("%L1 trials with a value").arg(all);
    if (m_parallel->isLimitedToTrials())
        text += tr(", selected in Trials");
    text += bestText();
    if (m_figure->values.without > 0)
        text += tr(" · %L1 without a value").arg(m_figure->values.without);
    if (m_saved)
        text += tr(" · pruning saved %1% of the steps").arg(std::lround(100 * m_saved->share));
    m_summary->setText(text);
    m_summary->setToolTip(text);
    m_clear->setVisible(isLimited);
    m_clear->setText(m_parallel->isLimitedToTrials() ? tr("Clear selection") : tr("Clear ranges"));
    const bool hasRanges = isLimited && !m_parallel->isLimitedToTrials();
    m_show->setEnabled(hasRanges && within > 0);
    m_show->setText(hasRanges ? tr("Show %L1 in Trials").arg(within) : tr("Show in Trials"));
    // Redrawing the points must not delay a drag.
    if (!m_showPoints.isActive())
        m_showPoints.start();
}

/// The best trial within the ranges.
QString AnalysisPage::bestText() const
{
    const auto best = std::ranges::find_if(m_figure->fromWorst.rbegin(), m_figure->fromWorst.rend(), [this](int row) {
        return m_parallel->within()[static_cast<std::size_t>(row)] != 0;
    });
    if (best == m_figure->fromWorst.rend())
        return {};
    const auto row = static_cast<std::size_t>(*best);
    if (m_figure->values.standings[row] == analysis::Standing::Infeasible)
        return tr(" · none satisfies the constraints");
    const int trial = m_figure->values.trials[row];
    // The sweep's best may still be running, which the figure does not have.
    const bool isOther =
        m_target->isObjective() && m_parallel->ranges().empty() && m_bestTrial != 0 && m_figure->rowOf(m_bestTrial) < 0;
    return (isOther ? tr(" · best of these: %1 in trial %2") : tr(" · best %1 in trial %2"))
        .arg(numberText(m_figure->values.values[row]))
        .arg(trial);
}

void AnalysisPage::showPoints()
{
    m_showPoints.stop();
    if (!m_figure)
        return;
    keepRanges();
    m_importance->setData(m_figure, m_parallel->within());
    showSlice();
    showMap();
    showHistory();
    showDistribution();
    showObjectives();
}

void AnalysisPage::showPruning()
{
    if (m_saved)
        m_pruning->setSaved(*m_saved);
    m_progressCard->setPlotShown(m_pruning, m_saved.has_value());
}

void AnalysisPage::showObjectives()
{
    const bool isShown = m_objectives && m_figure;
    m_front->setData(m_objectives, m_figure, m_parallel->within());
    m_hypervolume->setContent(isShown ? hypervolumeContent(*m_objectives, *m_figure, m_parallel->within())
                                      : TrialScatter::Content());
    m_progressCard->setPlotShown(m_front, isShown);
    m_progressCard->setPlotShown(m_hypervolume, isShown);
}

/// The map is computed only where it is shown.
void AnalysisPage::showMap()
{
    const bool isComing = m_map->needsSurrogate() && m_surrogate->isPending() && !m_surrogate->surrogate();
    if (m_map->isVisibleTo(this) && !isComing)
        m_map->setData(m_figure, m_surrogate->surrogate(), m_parallel->within());
}

void AnalysisPage::showSlice()
{
    m_slice->setContent(sliceContent(*m_figure, m_parameter->currentIndex(), m_parallel->within()));
}

void AnalysisPage::showDistribution()
{
    m_distribution->setContent(distributionContent(*m_figure, m_parallel->within()));
}

void AnalysisPage::showHistory()
{
    m_history->setContent(historyContent(*m_figure, m_parallel->within(), m_surrogate->baseline()));
}

}  // namespace sweepscope::ui
