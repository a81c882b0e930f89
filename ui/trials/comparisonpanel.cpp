#include "ui/trials/comparisonpanel.h"

#include "ui/base/emptyview.h"
#include "ui/models/sweepsummary.h"
#include "ui/models/valuetext.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/trialplots.h"
#include "ui/plot/trialsource.h"
#include "ui/theme/elidedheader.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/wraplayout.h"
#include "ui/trials/colorkeyrow.h"
#include "ui/trials/comparisonmodel.h"
#include "ui/trials/curvegroups.h"
#include "ui/trials/curvetints.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int rowHeight = 26;
constexpr int columnWidth = 110;  ///< at most
constexpr int titleWidth = 200;   ///< of rows, at most
constexpr int widestChoice = 240;
constexpr int widthForBoth = 1060;
constexpr int noteWidth = 120;     ///< in less, the note starts a row
constexpr int aroundToolTip = 44;  ///< its margins, and the distance that Qt keeps below the mouse
constexpr auto soon = 120ms;
constexpr auto seldom = 1s;  ///< for many trials

}  // namespace

ComparisonPanel::ComparisonPanel(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_plots(new TrialPlots(this)),
      m_model(new ComparisonModel(wallNow, this)),
      m_table(new QTableView(this)),
      m_groups(new QComboBox(this)),
      m_colors(new QComboBox(this)),
      m_note(new ElidedLabel(this)),
      m_same(new ElidedLabel(this)),
      m_onlyDifferences(new QCheckBox(tr("Only differences"), this)),
      m_facts(new QWidget(this)),
      m_curves(new QToolButton(this)),
      m_differences(new QToolButton(this)),
      m_all(new QToolButton(this)),
      m_keptButton(new QToolButton(this)),
      m_keptMenu(new QMenu(this)),
      m_alone(new QToolButton(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"compare"_s, this))
{
    setObjectName(u"comparison"_s);
    m_plots->setObjectName(u"comparisonPlots"_s);
    m_plots->setForTrials();
    m_plots->ignoreOutliers(true);  // one trial that diverged would squeeze all others
    m_plots->setEmptyText(tr("None of these trials has reported this metric yet."));
    m_table->setObjectName(u"comparisonTable"_s);
    m_table->setAccessibleName(tr("Differences"));
    m_table->setHorizontalHeader(new ElidedHeader(Qt::Horizontal, m_table));
    m_table->setVerticalHeader(new ElidedHeader(Qt::Vertical, m_table));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    followTextSize(m_table->verticalHeader(),
                   [header = m_table->verticalHeader()] { header->setDefaultSectionSize(textScaled(rowHeight)); });
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    // The padding of a column header would leave no room for the text. Nor would the arrow of a sorted column, which
    // takes its height from every line of a vertical header.
    m_table->verticalHeader()->setStyleSheet(
        u"QHeaderView::section { padding: 0 8px; border: none; }"
        "QHeaderView::up-arrow, QHeaderView::down-arrow { width: 0; height: 0; }"_s);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    followTextSize(m_table->horizontalHeader(),
                   [header = m_table->horizontalHeader()] { header->setMaximumSectionSize(textScaled(columnWidth)); });
    followTextSize(m_table->verticalHeader(),
                   [header = m_table->verticalHeader()] { header->setMaximumWidth(textScaled(titleWidth)); });
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setToolTip(tr("Click, or press Enter in a cell, to open the trial"));
    const auto open = [this](int column) {
        Q_EMIT trialActivated(m_model->sweepOf(column), m_model->trials()[static_cast<std::size_t>(column)].number);
    };
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, open);
    connect(m_table, &QTableView::activated, this, [open](const QModelIndex &index) { open(index.column()); });
    m_table->setTabKeyNavigation(false);
    QSplitter *splitter = m_splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_plots);
    m_same->setObjectName(u"comparisonSame"_s);
    setTextRole(m_same, TextRole::Small);
    m_same->setContentsMargins(spacing::small, 0, 0, 0);
    auto *facts = new QVBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(spacing::tiny);
    m_onlyDifferences->setObjectName(u"comparisonOnlyDifferences"_s);
    m_onlyDifferences->setToolTip(tr("Hide parameters and metrics with the same value in all of these trials"));
    m_onlyDifferences->setChecked(true);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, [this](bool only) {
        m_model->setOnlyDifferences(only);
        update();
    });
    auto *equal = new QHBoxLayout;
    equal->setContentsMargins(0, 0, 0, 0);
    equal->addWidget(m_same, 1);
    equal->addWidget(m_onlyDifferences);
    facts->addLayout(equal);
    facts->addWidget(m_table, 1);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    connect(splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitByUser = true; });
    auto *both = new QWidget(this);
    auto *bothLayout = new QVBoxLayout(both);
    bothLayout->setContentsMargins(0, 0, 0, 0);
    bothLayout->setSpacing(spacing::tiny);
    bothLayout->addWidget(buildHead());
    bothLayout->addWidget(splitter, 1);
    m_stack->addWidget(both);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, spacing::tiny, 0, 0);
    layout->addWidget(m_stack);

    m_empty->setMessage(tr("No trials"), tr("The curves of the trials in the table appear here."));
    connect(m_plots, &TrialPlots::trialClicked, this,
            [this](const TrialChoice &trial) { Q_EMIT trialActivated(trial.sweepId, trial.trial); });
    connect(m_plots, &TrialPlots::trialsSelected, this, &ComparisonPanel::selectTrials);
    connect(m_groups, &QComboBox::activated, this, &ComparisonPanel::update);
    connect(m_plots, &TrialPlots::trialPointedAt, this, &ComparisonPanel::showPointed);
    connect(m_plots, &TrialPlots::missingCurvesChanged, this, [this](int curves) {
        m_missingCurves = curves;
        showNote();
    });
    connect(m_colors, &QComboBox::activated, this, &ComparisonPanel::update);
    m_update.setSingleShot(true);
    connect(&m_update, &QTimer::timeout, this, &ComparisonPanel::update);
    update();
}

