#include "ui/trials/trialspage.h"

#include "ui/actions/trialclipboard.h"
#include "ui/actions/trialcommands.h"
#include "ui/actions/trialmarker.h"
#include "ui/actions/trialundo.h"
#include "ui/base/emptyview.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/models/energyreader.h"
#include "ui/models/sweepkey.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/trials/cellcondition.h"
#include "ui/trials/comparisonpanel.h"
#include "ui/trials/statedelegate.h"
#include "ui/trials/trialcolumns.h"
#include "ui/trials/trialfilterbar.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto emptyHold = 350ms;
constexpr int comfortableComparison = 380;

}  // namespace

TrialsPage::TrialsPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_selection(selection),
      m_model(new TrialTableModel(wallNow, this)),
      m_rows(new TrialRows(m_model, this)),
      m_table(new TrialTable(m_rows, this)),
      m_columns(new TrialColumns(m_table, m_model, settings)),
      m_energy(new EnergyReader(client, this)),
      m_bar(new TrialFilterBar(m_model, settings, this)),
      m_comparison(new ComparisonPanel(client, this)),
      m_undo(new TrialUndo(client, this)),
      m_marker(new TrialMarker(client, m_undo, this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"trials"_s, this))
{
    setObjectName(u"trialsPage"_s);
    setFirstForKeys(this, m_table);
    m_table->setItemDelegateForColumn(m_model->section(TrialTableModel::Column::State), new StateDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_splitter->setObjectName(u"trialsSplitter"_s);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_comparison);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_comparison->hide();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addWidget(m_bar);
    layout->addWidget(m_splitter, 1);

    connectParts();
    addKeys();
    updateShown();
}

void TrialsPage::connectParts()
{
    connect(m_bar, &TrialFilterBar::filterChanged, this, &TrialsPage::followFilter);
    connect(m_bar, &TrialFilterBar::filterFinished, this, &TrialsPage::applyFilter);
    m_hold.setSingleShot(true);
    m_hold.setInterval(emptyHold);
    connect(&m_hold, &QTimer::timeout, this, &TrialsPage::applyFilter);
    connect(m_bar, &TrialFilterBar::groupingChanged, this, [this] {
        m_rows->setGroupedBy(m_bar->groupedBy());
        m_columns->fit();
        updateShown();
    });
    connect(m_bar->columnsMenu(), &QMenu::aboutToShow, this, [this] {
        m_bar->columnsMenu()->clear();
        m_columns->fillMenu(m_bar->columnsMenu());
    });
    connect(m_bar->curvesButton(), &QToolButton::toggled, this, [this](bool on) {
        m_comparison->setVisible(on);
        arrangeComparison();
        compare();
        showCurveColors();
    });
    connect(m_comparison, &ComparisonPanel::colorsChanged, this, &TrialsPage::showCurveColors);
    connect(m_comparison, &ComparisonPanel::aloneChosen, this, &TrialsPage::arrangeComparison);
    connect(m_empty, &EmptyView::actionTriggered, this, [this] {
        if (m_rows->isFiltering())
            m_bar->clear();
        else
            Q_EMIT newSweepRequested();
    });

    connect(m_table, &QWidget::customContextMenuRequested, this, &TrialsPage::showRowMenu);
    connect(m_table, &TrialTable::trialActivated, this, [this](int trial) { Q_EMIT trialActivated(m_sweepId, trial); });
    connect(m_table, &TrialTable::trialChosen, m_selection,
            [this](int trial) { m_selection->selectTrial(m_sweepId, trial); });
    connect(m_selection, &SelectionModel::changed, this, [this](const Selection &now) {
        if (now.sweepId != m_sweepId)
            showSweep(now.sweepId);
        else
            m_table->setCurrentTrial(now.trial);
    });
    connect(m_table, &TrialTable::selectedTrialsChanged, this, &TrialsPage::compare);
    connect(m_table, &TrialTable::selectedTrialsChanged, this, [this] {
        std::vector<int> trials = m_table->selectedTrials();
        std::ranges::sort(trials);
        m_bar->setCount(m_rows->trialCount(), m_model->rowCount(), m_model->removedTrials(),
                        static_cast<int>(trials.size()));
        if (isVisible() && !m_followsBrush)
            m_selection->brush(trials.size() > 1 ? std::move(trials) : std::vector<int>());
    });
    connect(m_selection, &SelectionModel::brushChanged, this, &TrialsPage::followBrush);
    connect(m_table, &TrialTable::starClicked, this, [this](int trial) { m_marker->toggleStars(m_sweepId, {trial}); });
    connect(m_marker, &TrialMarker::written, m_columns, &TrialColumns::show);
    connect(m_comparison, &ComparisonPanel::trialActivated, this, &TrialsPage::trialActivated);
    connect(m_comparison, &ComparisonPanel::trialsSelected, m_table, &TrialTable::selectTrials);
    connect(m_comparison, &ComparisonPanel::allTrialsRequested, m_table,
            [this] { m_table->selectTrials({m_selection->current().trial}, false); });

    connect(m_undo, &TrialUndo::reported, this, &TrialsPage::reported);
    m_ticker.setInterval(1s);
    m_grow.setSingleShot(true);
    m_grow.setInterval(400ms);
    connect(&m_grow, &QTimer::timeout, m_columns, &TrialColumns::grow);
    connect(&m_ticker, &QTimer::timeout, m_model, &TrialTableModel::tick);
    connect(m_energy, &EnergyReader::changed, this, [this] { m_model->setEnergy(m_energy->energy()); });
    const auto nameDevices = [this] { m_model->setMachine(m_client->allDevices()); };
    nameDevices();
    connect(m_client, &protocol::EngineClient::devicesChanged, this, nameDevices);
    connect(m_client, &protocol::EngineClient::trialsChanged, this, &TrialsPage::trialsChanged);
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, &TrialsPage::sweepsChanged);
}

