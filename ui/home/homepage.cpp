#include "ui/home/homepage.h"

#include "ui/base/emptyview.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/taborder.h"
#include "ui/home/sweepcelldelegate.h"
#include "ui/models/sweeprows.h"
#include "ui/models/sweeptablemodel.h"
#include "ui/theme/fittingbuttons.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSettings>
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
constexpr int leastFilter = 120;
constexpr int leastState = 150;
constexpr int mostState = 400;
constexpr int usualName = 240;
constexpr int leastText = 110;
constexpr int mostText = 220;  ///< of a text; the tooltip has all of it

using Column = SweepTableModel::Column;

}  // namespace

HomePage::HomePage(SweepListModel *sweeps, SelectionModel *selection, QSettings *settings, QWidget *parent)
    : QWidget(parent),
      m_sweeps(sweeps),
      m_model(new SweepTableModel(sweeps, this)),
      m_rows(new SweepRows(m_model, this)),
      m_settings(settings),
      m_table(new QTableView(this)),
      m_workspace(new QLabel(this)),
      m_filter(new QLineEdit(this)),
      m_archived(new QPushButton(this)),
      m_view(new QPushButton(symbolIcon(u"columns"_s), tr("View"), this)),
      m_clone(new QPushButton(symbolIcon(u"duplicate"_s), tr("Clone"), this)),
      m_connect(new QPushButton(symbolIcon(u"devices"_s), tr("Connect…"), this)),
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
        if (m_rows->searches())
            m_filter->clear();
        else if (m_model->rowCount() > 0)
            m_archived->setChecked(true);
        else
            Q_EMIT exampleRequested();
    });
    auto *find = new QAction(tr("Search sweeps"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    addAction(find);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addLayout(buildHead());
    layout->addWidget(m_stack, 1);
    restoreView();
    updateShown();
}

QLayout *HomePage::buildHead()
{
    auto *title = new QLabel(tr("Sweeps"), this);
    setTextRole(title, TextRole::Heading);
    m_workspace->setObjectName(u"homeWorkspace"_s);
    m_workspace->setForegroundRole(QPalette::PlaceholderText);
    m_workspace->setTextFormat(Qt::PlainText);
    m_workspace->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_workspace->installEventFilter(this);
    m_clone->setObjectName(u"homeClone"_s);
    m_clone->setToolTip(tr("Create a new sweep from the selected one"));
    connect(m_clone, &QPushButton::clicked, this, [this] { request(SweepRequest::Clone, selectedSweeps()); });

    m_archived->setObjectName(u"homeArchived"_s);
    m_archived->setCheckable(true);
    m_archived->setToolTip(tr("Show archived sweeps. To restore one, use its menu."));
    connect(m_archived, &QPushButton::toggled, m_rows, &SweepRows::showArchived);
    auto *view = new QMenu(m_view);
    view->setObjectName(u"homeViewMenu"_s);
    connect(view, &QMenu::aboutToShow, this, [this, view] { fillView(view); });
    m_view->setObjectName(u"homeView"_s);
    m_view->setToolTip(tr("Choose groups and columns"));
    m_view->setMenu(view);

    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::small);
    row->addWidget(title);
    row->addSpacing(spacing::small);
    row->addWidget(m_workspace, 1);
    m_connect->setObjectName(u"homeConnect"_s);
    m_connect->setToolTip(tr("Open a window on the workspace of another machine"));
    connect(m_connect, &QPushButton::clicked, this, &HomePage::machineRequested);
    m_filter->setObjectName(u"homeFilter"_s);
    m_filter->setPlaceholderText(tr("Search sweeps"));
    m_filter->setAccessibleName(tr("Search sweeps"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(symbolIcon(u"search"_s), QLineEdit::LeadingPosition);
    connect(m_filter, &QLineEdit::textChanged, m_rows, &SweepRows::search);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        if (m_rows->rowCount() == 1 && !m_rows->isGroup(0))
            m_table->setCurrentIndex(m_rows->index(0, 0));
        if (currentSweep() != 0)
            Q_EMIT sweepOpened(currentSweep());
    });
    row->addWidget(m_filter, 1);
    for (QPushButton *button : {m_archived, m_view, m_clone, m_connect})
        row->addWidget(button);
    m_filter->setMinimumWidth(textScaled(leastFilter));
    new FittingButtons(this, row, {m_view, m_clone, m_connect});
    return row;
}