QWidget *ComparisonPanel::buildHead()
{
    auto *head = new QWidget(this);
    auto *layout = new WrapLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    m_curves->setObjectName(u"comparisonCurves"_s);
    m_curves->setText(tr("Curves"));
    m_differences->setObjectName(u"comparisonDifferences"_s);
    m_differences->setText(tr("Differences"));
    for (QToolButton *button : {m_curves, m_differences}) {
        button->setCheckable(true);
        button->setAutoExclusive(true);
        connect(button, &QToolButton::toggled, this, &ComparisonPanel::arrange);
        layout->addWidget(button);
    }
    m_curves->setChecked(true);
    m_groups->setObjectName(u"comparisonGroups"_s);
    m_groups->setToolTip(tr("Show each trial, or the median and the quartiles of groups of trials"));
    m_groups->setAccessibleName(tr("Curves"));
    m_colors->setObjectName(u"comparisonColors"_s);
    m_colors->setToolTip(tr("Value shown by the colors of the curves"));
    m_colors->setAccessibleName(tr("Color"));
    for (QComboBox *box : {m_groups, m_colors}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumContentsLength(14);
        followTextSize(box, [box] { box->setMaximumWidth(textScaled(widestChoice)); });
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);  // the texts next to it give way
        layout->addWidget(box);
    }
    m_key = new ColorKeyRow(layout, head);
    connect(m_key, &ColorKeyRow::isolatedChanged, this, &ComparisonPanel::update);
    m_note->setObjectName(u"comparisonNote"_s);
    setTextRole(m_note, TextRole::Small);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    followTextSize(m_note, [this] { m_note->setMinimumWidth(textScaled(noteWidth)); });
    layout->addWidget(m_note);
    m_all->setObjectName(u"comparisonAll"_s);
    m_all->setText(tr("Show all"));
    m_all->setToolTip(tr("Show the curves of all trials in the table, and select one row"));
    connect(m_all, &QToolButton::clicked, this, &ComparisonPanel::allTrialsRequested);
    layout->addWidget(m_all);
    m_keptButton->setObjectName(u"comparisonKept"_s);
    m_keptButton->setToolTip(tr("Trials kept for comparison, including those of other sweeps (K in the table)"));
    m_keptButton->setPopupMode(QToolButton::InstantPopup);
    m_keptButton->setMenu(m_keptMenu);
    m_keptMenu->setObjectName(u"comparisonKeptMenu"_s);
    connect(m_keptMenu, &QMenu::aboutToShow, this, &ComparisonPanel::fillKeptMenu);
    layout->addWidget(m_keptButton);
    m_alone->setObjectName(u"comparisonAlone"_s);
    m_alone->setIcon(symbolIcon(u"fit"_s));
    m_alone->setAccessibleName(tr("Maximize comparison"));
    m_alone->setToolTip(tr("Maximize the comparison and hide the trial table"));
    m_alone->setCheckable(true);
    connect(m_alone, &QToolButton::toggled, this, &ComparisonPanel::aloneChosen);
    layout->addWidget(m_alone);
    return head;
}