/// An incomplete word usually matches nothing: keeps the table until the next key, or until the user stops typing.
void TrialsPage::followFilter()
{
    const bool mayGoOn = m_bar->isBeingTyped() && m_rows->trialCount() > 0;
    if (mayGoOn && !m_rows->wouldLeaveAny(m_bar->filter(), m_bar->states()))
        m_hold.start();
    else
        applyFilter();
}

void TrialsPage::applyFilter()
{
    m_hold.stop();
    m_rows->setFilter(m_bar->filter());
    m_rows->setStates(m_bar->states());
    m_columns->grow();
    updateShown();
    compare();
}

void TrialsPage::showSweep(qint64 sweepId)
{
    if (sweepId != m_sweepId)
        m_table->clearTrials();
    m_sweepId = sweepId;
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (record)
        m_model->setSweep(*record, m_client->trials(sweepId));
    else
        m_model->setSweep({}, {});
    m_energy->setSweep(sweepId);
    m_model->setEnergy(m_energy->energy());
    if (m_divergedOf == sweepId)
        m_model->setDiverged(m_diverged);
    m_rows->setFilter(TrialFilter());  // a stored one with a mistake must not leave that of the sweep before
    m_bar->restore(settingsKey());
    m_columns->restore(settingsKey());
    updateShown();
    compare();
}

void TrialsPage::setDiverged(qint64 sweepId, const std::set<int> &trials)
{
    m_divergedOf = sweepId;
    m_diverged = trials;
    if (m_model->sweep().id == sweepId)
        m_model->setDiverged(trials);
}

/// A sweep has the same key in every window.
QString TrialsPage::settingsKey() const
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (!record)
        return {};
    return ui::settingsKey(m_client->workspace(), *record);
}

void TrialsPage::setFilter(const QString &text, const std::vector<int> &trials)
{
    m_bar->setText(TrialFilter::textFor(text, trials, *m_model));
}

PictureSaver *TrialsPage::pictures() const
{
    return m_comparison->pictures();
}

ExportScope TrialsPage::exportScope() const
{
    ExportScope scope;
    scope.filtered = m_rows->fittingTrials();
    scope.selected = m_table->selectedTrials();
    for (const int section : m_columns->shownSections())
        for (std::string &name : m_model->exportColumns(section))
            scope.columns.insert(std::move(name));
    return scope;
}

void TrialsPage::sweepsChanged()
{
    // For a new sweep, or after an edit, which may have changed the objective.
    const sweep::SweepRecord *record = m_sweepId == 0 ? nullptr : m_client->sweep(m_sweepId);
    if (record && (m_model->sweep().id != m_sweepId || m_model->sweep().toml != record->toml))
        showSweep(m_sweepId);
}

void TrialsPage::trialsChanged(qint64 sweepId, int firstNumber, int lastNumber)
{
    if (sweepId != m_sweepId)
        return;
    const bool wasEmpty = m_model->rowCount() == 0;
    if (m_model->sweep().id != sweepId)
        showSweep(sweepId);
    else
        m_model->updateTrials(m_client->trials(sweepId), firstNumber, lastNumber);
    if (wasEmpty)
        m_columns->restore(settingsKey());
    else if (!m_grow.isActive())
        m_grow.start();
    updateShown();
    if (m_comparison->isVisible()) {
        compare();
        m_comparison->refresh();
    }
}

void TrialsPage::arrangeComparison()
{
    const bool isShown = m_bar->curvesButton()->isChecked();
    m_stack->setVisible(!isShown || !m_comparison->isAlone());
    if (!isShown || m_hasArranged || !isVisible())
        return;
    // Half of a low page is too little for curves; from then on the user decides.
    m_hasArranged = true;
    const int all = m_splitter->height();
    const int compared = std::clamp(textScaled(comfortableComparison), all / 2, std::max(all / 2, all * 2 / 3));
    m_splitter->setSizes({all - compared, compared});
    m_table->scrollTo(m_table->currentIndex());  // in its reduced height
}

