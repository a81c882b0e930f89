#include "ui/home/homepage.h"

#include "ui/base/emptyview.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/home/sweepcelldelegate.h"
#include "ui/home/sweepmenu.h"
#include "ui/models/sweeptablemodel.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int rowHeight = 40;
constexpr int leastName = 160;
constexpr int mostName = 640;
constexpr int leastCourse = 120;
constexpr int mostCourse = 480;

using Column = SweepTableModel::Column;

}  // namespace

/// Sorted, without archived sweeps if they are not shown, and without those that a search leaves out.
class ListedSweeps : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void showArchived(bool on)
    {
        m_showsArchived = on;
        invalidateFilter();
    }
    /// Each word must be in the name, the number or the state of a sweep.
    void search(const QString &text)
    {
        m_words = text.split(u' ', Qt::SkipEmptyParts);
        invalidateFilter();
    }
    bool searches() const { return !m_words.isEmpty(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override
    {
        const auto cell = [&](Column column) { return sourceModel()->index(row, static_cast<int>(column), parent); };
        const QModelIndex name = cell(Column::Name);
        if (!m_showsArchived && name.data(SweepTableModel::ArchivedRole) == u"archived"_s)
            return false;
        const QString text = name.data().toString() + u" #"_s + name.data(SweepTableModel::IdRole).toString() + u' '
                             + cell(Column::State).data().toString();
        return std::ranges::all_of(m_words,
                                   [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList m_words;
    bool m_showsArchived = false;
};

HomePage::HomePage(SweepListModel *sweeps, SelectionModel *selection, QWidget *parent)
    : QWidget(parent),
      m_sweeps(sweeps),
      m_model(new SweepTableModel(sweeps, this)),
      m_sorted(new ListedSweeps(this)),
      m_table(new QTableView(this)),
      m_workspace(new QLabel(this)),
      m_filter(new QLineEdit(this)),
      m_archived(new QPushButton(this)),
      m_clone(new QPushButton(symbolIcon(u"duplicate"_s), tr("Clone"), this)),
      m_connect(new QPushButton(symbolIcon(u"devices"_s), tr("Connect"), this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyView(u"home"_s, this))
{
    setObjectName(u"homePage"_s);
    buildTable();
    setFirstForKeys(this, m_table);
    connect(selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            selectSweep(now.sweepId);
    });
    connect(m_empty, &EmptyView::actionTriggered, this, [this] {
        if (m_sorted->searches())
            m_filter->clear();
        else if (m_model->rowCount() > 0)
            m_archived->setChecked(true);
        else
            Q_EMIT exampleRequested();
    });
    auto *undo = new QAction(tr("Restore from archive"), this);
    undo->setShortcut(QKeySequence::Undo);
    undo->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(undo, &QAction::triggered, this, &HomePage::undoArchiving);
    addAction(undo);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addLayout(buildHead());
    layout->addWidget(m_stack, 1);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_sorted, signal, this, &HomePage::updateShown);
    connect(m_sorted, &QAbstractItemModel::dataChanged, this, &HomePage::updateShown);
    showArchived(false);
}

QLayout *HomePage::buildHead()
{
    auto *title = new QLabel(tr("Sweeps"), this);
    setTextRole(title, TextRole::Heading);
    m_workspace->setObjectName(u"homeWorkspace"_s);
    m_workspace->setForegroundRole(QPalette::PlaceholderText);
    m_workspace->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_workspace->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_clone->setObjectName(u"homeClone"_s);
    m_clone->setToolTip(tr("Create a new sweep from the selected one"));
    connect(m_clone, &QPushButton::clicked, this, [this] { Q_EMIT copyRequested(currentSweep()); });

    m_archived->setObjectName(u"homeArchived"_s);
    m_archived->setCheckable(true);
    m_archived->setToolTip(tr("Show archived sweeps. To restore one, use its menu."));
    connect(m_archived, &QPushButton::toggled, this, &HomePage::showArchived);

    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::small);
    row->addWidget(title);
    row->addSpacing(spacing::small);
    row->addWidget(m_workspace, 1);
    m_connect->setObjectName(u"homeConnect"_s);
    m_connect->setToolTip(tr("Open a window on the workspace of another machine"));
    m_filter->setObjectName(u"homeFilter"_s);
    m_filter->setPlaceholderText(tr("Search sweeps"));
    m_filter->setAccessibleName(tr("Search sweeps"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(symbolIcon(u"search"_s), QLineEdit::LeadingPosition);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        const QScopedValueRollback changing(m_changing, true);
        m_sorted->search(text);
        selectSweep(m_selected);  // if it is listed
        updateShown();
    });
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        if (m_sorted->rowCount() == 1)
            m_table->setCurrentIndex(m_sorted->index(0, 0));
        if (currentSweep() != 0)
            Q_EMIT sweepOpened(currentSweep());
    });
    row->addWidget(m_filter, 1);
    for (QPushButton *button : {m_archived, m_clone, m_connect})
        row->addWidget(button);
    return row;
}

