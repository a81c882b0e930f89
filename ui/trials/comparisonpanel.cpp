#include "ui/trials/comparisonpanel.h"

#include "ui/base/emptyview.h"
#include "ui/models/valuetext.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/trialplots.h"
#include "ui/plot/trialsource.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/trials/comparisonmodel.h"
#include "ui/trials/curvetints.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
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
constexpr int columnWidth = 110;
constexpr int firstPlotsWidth = 600;  ///< relative
constexpr int firstTableWidth = 400;
constexpr int widthForBoth = 860;
constexpr auto soon = 120ms;
constexpr auto seldom = 1s;  ///< for many trials

}  // namespace

ComparisonPanel::ComparisonPanel(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_plots(new TrialPlots(this)),
      m_model(new ComparisonModel(wallNow, this)),
      m_table(new QTableView(this)),
      m_colors(new QComboBox(this)),
      m_key(new QLabel(this)),
      m_note(new QLabel(this)),
      m_same(new ElidedLabel(this)),
      m_facts(new QWidget(this)),
      m_curves(new QToolButton(this)),
      m_differences(new QToolButton(this)),
      m_alone(new QToolButton(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"compare"_s, this))
{
    setObjectName(u"comparison"_s);
    m_plots->setObjectName(u"comparisonPlots"_s);
    m_plots->setForTrials();
    m_plots->setEmptyText(tr("These trials have not reported this metric yet."));
    m_table->setObjectName(u"comparisonTable"_s);
    m_table->setAccessibleName(tr("Differences"));
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
    m_table->horizontalHeader()->setDefaultSectionSize(textScaled(columnWidth));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->horizontalHeader()->setToolTip(tr("Click, or press Enter in a cell, to open the trial"));
    const auto open = [this](int column) {
        Q_EMIT trialActivated(m_model->trials()[static_cast<std::size_t>(column)].number);
    };
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, open);
    connect(m_table, &QTableView::activated, this, [open](const QModelIndex &index) { open(index.column()); });
    m_table->setTabKeyNavigation(false);
    auto *splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_plots);
    m_same->setObjectName(u"comparisonSame"_s);
    setTextRole(m_same, TextRole::Small);
    m_same->setContentsMargins(spacing::small, 0, 0, 0);
    auto *facts = new QVBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(spacing::tiny);
    facts->addWidget(m_same);
    facts->addWidget(m_table, 1);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({firstPlotsWidth, firstTableWidth});
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
    connect(m_plots, &TrialPlots::trialClicked, this, &ComparisonPanel::trialActivated);
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
    auto *layout = new QHBoxLayout(head);
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
    m_colors->setObjectName(u"comparisonColors"_s);
    m_colors->setToolTip(tr("What the colors of the curves show"));
    m_colors->setAccessibleName(tr("Color"));
    m_colors->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_colors->setMinimumContentsLength(14);
    m_colors->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);  // the texts next to it give way
    layout->addWidget(m_colors);
    m_key->setObjectName(u"comparisonKey"_s);
    setTextRole(m_key, TextRole::Small);
    m_key->setTextFormat(Qt::RichText);
    layout->addWidget(m_key);
    m_note->setObjectName(u"comparisonNote"_s);
    setTextRole(m_note, TextRole::Small);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the tooltip has the full text
    layout->addWidget(m_note, 1);
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
}

/// Makes those of many trials only once: it takes some microseconds each.
std::vector<TrialSource> ComparisonPanel::sourcesOf(const sweep::SweepRecord &sweep,
                                                    const std::vector<const sweep::TrialRecord *> &trials,
                                                    const CurveTints &tints)
{
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
        const auto place = static_cast<std::size_t>(trial->number - 1);
        source.tint = place < tints.colors.size() ? tints.colors[place] : std::nullopt;
        sources.push_back(source);
    }
    return sources;
}

void ComparisonPanel::update()
{
    const sweep::SweepRecord *sweep = m_client->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &all = m_client->trials(m_sweepId);
    std::vector<const sweep::TrialRecord *> shown;
    for (const int number : m_trials) {
        if (sweep && number >= 1 && static_cast<std::size_t>(number) <= all.size())
            shown.push_back(&all[static_cast<std::size_t>(number - 1)]);
    }
    m_stack->setCurrentIndex(shown.empty() ? 1 : 0);
    if (shown.empty()) {
        m_plots->clear();
        m_model->setTrials({}, {});
        return;
    }
    m_hasDifferences = m_shown == Shown::Selection && shown.size() >= 2 && shown.size() <= mostWithDifferences;
    arrange();
    showCurves(*sweep, shown);
    showNote();
    if (!m_hasDifferences) {
        m_model->setTrials({}, {});
        return;
    }
    std::vector<sweep::TrialRecord> records;
    for (const sweep::TrialRecord *trial : shown)
        records.push_back(*trial);
    const QModelIndex current = m_table->currentIndex();
    const QPoint cell(current.column(), current.row());
    std::map<int, QRgb> tints;
    for (const sweep::TrialRecord &trial : records) {
        const auto source = m_sources.find(trial.number);
        if (source != m_sources.end() && source->second.tint)
            tints.emplace(trial.number, *source->second.tint);
    }
    m_model->setTrials(*sweep, std::move(records), tints);
    // Keep the current cell for keyboard users while trials run.
    if (const QModelIndex again = m_model->index(cell.y(), cell.x()); again.isValid())
        m_table->selectionModel()->setCurrentIndex(again, QItemSelectionModel::NoUpdate);
    showSame();
}