PictureSaver *ComparisonPanel::pictures() const
{
    return m_plots->pictures();
}

bool ComparisonPanel::isAlone() const
{
    return m_alone->isChecked();
}

void ComparisonPanel::arrange()
{
    const bool hasRoom = width() >= textScaled(widthForBoth);
    m_curves->setVisible(!hasRoom && m_hasDifferences);
    m_differences->setVisible(!hasRoom && m_hasDifferences);
    m_plots->setVisible(hasRoom || m_curves->isChecked() || !m_hasDifferences);
    m_facts->setVisible(m_hasDifferences && (hasRoom || m_differences->isChecked()));
}

void ComparisonPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void ComparisonPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ComparisonPanel::showTrials(qint64 sweepId, std::vector<int> trials, Shown shown, int chosen)
{
    if (std::exchange(m_sweepId, sweepId) != sweepId)
        m_sources.clear();
    m_plots->setChosenTrial(chosen);
    m_shown = shown;
    const bool isFirst = m_trials.empty();
    if (std::exchange(m_trials, std::move(trials)) == m_trials) {
        refresh();
        return;
    }
    m_update.setInterval(isFirst ? 0ms : std::chrono::milliseconds(soon));
    m_update.start();
}

void ComparisonPanel::refresh()
{
    if (m_update.isActive())
        return;
    m_update.setInterval(m_trials.size() > mostWithDifferences ? seldom : soon);
    m_update.start();
}

void ComparisonPanel::toggleKept(qint64 sweepId, const std::vector<int> &trials)
{
    const bool hadAll = hasKept(sweepId, trials);
    for (const int trial : trials) {
        const TrialChoice choice{sweepId, trial};
        std::erase(m_kept, choice);
        if (!hadAll && m_kept.size() < mostWithDifferences)
            m_kept.push_back(choice);
    }
    update();
}

bool ComparisonPanel::hasKept(qint64 sweepId, const std::vector<int> &trials) const
{
    return std::ranges::all_of(trials, [&](int trial) {
        return std::ranges::find(m_kept, TrialChoice{sweepId, trial}) != m_kept.end();
    });
}

void ComparisonPanel::fillKeptMenu()
{
    m_keptMenu->clear();
    QAction *only = m_keptMenu->addAction(tr("Show only kept trials"), this, [this](bool on) {
        m_showsOnlyKept = on;
        update();
    });
    only->setObjectName(u"onlyKept"_s);
    only->setCheckable(true);
    only->setChecked(m_showsOnlyKept);
    m_keptMenu->addSeparator();
    for (const KeptTrial &kept : keptTrials()) {
        const QString sweep = QString::fromStdString(kept.sweep->name).replace(u'&', u"&&"_s);
        m_keptMenu->addAction(tr("Remove trial %1 of %2 #%3").arg(kept.trial.number).arg(sweep).arg(kept.sweep->id),
                              this, [this, choice = TrialChoice{kept.sweep->id, kept.trial.number}] {
                                  toggleKept(choice.sweepId, {choice.trial});
                              });
    }
    m_keptMenu->addAction(tr("Remove all"), this, [this] {
        m_kept.clear();
        update();
    });
}