void HomePage::buildTable()
{
    m_table->setObjectName(u"homeTable"_s);
    m_table->setAccessibleName(tr("Sweeps"));
    // Connected before the view, which forgets its selection at a reset.
    connect(m_rows, &QAbstractItemModel::modelAboutToBeReset, this, &HomePage::keepRows);
    m_table->setModel(m_rows);
    connect(m_rows, &QAbstractItemModel::modelReset, this, &HomePage::restoreRows);
    connect(m_rows, &QAbstractItemModel::dataChanged, this, &HomePage::updateShown);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    followTextSize(m_table->verticalHeader(), [this, header = m_table->verticalHeader()] {
        header->setDefaultSectionSize(textScaled(rowHeight));
        m_table->setIconSize(QSize(1, 1) * textScaled(spacing::iconSize));
        fitColumns();
    });
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto *delegate = new SweepCellDelegate(m_table);
    for (const Column column : {Column::Name, Column::Progress, Column::Course})
        m_table->setItemDelegateForColumn(static_cast<int>(column), delegate);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint &position) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillView(menu);
        menu->popup(header->mapToGlobal(position));
    });
    m_table->viewport()->installEventFilter(this);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(Column::Started), Qt::DescendingOrder);
    connect(m_table, &QTableView::activated, this, [this] {
        if (currentSweep() != 0)
            Q_EMIT sweepOpened(currentSweep());
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (m_rows->isGroup(index.row()))
            fold(index.row(), !m_rows->isFolded(index.row()));
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, &HomePage::showMenu);
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HomePage::updateButtons);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        updateButtons();
        if (!m_changing && currentSweep() != 0)
            Q_EMIT sweepChosen(currentSweep());
    });
}

bool HomePage::isUsuallyShown(int column) const
{
    switch (static_cast<Column>(column)) {
    case Column::Tags:
        return m_model->hasTags();
    case Column::Note:
        return m_model->hasNotes();
    case Column::Objective:
    case Column::DeviceTime:
    case Column::Kind:
        return false;
    default:
        return true;
    }
}

void HomePage::restoreView()
{
    const auto names = [this](const QString &setting) {
        return m_settings ? m_settings->value(u"home/"_s + setting).toStringList() : QStringList();
    };
    const QStringList shown = names(u"shown"_s);
    const QStringList hidden = names(u"hidden"_s);
    const QString byKind = SweepTableModel::columnId(static_cast<int>(Column::Kind));
    const QString grouped = m_settings ? m_settings->value(u"home/groupedBy"_s, byKind).toString() : byKind;
    for (int column = 0; column < SweepTableModel::columns; ++column) {
        const QString id = SweepTableModel::columnId(column);
        if (shown.contains(id) || hidden.contains(id)) {
            m_chosenColumns.insert(column);
            m_table->setColumnHidden(column, hidden.contains(id));
        }
        if (id == grouped)
            m_rows->setGroupedBy(static_cast<Column>(column));
    }
}

void HomePage::setColumnShown(int column, bool shown)
{
    m_chosenColumns.insert(column);
    m_table->setColumnHidden(column, !shown);
    fitColumns();
    if (!m_settings)
        return;
    QStringList all[2];
    for (const int chosen : m_chosenColumns)
        all[m_table->isColumnHidden(chosen) ? 1 : 0] << SweepTableModel::columnId(chosen);
    m_settings->setValue(u"home/shown"_s, all[0]);
    m_settings->setValue(u"home/hidden"_s, all[1]);
}