void ComparisonPanel::showCurves(const sweep::SweepRecord &sweep, std::vector<const sweep::TrialRecord *> trials)
{
    std::erase_if(trials, [](const sweep::TrialRecord *trial) { return trial->attempts == 0; });
    m_hasSeveralRanks = std::ranges::any_of(trials, [](const sweep::TrialRecord *trial) { return trial->ranks > 1; });
    fillColors(sweep);
    const QString by = m_colors->currentData().toString();
    CurveTints tints;
    // The colors of many trials say nothing.
    if (trials.size() > mostWithDifferences && !m_hadMany)
        m_colors->setCurrentIndex(1);
    if (m_colors->currentIndex() > 0) {
        // The last one is drawn above the others.
        std::ranges::stable_sort(trials, [&](const sweep::TrialRecord *a, const sweep::TrialRecord *b) {
            return sweep::isBetter(*b, *a, sweep.goal);
        });
        // Of all trials of the sweep: a filter or selection does not change colors.
        std::vector<const sweep::TrialRecord *> all;
        for (const sweep::TrialRecord &trial : m_client->trials(sweep.id))
            all.push_back(&trial);
        const bool onDark = isDark(palette());
        tints = m_colors->currentIndex() == 1 ? tintsByObjective(sweep, all, onDark)
                                              : tintsByParameter(by.toStdString(), all, onDark);
    }
    const std::vector<TrialSource> sources = sourcesOf(sweep, trials, tints);
    showKey(tints);
    if (trials.size() > mostWithDifferences && !std::exchange(m_hadMany, true))
        m_plots->ignoreOutliers(true);  // one trial that diverged would squeeze all others
    if (sources.empty())
        m_plots->clear();
    else
        m_plots->showSources(sources);
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

void ComparisonPanel::showKey(const CurveTints &tints)
{
    QStringList words;
    for (const auto &[text, color] : tints.key)
        words << u"<span style='color:%1'>■</span> %2"_s.arg(color.name(), text.toHtmlEscaped());
    m_key->setText(words.join(tints.isGradient ? u" … "_s : u"&nbsp; "_s));
    m_key->setVisible(!words.isEmpty());
}

void ComparisonPanel::showNote()
{
    const auto trials = static_cast<qsizetype>(m_trials.size());
    QStringList notes;
    if (m_missingCurves > 0)
        notes << tr("Reading curves: %L1 of %L2").arg(std::max<qsizetype>(0, trials - m_missingCurves)).arg(trials);
    if (m_hasSeveralRanks)
        notes << (m_hasDifferences ? tr("Curves: mean over ranks. Best and last: rank 0.")
                                   : tr("Curves: mean over ranks."));
    if (!m_hasDifferences && trials > 1)
        notes << tr("Select 2 to %1 trials to see how they differ.").arg(mostWithDifferences);
    m_note->setText(notes.join(u" · "_s));
    m_note->setToolTip(m_note->text());
}

/// "trial 12 · 0.231", and its parameters.
void ComparisonPanel::showPointed(int trial, const QString &value, const QPoint &place)
{
    const std::vector<sweep::TrialRecord> &all = m_client->trials(m_sweepId);
    if (trial < 1 || static_cast<std::size_t>(trial) > all.size()) {
        QToolTip::hideText();
        return;
    }
    const sweep::TrialRecord &record = all[static_cast<std::size_t>(trial - 1)];
    QStringList lines{value.isEmpty() ? tr("Trial %1").arg(trial) : tr("Trial %1: %2").arg(trial).arg(value)};
    for (const auto &[name, parameter] : record.parameters)
        lines << u"%1 %2"_s.arg(QString::fromStdString(name), parameterText(parameter));
    QToolTip::showText(place, lines.join(u'\n'), m_plots);
}

void ComparisonPanel::showSame()
{
    const QStringList &same = m_model->sameParameters();
    const QString list = same.join(u" · "_s);
    const bool isAll = static_cast<std::size_t>(same.size()) == m_model->parameterCount();
    m_same->setText(isAll ? tr("All parameters equal: %1").arg(list) : tr("Equal: %1").arg(list));
    m_same->setToolTip((isAll ? tr("All parameters are equal:") : tr("Equal in all of these trials:")) + u'\n'
                       + same.join(u'\n'));
    m_same->setVisible(!same.isEmpty());
}

}  // namespace sweepscope::ui
