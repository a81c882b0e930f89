#include "ui/trials/trialspage.h"

#include "ui/home/emptyview.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/trials/statedelegate.h"
#include "ui/trials/trialclipboard.h"
#include "ui/trials/trialcommands.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int rowHeight = 28;
constexpr int rowsThatSetWidths = 50;
constexpr int widestColumn = 280;

}  // namespace

TrialsPage::TrialsPage(client::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_model(new TrialTableModel(wallNow, this)),
      m_proxy(new TrialFilterProxy(m_model, this)),
      m_table(new QTableView(this)),
      m_filter(new QLineEdit(this)),
      m_state(new QComboBox(this)),
      m_count(new QLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"trials"_s, this))
{
    setObjectName(u"trialsPage"_s);
    buildFilters();
    buildTable();

    auto *bar = new QHBoxLayout;
    bar->setSpacing(spacing::small);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_state);
    bar->addWidget(m_count);
    bar->addStretch(1);

    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    connect(m_empty, &EmptyView::actionTriggered, this, [this] {
        if (!m_proxy->isFiltering()) {
            Q_EMIT newSweepRequested();
            return;
        }
        m_filter->clear();
        m_state->setCurrentIndex(0);
    });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addLayout(bar);
    layout->addWidget(m_stack, 1);

    m_ticker.setInterval(1s);
    m_grow.setSingleShot(true);
    m_grow.setInterval(400ms);
    connect(&m_grow, &QTimer::timeout, this, &TrialsPage::growColumns);
    connect(&m_ticker, &QTimer::timeout, m_model, &TrialTableModel::tick);
    connect(m_client, &client::EngineClient::trialsChanged, this, &TrialsPage::trialsChanged);
    connect(m_client, &client::EngineClient::sweepsChanged, this, &TrialsPage::sweepsChanged);
    updateShown();
}

void TrialsPage::buildFilters()
{
    m_filter->setObjectName(u"trialsFilter"_s);
    m_filter->setAccessibleName(tr("Filter trials"));
    m_filter->setPlaceholderText(tr("Filter, e.g. adam lr<0.01"));
    m_filter->setToolTip(
        tr("Words that are part of a row, and comparisons: lr<0.01  optimizer=adam  best>0.9  trial>=5  seconds<60"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(220);
    m_filter->addAction(symbolIcon(u"search"_s, QPalette::PlaceholderText), QLineEdit::LeadingPosition);
    connect(m_filter, &QLineEdit::textChanged, this, &TrialsPage::filterChanged);

    m_state->setObjectName(u"trialsStateFilter"_s);
    m_state->setAccessibleName(tr("Show trials in state"));
    m_state->addItem(tr("All states"));
    for (const auto state : {sweep::TrialState::Waiting, sweep::TrialState::Starting, sweep::TrialState::Running,
                             sweep::TrialState::Paused, sweep::TrialState::Completed, sweep::TrialState::Pruned,
                             sweep::TrialState::Failed, sweep::TrialState::Stopped, sweep::TrialState::Lost})
        m_state->addItem(stateIcon(state), stateText(state), static_cast<int>(state));
    connect(m_state, &QComboBox::currentIndexChanged, this, &TrialsPage::filterChanged);

    m_count->setObjectName(u"trialsCount"_s);
    m_count->setForegroundRole(QPalette::PlaceholderText);
}

void TrialsPage::buildTable()
{
    m_table->setObjectName(u"trialsTable"_s);
    m_table->setAccessibleName(tr("Trials"));
    m_table->setModel(m_proxy);
    m_table->setItemDelegateForColumn(m_model->section(TrialTableModel::Column::State), new StateDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setWordWrap(false);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->setIconSize({spacing::iconSize, spacing::iconSize});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setResizeContentsPrecision(rowsThatSetWidths);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        if (!m_fitting)
            m_sizedByHand.insert(section);
    });
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);

    auto *copy = new QAction(this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_table->addAction(copy);
    connect(copy, &QAction::triggered, this, &TrialsPage::copySelectedRows);
    connect(m_table, &QWidget::customContextMenuRequested, this, &TrialsPage::showRowMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &TrialsPage::showHeaderMenu);
    connect(m_table, &QTableView::activated, this, [this] {
        if (const sweep::TrialRecord *trial = currentTrial())
            Q_EMIT trialActivated(m_sweepId, trial->number);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const sweep::TrialRecord *trial = currentTrial())
            Q_EMIT trialSelected(m_sweepId, trial->number);
    });
}

void TrialsPage::showSweep(qint64 sweepId)
{
    m_sweepId = sweepId;
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (record)
        m_model->setSweep(*record, m_client->trials(sweepId));
    else
        m_model->setSweep({}, {});
    fitColumns();
    updateShown();
}

void TrialsPage::selectTrial(int trialNumber)
{
    const int row = m_model->rowOf(trialNumber);
    if (row < 0)
        return;
    const QModelIndex index = m_proxy->mapFromSource(m_model->index(row, 0));
    if (!index.isValid() || index.row() == m_table->currentIndex().row())
        return;
    m_table->selectRow(index.row());
    m_table->scrollTo(index);
}