/// Without those whose records are gone.
std::vector<KeptTrial> ComparisonPanel::keptTrials() const
{
    std::vector<KeptTrial> kept;
    for (const TrialChoice &choice : m_kept) {
        const sweep::SweepRecord *sweep = m_client->sweep(choice.sweepId);
        const std::vector<sweep::TrialRecord> &all = m_client->trials(choice.sweepId);
        if (sweep && choice.trial >= 1 && static_cast<std::size_t>(choice.trial) <= all.size())
            kept.push_back({all[static_cast<std::size_t>(choice.trial - 1)], sweep});
    }
    return kept;
}

void ComparisonPanel::selectTrials(const std::vector<TrialChoice> &trials, bool toggles)
{
    std::vector<int> own;
    for (const TrialChoice &trial : trials) {
        if (trial.sweepId == m_sweepId)
            own.push_back(trial.trial);
    }
    if (!own.empty())
        Q_EMIT trialsSelected(own, toggles);
}

/// "Trial" comes first, then the objective, then the parameters.
void ComparisonPanel::fillColors(const sweep::SweepRecord &sweep)
{
    QStringList names{QString(), QString::fromStdString(sweep.objective)};
    for (const std::string &name : sweep.parameterNames)
        names << QString::fromStdString(name);
    QStringList before;
    for (int i = 0; i < m_colors->count(); ++i)
        before << m_colors->itemData(i).toString();
    if (names == before)
        return;
    const QString current = m_colors->currentData().toString();
    m_colors->clear();
    for (const QString &name : names)
        m_colors->addItem(name.isEmpty() ? tr("Color: trial") : tr("Color: %1").arg(name), name);
    m_colors->setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(current))));
    const QString groups = m_groups->currentData().toString();
    m_groups->clear();
    m_groups->addItem(tr("Each trial"), QString());
    m_groups->addItem(tr("Median of all"), u"all"_s);
    for (const QString &name : names.mid(2))
        m_groups->addItem(tr("Median by %1").arg(name), u"parameter:"_s + name);
    m_groups->addItem(tr("Median by tag"), u"tag"_s);
    m_groups->setCurrentIndex(std::max(0, m_groups->findData(groups)));
}

/// Makes those of many trials only once: it takes some microseconds each.
std::vector<TrialSource> ComparisonPanel::sourcesOf(const sweep::SweepRecord &sweep,
                                                    const std::vector<const sweep::TrialRecord *> &trials,
                                                    const CurveTints &tints)
{
    const std::optional<QRgb> isolated = m_key->isolated();
    std::vector<TrialSource> sources;
    sources.reserve(trials.size());
    for (const sweep::TrialRecord *trial : trials) {
        TrialSource &source = m_sources[trial->number];
        const WallNs ended = trial->attemptEnded.value_or(trial->ended.value_or(0));
        const bool isSame = source.attempt == trial->attempts && source.ended == ended && ended > 0
                            && source.hasReported == (trial->firstAttempt != 0);
        if (!isSame) {
            source = curveSource(m_client->workspace(), sweep, *trial);
            source.isMirrored = m_client->isMirror();
            if (source.isMirrored)
                m_client->look(sweep.id, trial->number, trial->attempts);
        }
        source.state = trial->state;
        source.tint = tints.colorOf(trial->number);
        source.isFaint = isolated && source.tint != isolated;
        sources.push_back(source);
    }
    return sources;
}

/// Those of other sweeps come last, and are drawn above the others.
void ComparisonPanel::addKeptSources(std::vector<TrialSource> &sources, const std::vector<KeptTrial> &kept) const
{
    for (const KeptTrial &trial : kept) {
        if (trial.trial.attempts == 0)
            continue;
        TrialSource source = curveSource(m_client->workspace(), *trial.sweep, trial.trial);
        source.isMirrored = m_client->isMirror();
        if (source.isMirrored)
            m_client->look(source.sweepId, source.trial, source.attempt);
        source.tint = trial.tint;
        if (source.sweepId != m_sweepId)
            source.sweepName = tr("%1 #%2").arg(QString::fromStdString(trial.sweep->name)).arg(source.sweepId);
        sources.push_back(source);
    }
}