void HomePage::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SweepTableModel::SortRole);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setSortLocaleAware(true);
    m_table->setObjectName(u"homeTable"_s);
    m_table->setAccessibleName(tr("Sweeps"));
    m_table->setModel(m_sorted);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    followTextSize(m_table->verticalHeader(), [this, header = m_table->verticalHeader()] {
        header->setDefaultSectionSize(textScaled(rowHeight));
        m_table->setIconSize(QSize(1, 1) * textScaled(spacing::iconSize));
    });
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto *delegate = new SweepCellDelegate(m_table);
    for (const Column column : {Column::Progress, Column::Course})
        m_table->setItemDelegateForColumn(static_cast<int>(column), delegate);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setMinimumSectionSize(60);
    for (const Column column : {Column::Name, Column::Course})
        header->setSectionResizeMode(static_cast<int>(column), QHeaderView::Fixed);
    m_table->viewport()->installEventFilter(this);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, this, &HomePage::fitColumns);
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        if (section != static_cast<int>(Column::Name) && section != static_cast<int>(Column::Course))
            fitColumns();
    });
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(Column::Started), Qt::DescendingOrder);
    connect(m_table, &QTableView::activated, this, [this] { Q_EMIT sweepOpened(currentSweep()); });
    connect(m_table, &QWidget::customContextMenuRequested, this, &HomePage::showMenu);
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        updateButtons();
        if (!m_changing && currentSweep() != 0)
            Q_EMIT sweepChosen(currentSweep());
    });
}

bool HomePage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == m_table && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Delete)) {
        deleteCurrent();
        return true;
    }
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
        if (key == Qt::Key_Down && m_sorted->rowCount() > 0) {
            m_table->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

/// Name and best-value curve share the remaining width, up to a limit: the eye loses its line in wide rows.
void HomePage::fitColumns()
{
    const QHeaderView *header = m_table->horizontalHeader();
    int room = m_table->viewport()->width();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column != static_cast<int>(Column::Name) && column != static_cast<int>(Column::Course))
            room -= header->sectionSize(column);
    }
    const int course = std::clamp(room / 3, textScaled(leastCourse), textScaled(mostCourse));
    const int name = std::clamp(room - course, textScaled(leastName), textScaled(mostName));
    m_table->setColumnWidth(static_cast<int>(Column::Course), course);
    m_table->setColumnWidth(static_cast<int>(Column::Name), name);
}

void HomePage::setWorkspace(const QString &folder)
{
    m_workspace->setText(folder);
    m_workspace->setToolTip(folder);
}

void HomePage::selectSweep(qint64 sweepId)
{
    m_selected = sweepId;
    const QScopedValueRollback changing(m_changing, true);
    const QModelIndexList found =
        m_sorted->match(m_sorted->index(0, 0), SweepTableModel::IdRole, sweepId, 1, Qt::MatchExactly);
    m_table->setCurrentIndex(found.isEmpty() ? QModelIndex() : found.first());
}

qint64 HomePage::currentSweep() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.data(SweepTableModel::IdRole).toLongLong() : 0;
}

/// Deletes only when the menu offers it.
void HomePage::deleteCurrent()
{
    const int row = m_sweeps->rowOf(currentSweep());
    if (row >= 0 && !m_readOnly && !sweep::isActive(m_sweeps->record(row).state))
        Q_EMIT deleteRequested(currentSweep());
}

void HomePage::updateShown()
{
    const int archived = archivedSweeps();
    m_archived->setVisible(archived > 0);
    m_archived->setText(tr("Archived (%1)").arg(archived));
    if (m_sorted->searches())
        m_empty->setMessage(tr("No sweep found"), tr("Search looks at the name, number and state of each sweep."),
                            tr("Clear search"));
    else if (archived > 0)
        m_empty->setMessage(tr("All sweeps are archived"), tr("Show archived sweeps to restore the ones you need."),
                            tr("Show archived sweeps"));
    else
        m_empty->setMessage(
            tr("No sweeps yet"),
            tr("A sweep trains a model many times with different settings and shows which work best. The example "
               "trains twelve small networks on handwritten digits. It takes a minute on two cores."),
            tr("Open example"));
    m_stack->setCurrentIndex(m_sorted->rowCount() > 0 ? 0 : 1);
    updateButtons();
}

int HomePage::archivedSweeps() const
{
    int archived = 0;
    for (int row = 0; row < m_sweeps->rowCount(); ++row)
        archived += m_sweeps->index(row).data(SweepListModel::ArchivedRole).toBool() ? 1 : 0;
    return archived;
}

void HomePage::showArchived(bool on)
{
    const QScopedValueRollback changing(m_changing, true);
    m_sorted->showArchived(on);
    selectSweep(m_selected);
    updateShown();
}

void HomePage::undoArchiving()
{
    while (!m_justArchived.isEmpty()) {
        const qint64 sweepId = m_justArchived.takeLast();
        const int row = m_sweeps->rowOf(sweepId);
        if (row >= 0 && m_sweeps->index(row).data(SweepListModel::ArchivedRole).toBool()) {
            Q_EMIT archiveRequested(sweepId, false);
            return;
        }
    }
}

void HomePage::updateButtons()
{
    m_clone->setEnabled(currentSweep() != 0);
}

void HomePage::showMenu(const QPoint &position)
{
    const QModelIndex index = m_table->indexAt(position);
    if (!index.isValid())
        return;
    const qint64 sweepId = index.data(SweepTableModel::IdRole).toLongLong();
    auto *menu = new QMenu(this);
    menu->setObjectName(u"homeMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *open =
        menu->addAction(symbolIcon(u"trials"_s), tr("Open"), this, [this, sweepId] { Q_EMIT sweepOpened(sweepId); });
    menu->setDefaultAction(open);
    addSweepActions(menu, m_sweeps->record(m_sweeps->rowOf(sweepId)), m_readOnly,
                    {[this, sweepId] { Q_EMIT editRequested(sweepId); },
                     [this, sweepId] { Q_EMIT copyRequested(sweepId); },
                     [this, sweepId] { Q_EMIT stopRequested(sweepId); },
                     [this, sweepId](bool on) {
                         if (on)
                             m_justArchived << sweepId;
                         Q_EMIT archiveRequested(sweepId, on);
                     },
                     [this, sweepId] { Q_EMIT deleteRequested(sweepId); }});
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

}  // namespace sweepscope::ui