void HomePage::fillView(QMenu *menu)
{
    menu->clear();
    qDeleteAll(menu->findChildren<QMenu *>(Qt::FindDirectChildrenOnly));
    auto *groups = menu->addMenu(symbolIcon(u"group"_s), tr("Group by"));
    auto *group = new QActionGroup(groups);
    const auto addGroup = [this, groups, group](const QString &text, std::optional<Column> column) {
        QAction *action = groups->addAction(text);
        action->setObjectName(column ? u"groupBy-"_s + SweepTableModel::columnId(static_cast<int>(*column))
                                     : u"groupBy-nothing"_s);
        action->setCheckable(true);
        action->setChecked(m_rows->groupedBy() == column);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, column] {
            m_rows->setGroupedBy(column);
            if (m_settings)
                m_settings->setValue(u"home/groupedBy"_s,
                                     column ? SweepTableModel::columnId(static_cast<int>(*column)) : QString());
        });
    };
    addGroup(tr("No grouping"), std::nullopt);
    for (const Column column : {Column::Kind, Column::Tags, Column::State, Column::Objective})
        addGroup(m_model->headerData(static_cast<int>(column), Qt::Horizontal).toString(), column);
    auto *columns = menu->addMenu(symbolIcon(u"columns"_s), tr("Columns"));
    for (int column = static_cast<int>(Column::Name) + 1; column < SweepTableModel::columns; ++column) {
        QAction *action = columns->addAction(m_model->headerData(column, Qt::Horizontal).toString());
        action->setObjectName(u"column-"_s + SweepTableModel::columnId(column));
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnShown(column, on); });
    }
}

bool HomePage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == m_workspace && event->type() == QEvent::Resize)
        setWorkspace(m_workspace->toolTip());
    if (event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if ((watched == m_table && handleTableKey(key)) || (watched == m_filter && handleFilterKey(key)))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

bool HomePage::handleTableKey(QKeyEvent *event)
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && m_rows->isGroup(current.row())) {
        const bool opens = event->key() == Qt::Key_Right || event->key() == Qt::Key_Plus;
        const bool closes = event->key() == Qt::Key_Left || event->key() == Qt::Key_Minus;
        const bool toggles =
            event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
        if (opens || closes || toggles) {
            fold(current.row(), toggles ? !m_rows->isFolded(current.row()) : closes);
            return true;
        }
    }
    if (event->matches(QKeySequence::Delete)) {
        request(SweepRequest::Delete, selectedSweeps());
        return true;
    }
    if (event->modifiers() != Qt::NoModifier)
        return false;
    switch (event->key()) {
    case Qt::Key_F2:
        request(SweepRequest::Rename, selectedSweeps());
        return true;
    case Qt::Key_N:
        request(SweepRequest::Mark, selectedSweeps());
        return true;
    case Qt::Key_S: {
        const std::vector<sweep::SweepRecord> records = recordsOf(selectedSweeps());
        const bool removes =
            std::ranges::all_of(records, [](const sweep::SweepRecord &sweep) { return sweep.mark.starred; });
        request(removes ? SweepRequest::Unstar : SweepRequest::Star, selectedSweeps());
        return true;
    }
    default:
        return false;
    }
}

bool HomePage::handleFilterKey(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
        m_filter->clear();
        return true;
    }
    if (event->key() == Qt::Key_Down && m_rows->rowCount() > 0) {
        m_table->setFocus(Qt::TabFocusReason);
        return true;
    }
    return false;
}

/// Widths of the shown columns, without name and best-value curve: those of their contents, or what is just readable.
int HomePage::fitContents(bool isNarrow)
{
    const QAbstractItemView *view = m_table;
    const QHeaderView *header = m_table->horizontalHeader();
    int total = 0;
    for (int column = 0; column < SweepTableModel::columns; ++column) {
        const auto kind = static_cast<Column>(column);
        if (kind == Column::Name || kind == Column::Course || m_table->isColumnHidden(column))
            continue;
        const bool isText = kind == Column::Tags || kind == Column::Note || kind == Column::State;
        const bool isElastic = isText || kind == Column::Progress;
        const int least = kind == Column::State ? leastState : leastText;
        const int most = textScaled(isNarrow && isElastic ? least : isText ? mostText : mostCourse);
        const int width = std::max(header->sectionSizeHint(column), std::min(view->sizeHintForColumn(column), most));
        m_table->setColumnWidth(column, width);
        total += width;
    }
    return total;
}