/// Groups depend on all trials of the sweep: a filter or selection does not change them.
void ComparisonPanel::groupSources(const sweep::SweepRecord &sweep,
                                   const std::vector<const sweep::TrialRecord *> &trials,
                                   std::vector<TrialSource> &sources) const
{
    const QString by = m_groups->currentData().toString();
    std::vector<const sweep::TrialRecord *> all;
    for (const sweep::TrialRecord &trial : m_client->trials(sweep.id))
        all.push_back(&trial);
    CurveGroups groups;
    if (by == "all"_L1)
        groups = groupOfAll(all);
    else if (by == "tag"_L1)
        groups = groupsByTag(all);
    else if (!by.isEmpty())
        groups = groupsByParameter(by.section(u':', 1).toStdString(), all, isDark(palette()));
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto place = static_cast<std::size_t>(trials[i]->number - 1);
        sources[i].groups = place < groups.size() ? groups[place] : std::vector<CurveGroup>();
    }
}

void ComparisonPanel::update()
{
    const sweep::SweepRecord *sweep = m_client->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &all = m_client->trials(m_sweepId);
    std::vector<KeptTrial> kept = keptTrials();
    const bool isOnlyKept = m_showsOnlyKept && !kept.empty();
    std::vector<const sweep::TrialRecord *> shown;
    for (const int number : m_trials) {
        if (isOnlyKept)
            break;
        if (sweep && number >= 1 && static_cast<std::size_t>(number) <= all.size())
            shown.push_back(&all[static_cast<std::size_t>(number - 1)]);
    }
    // A kept trial that is among the shown ones is not added again; next to groups, it gets a separate curve.
    std::erase_if(kept, [&](const KeptTrial &trial) {
        return m_groups->currentIndex() <= 0 && trial.sweep->id == m_sweepId
               && std::ranges::any_of(
                   shown, [&](const sweep::TrialRecord *other) { return other->number == trial.trial.number; });
    });
    m_keptButton->setVisible(!m_kept.empty());
    m_keptButton->setText(tr("Kept: %L1").arg(m_kept.size()));
    m_all->setVisible(m_shown == Shown::Selection && !isOnlyKept);
    const bool hasNone = !sweep || (shown.empty() && kept.empty());
    m_stack->setCurrentIndex(hasNone ? 1 : 0);
    if (hasNone) {
        m_plots->clear();
        m_model->setTrials({}, {});
        return;
    }
    const std::size_t together = shown.size() + kept.size();
    m_hasDifferences = (m_shown == Shown::Selection || isOnlyKept) && together >= 2 && together <= mostWithDifferences;
    arrange();
    showCurves(*sweep, shown, kept);
    showNote();
    if (m_hasDifferences)
        showDifferences(*sweep, shown, kept);
    else
        m_model->setTrials({}, {});
}

void ComparisonPanel::showDifferences(const sweep::SweepRecord &sweep,
                                      const std::vector<const sweep::TrialRecord *> &shown,
                                      const std::vector<KeptTrial> &kept)
{
    std::vector<sweep::TrialRecord> records;
    for (const sweep::TrialRecord *trial : shown)
        records.push_back(*trial);
    // The best first. While trials run, columns stay where they are.
    if (std::ranges::all_of(records, sweep::isFinal, &sweep::TrialRecord::state))
        std::ranges::stable_sort(records, [&](const sweep::TrialRecord &a, const sweep::TrialRecord &b) {
            const bool mayBe = sweep::mayBeBest(a);
            return mayBe != sweep::mayBeBest(b) ? mayBe : mayBe && sweep::isBetter(a, b, sweep.goal);
        });
    const QModelIndex current = m_table->currentIndex();
    const QPoint cell(current.column(), current.row());
    m_model->setTrials(sweep, std::move(records), m_curveColors, kept,
                       bestTrial(m_client->trials(sweep.id), sweep.goal));
    fitTable();
    // Keep the current cell for keyboard users while trials run.
    if (const QModelIndex again = m_model->index(cell.y(), cell.x()); again.isValid())
        m_table->selectionModel()->setCurrentIndex(again, QItemSelectionModel::NoUpdate);
    showSame();
}