void TrialsPage::compare()
{
    if (!m_bar->curvesButton()->isChecked())
        return;
    const std::vector<int> selected = m_table->trialsOfSelection();
    const int chosen = selected.size() == 1 ? selected.front() : 0;
    const bool isOfGroup = m_table->isGroupChosen() && !selected.empty();
    if (selected.size() > 1 || isOfGroup)
        m_comparison->showTrials(m_sweepId, selected, ComparisonPanel::Shown::Selection, chosen);
    else
        m_comparison->showTrials(m_sweepId, m_rows->fittingTrials(), ComparisonPanel::Shown::Table, chosen);
}

void TrialsPage::showCurveColors()
{
    m_model->setCurveColors(m_bar->curvesButton()->isChecked() ? m_comparison->curveColors() : std::map<int, QRgb>());
}

void TrialsPage::updateShown()
{
    const int all = m_model->rowCount();
    const int shown = m_rows->trialCount();
    if (all == 0 && m_sweepId == 0)
        m_empty->setMessage(tr("No sweep selected"),
                            tr("Select a sweep in the sidebar, or create one and press Start. Its trials, parameters "
                               "and results appear here."),
                            tr("New sweep"));
    else if (all == 0)
        m_empty->setMessage(tr("No trials yet"), tr("The engine has not listed the trials of this sweep yet."));
    else if (shown == 0)
        m_empty->setMessage(tr("No matching trials"),
                            tr("The filter above hides all %L1 trials of this sweep.").arg(all), tr("Clear filter"));
    m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget *>(m_table) : m_empty);
    m_bar->setCount(shown, all, m_model->removedTrials(), static_cast<int>(m_table->selectedTrials().size()));
    // A filter may have added or removed its row. Keep the current row on a group that the user moved to.
    if (m_model->sweep().id == m_selection->current().sweepId && !m_table->isOnGroup())
        m_table->setCurrentTrial(m_selection->current().trial);
}

void TrialsPage::addKeys()
{
    const auto add = [this](QWidget *widget, const QKeySequence &keys, auto &&act) {
        auto *action = new QAction(widget);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        widget->addAction(action);
        connect(action, &QAction::triggered, this, act);
    };
    add(m_table, QKeySequence::Copy, [this] { copySelectedRows(); });
    add(m_table, Qt::Key_S, [this] { m_marker->toggleStars(m_sweepId, m_table->selectedTrials()); });
    add(m_table, Qt::Key_N, [this] { m_marker->edit(m_sweepId, m_table->selectedTrials()); });
    add(m_table, Qt::Key_K, [this] { keepForComparison(); });
    add(m_table, Qt::Key_O, [this] { sortByCurrentColumn(); });
    add(m_table, Qt::ALT | Qt::Key_Left, [this] { m_columns->move(m_table->currentIndex().column(), -1); });
    add(m_table, Qt::ALT | Qt::Key_Right, [this] { m_columns->move(m_table->currentIndex().column(), 1); });
    add(this, QKeySequence::Undo, [this] { m_undo->undo(); });
    add(this, QKeySequence::Find, [this] { m_bar->focusFilter(); });
}

/// Also shows the curves, so that there is something to see.
void TrialsPage::keepForComparison()
{
    const std::vector<int> trials = m_table->selectedTrials();
    if (trials.empty())
        return;
    const std::size_t before = m_comparison->keptCount();
    m_comparison->toggleKept(m_sweepId, trials);
    m_bar->curvesButton()->setChecked(true);
    Q_EMIT reported(keptText(trials, before));
}

/// What keepForComparison() did.
QString TrialsPage::keptText(const std::vector<int> &trials, std::size_t before) const
{
    const std::size_t now = m_comparison->keptCount();
    if (now < before) {
        const QString removed = before - now == 1 ? tr("Trial %1 removed from the comparison").arg(trials.front())
                                                  : tr("%L1 trials removed from the comparison").arg(before - now);
        return now == 0 ? tr("%1.").arg(removed) : tr("%1, %L2 left.").arg(removed).arg(now);
    }
    if (!m_comparison->hasKept(m_sweepId, trials))
        return tr("The comparison keeps at most %L1 trials.").arg(ComparisonPanel::mostWithDifferences);
    const QString kept = now - before == 1 && trials.size() == 1
                             ? tr("Trial %1 kept for comparison").arg(trials.front())
                         : now - before == 1 ? tr("1 more trial kept for comparison")
                         : before > 0        ? tr("%L1 more trials kept for comparison").arg(now - before)
                                             : tr("%L1 trials kept for comparison").arg(now - before);
    return before == 0 ? tr("%1.").arg(kept) : tr("%1, %L2 in total.").arg(kept).arg(now);
}