/// Name and best-value curve share the remaining width, up to a limit: the eye loses its line in wide rows. Without enough
/// width, columns that the user has not chosen make room.
void HomePage::fitColumns()
{
    for (int column = 0; column < SweepTableModel::columns; ++column) {
        if (!m_chosenColumns.contains(column))
            m_table->setColumnHidden(column, !isUsuallyShown(column));
    }
    const int width = m_table->viewport()->width();
    const auto missing = [this, width](int contents) {
        const bool hasCourse = !m_table->isColumnHidden(static_cast<int>(Column::Course));
        return contents + textScaled(leastName) + (hasCourse ? textScaled(leastCourse) : 0) > width;
    };
    int contents = fitContents(false);
    for (const Column column : {Column::Course, Column::Note}) {
        if (missing(contents))
            contents = fitContents(true);
        if (!missing(contents))
            break;
        if (!m_chosenColumns.contains(static_cast<int>(column)))
            m_table->setColumnHidden(static_cast<int>(column), true);
        contents = fitContents(false);
    }
    if (missing(contents))
        contents = fitContents(true);
    int room = width - contents;
    if (const auto state = static_cast<int>(Column::State); !m_table->isColumnHidden(state)) {
        // The cause of a failure is worth more than room after the name.
        const QAbstractItemView *view = m_table;
        const int hidden =
            std::min(view->sizeHintForColumn(state), textScaled(mostState)) - m_table->columnWidth(state);
        const int name = std::clamp(view->sizeHintForColumn(static_cast<int>(Column::Name)), textScaled(leastName),
                                    textScaled(usualName));
        const bool hasCurve = !m_table->isColumnHidden(static_cast<int>(Column::Course));
        const int given = std::clamp(room - name - (hasCurve ? textScaled(leastCourse) : 0), 0, std::max(0, hidden));
        m_table->setColumnWidth(state, m_table->columnWidth(state) + given);
        room -= given;
    }
    const bool hasCourse = !m_table->isColumnHidden(static_cast<int>(Column::Course));
    const int course = hasCourse ? std::clamp(room / 3, textScaled(leastCourse), textScaled(mostCourse)) : 0;
    m_table->setColumnWidth(static_cast<int>(Column::Name),
                            std::clamp(room - course, textScaled(leastName), textScaled(mostName)));
    if (hasCourse)
        m_table->setColumnWidth(static_cast<int>(Column::Course), course);
}

void HomePage::keepRows()
{
    m_keptSelection = selectedSweeps();
}

void HomePage::restoreRows()
{
    {
        const QScopedValueRollback changing(m_changing, true);
        m_table->clearSpans();
        QItemSelection selection;
        for (int row = 0; row < m_rows->rowCount(); ++row) {
            if (m_rows->isGroup(row))
                m_table->setSpan(row, 0, 1, SweepTableModel::columns);
            else if (m_keptSelection.contains(m_rows->sweepAt(row)))
                selection.select(m_rows->index(row, 0), m_rows->index(row, SweepTableModel::columns - 1));
        }
        if (m_keptSelection.size() > 1) {
            m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
            if (const int row = m_rows->rowOfSweep(m_selected); row >= 0)
                m_table->selectionModel()->setCurrentIndex(m_rows->index(row, 0), QItemSelectionModel::NoUpdate);
        } else {
            selectSweep(m_selected);  // if it is listed
        }
    }
    updateShown();
}

void HomePage::setWorkspace(const QString &folder)
{
    m_workspace->setToolTip(folder);
    m_workspace->setText(m_workspace->fontMetrics().elidedText(folder, Qt::ElideMiddle, m_workspace->width()));
}