/// Gives the table the width of its columns, but not more than half.
void ComparisonPanel::fitTable()
{
    const std::size_t columns = m_model->trials().size();
    if (m_isSplitByUser || !m_plots->isVisible() || std::exchange(m_fittedColumns, columns) == columns)
        return;
    const int whole = m_splitter->width();
    const int wanted = m_table->verticalHeader()->sizeHint().width() + m_table->horizontalHeader()->length()
                       + m_table->verticalScrollBar()->sizeHint().width() + 2 * m_table->frameWidth();
    const int table = std::min(wanted, whole / 2);
    m_splitter->setSizes({whole - table, table});
}

void ComparisonPanel::showCurves(const sweep::SweepRecord &sweep, std::vector<const sweep::TrialRecord *> trials,
                                 std::vector<KeptTrial> &kept)
{
    std::erase_if(trials, [](const sweep::TrialRecord *trial) { return trial->attempts == 0; });
    m_hasSeveralRanks = std::ranges::any_of(trials, [](const sweep::TrialRecord *trial) { return trial->ranks > 1; });
    fillColors(sweep);
    const QString by = m_colors->currentData().toString();
    CurveTints tints;
    // The colors of many trials say nothing.
    if (trials.size() > mostWithDifferences && !m_hadMany)
        m_colors->setCurrentIndex(1);
    const bool hasGroups = m_groups->currentIndex() > 0;
    const int colored = m_colors->currentIndex();
    if (colored > 0) {
        std::vector<const sweep::TrialRecord *> all;
        for (const sweep::TrialRecord &trial : m_client->trials(sweep.id))
            all.push_back(&trial);
        const bool onDark = isDark(palette());
        tints = colored == 1 ? tintsByObjective(sweep, trials, onDark)
                             : tintsByParameter(by.toStdString(), all, trials, onDark);
    }
    m_key->setKey(hasGroups ? ColorKey() : tints.key);
    m_plots->setColorKey(m_key->key());
    sortForDrawing(sweep, trials, tints);
    std::vector<TrialSource> sources = sourcesOf(sweep, trials, tints);
    groupSources(sweep, trials, sources);
    keepColors(sources);
    m_colors->setVisible(!hasGroups);
    if (hasGroups || m_colors->currentIndex() > 0) {
        std::vector<int> numbers;
        for (const KeptTrial &trial : kept)
            numbers.push_back(trial.trial.number);
        const std::vector<int> colors = distinctColors(numbers);
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i].tint = rankColor(colors[i]).rgb();
    }
    addKeptSources(sources, kept);
    m_hadMany = m_hadMany || trials.size() > mostWithDifferences;
    if (sources.empty())
        m_plots->clear();
    else
        m_plots->showSources(std::move(sources));
    nameSources(sweep);
}

void ComparisonPanel::keepColors(const std::vector<TrialSource> &sources)
{
    std::map<int, QRgb> colors;
    const bool isColored = m_groups->currentIndex() > 0 || m_colors->currentIndex() > 0;
    for (std::size_t i = 0; i < sources.size() && isColored; ++i) {
        const TrialSource &source = sources[i];
        colors.emplace(source.trial, source.groups.empty() ? source.tint.value_or(trialColor(source.trial).rgb())
                                                           : source.groups.front().color);
    }
    if (std::exchange(m_curveColors, colors) != colors)
        Q_EMIT colorsChanged();
}

/// The last one is drawn above the others.
void ComparisonPanel::sortForDrawing(const sweep::SweepRecord &sweep, std::vector<const sweep::TrialRecord *> &trials,
                                     const CurveTints &tints) const
{
    if (m_colors->currentIndex() == 1)
        std::ranges::stable_sort(trials, [&](const sweep::TrialRecord *a, const sweep::TrialRecord *b) {
            return sweep::isBetter(*b, *a, sweep.goal);
        });
    else if (m_colors->currentIndex() > 1)
        alternateColors(trials, tints);
    if (const std::optional<QRgb> isolated = m_key->isolated())
        std::stable_partition(trials.begin(), trials.end(), [&](const sweep::TrialRecord *trial) {
            return tints.colorOf(trial->number) != isolated;
        });
}