void TrialsPage::sweepsChanged()
{
    // A sweep that is new here, or one whose engine was started again with another record.
    if (m_sweepId == 0 || m_model->sweep().id == m_sweepId)
        return;
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
        fitColumns();
    else if (!m_grow.isActive())
        m_grow.start();
    updateShown();
}

void TrialsPage::filterChanged()
{
    m_proxy->setFilterText(m_filter->text());
    const QVariant state = m_state->currentData();
    m_proxy->setStates(state.isValid() ? std::vector{static_cast<sweep::TrialState>(state.toInt())}
                                       : std::vector<sweep::TrialState>{});
    updateShown();
}

void TrialsPage::updateShown()
{
    const int all = m_model->rowCount();
    const int shown = m_proxy->rowCount();
    if (all == 0 && m_sweepId == 0)
        m_empty->setMessage(
            tr("No sweep chosen"),
            tr("Choose a sweep on the left, or define a new one and press Start. Its trials are listed here, "
               "with their parameters and results."),
            tr("Define a sweep"));
    else if (all == 0)
        m_empty->setMessage(tr("No trials yet"), tr("The engine has not listed the trials of this sweep yet."));
    else if (shown == 0)
        m_empty->setMessage(tr("No trial fits the filter"),
                            tr("All %1 trials of this sweep are hidden by the filter above.").arg(all),
                            tr("Clear filter"));
    m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget *>(m_table) : m_empty);
    m_count->setText(all == 0       ? QString()
                     : shown == all ? tr("%1 trials").arg(all)
                                    : tr("%1 of %2 trials").arg(shown).arg(all));
}

void TrialsPage::fitColumns()
{
    m_sizedByHand.clear();
    m_fitting = true;
    // The last one takes what is left.
    for (int section = 0; section < m_model->columnCount() - 1; ++section)
        m_table->setColumnWidth(section, m_table->horizontalHeader()->sectionSizeHint(section));
    m_fitting = false;
    growColumns();
}

void TrialsPage::growColumns()
{
    const QAbstractItemView *view = m_table;
    m_fitting = true;
    for (int section = 0; section < m_model->columnCount() - 1; ++section) {
        const int wanted = std::min(view->sizeHintForColumn(section), widestColumn);
        if (!m_sizedByHand.contains(section) && wanted > m_table->columnWidth(section))
            m_table->setColumnWidth(section, wanted);
    }
    m_fitting = false;
}

void TrialsPage::showRowMenu(const QPoint &position)
{
    const sweep::TrialRecord *trial = currentTrial();
    if (!trial || !m_table->indexAt(position).isValid())
        return;
    const int number = trial->number;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"trialMenu"_s);
    QAction *details = menu->addAction(symbolIcon(u"trial"_s), tr("Show details"), this,
                                       [this, number] { Q_EMIT trialActivated(m_sweepId, number); });
    details->setShortcut(Qt::Key_Return);
    menu->setDefaultAction(details);
    menu->addAction(symbolIcon(u"live"_s), tr("Show curves"), this,
                    [this, number] { Q_EMIT liveRequested(m_sweepId, number); });
    menu->addAction(symbolIcon(u"logs"_s), tr("Show logs"), this,
                    [this, number] { Q_EMIT logsRequested(m_sweepId, number); });
    menu->addSeparator();
    std::vector<int> numbers;
    for (const int row : selectedRows())
        numbers.push_back(m_model->trial(m_proxy->mapToSource(m_proxy->index(row, 0)).row()).number);
    addTrialCommands(menu, m_client, m_sweepId, numbers, this);
    menu->addSeparator();
    menu->addAction(symbolIcon(u"copy"_s), tr("Copy parameters as JSON"), this,
                    [json = parametersAsJson(*trial)] { QGuiApplication::clipboard()->setText(json); });
    menu->addAction(tr("Copy rows"), QKeySequence::Copy, this, &TrialsPage::copySelectedRows);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void TrialsPage::showHeaderMenu(const QPoint &position)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int section = 1; section < m_model->columnCount(); ++section) {
        QAction *action = menu->addAction(m_model->headerData(section, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(section));
        connect(action, &QAction::toggled, m_table,
                [this, section](bool on) { m_table->setColumnHidden(section, !on); });
    }
    menu->popup(m_table->horizontalHeader()->mapToGlobal(position));
}

void TrialsPage::copySelectedRows() const
{
    QGuiApplication::clipboard()->setText(rowsAsText(*m_proxy, selectedRows()));
}

QList<int> TrialsPage::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        rows << index.row();
    std::ranges::sort(rows);
    return rows;
}

const sweep::TrialRecord *TrialsPage::currentTrial() const
{
    const QModelIndex index = m_proxy->mapToSource(m_table->currentIndex());
    return index.isValid() ? &m_model->trial(index.row()) : nullptr;
}

void TrialsPage::showEvent(QShowEvent *event)
{
    m_ticker.start();
    QWidget::showEvent(event);
}

void TrialsPage::hideEvent(QHideEvent *event)
{
    m_ticker.stop();
    QWidget::hideEvent(event);
}

}  // namespace sweepscope::ui