void HomePage::selectSweep(qint64 sweepId)
{
    m_selected = sweepId;
    const int row = m_rows->rowOfSweep(sweepId);
    if (row >= 0 && row == m_table->currentIndex().row())
        return;  // several may be selected
    const QScopedValueRollback changing(m_changing, true);
    m_table->setCurrentIndex(row < 0 ? QModelIndex() : m_rows->index(row, 0));
    if (row < 0)
        m_table->clearSelection();
}

qint64 HomePage::currentSweep() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_rows->sweepAt(current.row()) : 0;
}

QList<qint64> HomePage::selectedSweeps() const
{
    std::set<int> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedIndexes())
        rows.insert(index.row());
    QList<qint64> sweeps;
    for (const int row : rows) {
        if (!m_rows->isGroup(row))
            sweeps << m_rows->sweepAt(row);
    }
    return sweeps;
}

std::vector<sweep::SweepRecord> HomePage::recordsOf(const QList<qint64> &sweeps) const
{
    std::vector<sweep::SweepRecord> records;
    for (const qint64 sweepId : sweeps) {
        if (const int row = m_sweeps->rowOf(sweepId); row >= 0)
            records.push_back(m_sweeps->record(row));
    }
    return records;
}

/// Only what the menu offers.
void HomePage::request(SweepRequest request, const QList<qint64> &sweeps)
{
    if (!isOffered(request, recordsOf(sweeps), m_readOnly))
        return;
    Q_EMIT requested(request, sweeps);
}

void HomePage::fold(int row, bool folded)
{
    const QScopedValueRollback changing(m_changing, true);
    m_rows->setFolded(row, folded);
    m_table->selectionModel()->setCurrentIndex(m_rows->index(row, 0), QItemSelectionModel::NoUpdate);
}

void HomePage::updateShown()
{
    const int archived = archivedSweeps();
    m_archived->setVisible(archived > 0);
    m_archived->setText(tr("Archived (%1)").arg(archived));
    if (m_rows->searches())
        m_empty->setMessage(tr("No sweep found"),
                            tr("The search covers the name, number, tags, note and state of each sweep."),
                            tr("Clear search"));
    else if (archived > 0)
        m_empty->setMessage(tr("All sweeps are archived"), tr("Show archived sweeps to restore the ones you need."),
                            tr("Show archived sweeps"));
    else
        m_empty->setMessage(
            tr("No sweeps yet"),
            tr("A sweep trains a model many times with different settings and shows which work best. The example "
               "takes at most a minute on two cores."),
            tr("Open example"));
    m_stack->setCurrentIndex(m_rows->rowCount() > 0 ? 0 : 1);
    m_view->setEnabled(m_model->rowCount() > 0);
    fitColumns();
    updateButtons();
}

int HomePage::archivedSweeps() const
{
    int archived = 0;
    for (int row = 0; row < m_sweeps->rowCount(); ++row)
        archived += m_sweeps->index(row).data(SweepListModel::ArchivedRole).toBool() ? 1 : 0;
    return archived;
}

void HomePage::updateButtons()
{
    m_clone->setEnabled(selectedSweeps().size() == 1);
}

void HomePage::showMenu(const QPoint &position)
{
    const QModelIndex index = m_table->indexAt(position);
    if (!index.isValid() || m_rows->isGroup(index.row()))
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(u"homeMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const qint64 sweepId = m_rows->sweepAt(index.row());
    const QList<qint64> selected = selectedSweeps();
    const QList<qint64> sweeps = selected.contains(sweepId) ? selected : QList<qint64>{sweepId};
    if (sweeps.size() == 1) {
        menu->setDefaultAction(menu->addAction(symbolIcon(u"trials"_s), tr("Open"), this,
                                               [this, sweepId] { Q_EMIT sweepOpened(sweepId); }));
    }
    addSweepActions(menu, recordsOf(sweeps), m_readOnly, [this, sweeps](SweepRequest what) { request(what, sweeps); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

}  // namespace sweepscope::ui