/// The title of a picture, and the name of its file.
void ComparisonPanel::nameSources(const sweep::SweepRecord &sweep)
{
    const QString name = QString::fromStdString(sweep.name);
    const QString folder = QString::fromStdString(sweep.folder);
    QStringList numbers;
    for (const int number : m_trials)
        numbers << QString::number(number);
    constexpr qsizetype mostNumbers = 12;
    if (numbers.size() > mostNumbers)
        m_plots->pictures()->setTitle(tr("%1 · %L2 trials").arg(name).arg(numbers.size()),
                                      u"%1-%2-trials"_s.arg(folder).arg(numbers.size()));
    else
        m_plots->pictures()->setTitle(tr("%1 · trials %2").arg(name, numbers.join(u", "_s)),
                                      u"%1-trials-%2"_s.arg(folder, numbers.join(u'-')));
}

void ComparisonPanel::showNote()
{
    const auto trials = static_cast<qsizetype>(m_trials.size());
    QStringList notes;
    if (m_missingCurves > 0)
        notes << tr("Reading curves: %L1 of %L2").arg(std::max<qsizetype>(0, trials - m_missingCurves)).arg(trials);
    if (m_hasSeveralRanks)
        notes << (m_hasDifferences ? tr("Curves: mean of the ranks. Best and last: rank 0.")
                                   : tr("Curves: mean of the ranks."));
    if (!m_hasDifferences && trials > 1)
        notes << tr("Select 2 to %1 trials to see how they differ.").arg(mostWithDifferences);
    m_note->setText(notes.join(u" · "_s));
    m_note->setVisible(!notes.isEmpty());
}

/// "Trial 12: loss 0.231", and its parameters. Where a curve falls, above the mouse, so that the curve is not covered.
void ComparisonPanel::showPointed(const TrialChoice &choice, const QString &value, const QPoint &place, bool isRising)
{
    const std::vector<sweep::TrialRecord> &all = m_client->trials(choice.sweepId);
    const int trial = choice.trial;
    if (trial < 1 || static_cast<std::size_t>(trial) > all.size()) {
        QToolTip::hideText();
        return;
    }
    const sweep::TrialRecord &record = all[static_cast<std::size_t>(trial - 1)];
    QStringList lines{value.isEmpty() ? tr("Trial %1").arg(trial) : tr("Trial %1: %2").arg(trial).arg(value)};
    for (const auto &[name, parameter] : record.parameters)
        lines << u"%1 %2"_s.arg(QString::fromStdString(name), parameterText(parameter));
    const QString text = lines.join(u'\n');
    const int height =
        QFontMetrics(QToolTip::font()).boundingRect(QRect(0, 0, QWIDGETSIZE_MAX, QWIDGETSIZE_MAX), 0, text).height();
    const QPoint above = place - QPoint(0, height + textScaled(aroundToolTip));
    QToolTip::showText(isRising || !screen()->geometry().contains(above) ? place : above,
                       u"<p style='white-space:pre'>%1</p>"_s.arg(text.toHtmlEscaped()), m_plots);
}

void ComparisonPanel::showSame()
{
    const QStringList &equal = m_model->equalValues();
    const QString list = equal.join(u" · "_s);
    const bool isAll = m_model->isEveryParameterEqual();
    m_same->setText(isAll ? tr("All parameters equal: %1").arg(list) : tr("Equal: %1").arg(list));
    m_same->setToolTip((isAll ? tr("All parameters are equal:") : tr("Equal in all of these trials:")) + u'\n'
                       + equal.join(u'\n'));
    m_same->setVisible(!equal.isEmpty());
    m_onlyDifferences->setVisible(!equal.isEmpty());
}

}  // namespace sweepscope::ui