/// The same as a click on its title.
void TrialsPage::sortByCurrentColumn()
{
    const int column = m_table->currentIndex().column();
    if (column < 0)
        return;
    const QHeaderView *header = m_table->horizontalHeader();
    const bool isRising =
        header->sortIndicatorSection() == column && header->sortIndicatorOrder() == Qt::AscendingOrder;
    m_table->sortByColumn(column, isRising ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TrialsPage::showRowMenu(const QPoint &position)
{
    const QModelIndex cell = m_table->indexAt(position);
    const int number = m_table->currentTrial();
    if (number == 0 || !cell.isValid() || m_rows->group(cell.row()))
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"trialMenu"_s);
    QAction *details = menu->addAction(symbolIcon(u"trial"_s), tr("Show details"), this,
                                       [this, number] { Q_EMIT trialActivated(m_sweepId, number); });
    details->setShortcut(Qt::Key_Return);
    menu->setDefaultAction(details);
    menu->addAction(symbolIcon(u"live"_s), tr("Show curves"), this,
                    [this, number] { Q_EMIT liveRequested(m_sweepId, number); });
    menu->addAction(symbolIcon(u"logs"_s), tr("Show log"), this,
                    [this, number] { Q_EMIT logsRequested(m_sweepId, number); });
    const std::vector<int> trials = m_table->selectedTrials();
    QAction *keep = menu->addAction(m_comparison->hasKept(m_sweepId, trials) ? tr("Remove from comparison")
                                                                             : tr("Keep for comparison"),
                                    this, &TrialsPage::keepForComparison);
    keep->setObjectName(u"keepTrials"_s);
    keep->setShortcut(Qt::Key_K);
    menu->addSeparator();
    m_marker->addTo(menu, m_sweepId, trials);
    menu->addSeparator();
    addTrialCommands(menu, m_client, m_undo, m_sweepId, trials, this);
    QAction *undo = menu->addAction(symbolIcon(u"undo"_s), tr("Undo"), m_undo, &TrialUndo::undo);
    undo->setObjectName(u"undoTrials"_s);
    undo->setShortcut(QKeySequence::Undo);
    undo->setToolTip(
        tr("Undo the last change of stars, tags, notes or queue order, or the last stop of queued trials"));
    undo->setEnabled(m_undo->canUndo() && !m_client->isReadOnly());
    menu->addSeparator();
    if (const QString condition = cellCondition(*m_model, m_rows->mapToSource(cell)); !condition.isEmpty()) {
        QAction *filter = menu->addAction(symbolIcon(u"filter"_s), tr("Only %1").arg(condition), this,
                                          [this, condition] { m_bar->addCondition(condition); });
        filter->setObjectName(u"filterByCell"_s);
    }
    QAction *sort = menu->addAction(tr("Sort by %1").arg(m_model->headerData(cell.column(), Qt::Horizontal).toString()),
                                    this, &TrialsPage::sortByCurrentColumn);
    sort->setObjectName(u"sortByCell"_s);
    sort->setShortcut(Qt::Key_O);
    const sweep::TrialRecord &trial = m_model->trial(m_model->rowOf(number));
    menu->addAction(symbolIcon(u"copy"_s), tr("Copy parameters as JSON"), this,
                    [json = parametersAsJson(trial)] { QGuiApplication::clipboard()->setText(json); });
    menu->addAction(tr("Copy rows"), QKeySequence::Copy, this, &TrialsPage::copySelectedRows);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void TrialsPage::copySelectedRows() const
{
    QList<int> rows;
    for (const int trial : m_table->selectedTrials())
        rows << m_rows->rowOfTrial(trial);
    QGuiApplication::clipboard()->setText(rowsAsText(*m_rows, rows, m_columns->shownSections()));
}

/// Selects the rows of trials that another page picked out, once this one is visible.
void TrialsPage::followBrush()
{
    if (!isVisible())
        return;
    const std::vector<int> &brushed = m_selection->brushed();
    std::vector<int> selected = m_table->selectedTrials();
    std::ranges::sort(selected);
    if (selected == brushed || (brushed.empty() && selected.size() < 2))
        return;
    const QScopedValueRollback following(m_followsBrush, true);
    m_table->selectTrials(brushed.empty() ? std::vector<int>{m_selection->current().trial} : brushed, false);
}

void TrialsPage::showEvent(QShowEvent *event)
{
    m_ticker.start();
    QWidget::showEvent(event);
    followBrush();
}

void TrialsPage::hideEvent(QHideEvent *event)
{
    m_ticker.stop();
    QWidget::hideEvent(event);
}

}  // namespace sweepscope::ui
