#include "ui/editor/celltableview.h"

#include "ui/editor/editabletablemodel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

CellTableView::CellTableView(QWidget *parent) : QTableView(parent)
{
    setEditTriggers(EditKeyPressed | AnyKeyPressed);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollMode(ScrollPerPixel);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->hide();
    followTextSize(this, [this] { verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 16); });
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex &index) { editCell(index.row(), index.column()); });
}

void CellTableView::setModel(QAbstractItemModel *newModel)
{
    QTableView::setModel(newModel);
    connect(newModel, &QAbstractItemModel::dataChanged, this, &CellTableView::followRows);
    connect(newModel, &QAbstractItemModel::rowsInserted, this, &CellTableView::followRows);
    connect(newModel, &QAbstractItemModel::rowsRemoved, this, &CellTableView::followRows);
    connect(newModel, &QAbstractItemModel::rowsMoved, this, &CellTableView::followRows);
    connect(newModel, &QAbstractItemModel::modelReset, this, &CellTableView::followRows);
    followRows();
}

void CellTableView::followRows()
{
    clearSpans();
    for (int row = 0; row < model()->rowCount(); ++row) {
        for (int column = 0; column < model()->columnCount(); ++column) {
            const int span = model()->index(row, column).data(EditableTableModel::ColumnSpanRole).toInt();
            if (span > 1)
                setSpan(row, column, 1, span);
        }
    }
    setVisible(model()->rowCount() > 0);
    updateGeometry();
    viewport()->update();
}

void CellTableView::editCell(int row, int column)
{
    const QModelIndex index = model()->index(row, column);
    if (!index.isValid())
        return;
    setCurrentIndex(index);
    setFocus();
    if (!(index.flags() & Qt::ItemIsEditable))
        return;
    QTableView::edit(index);
    if (auto *box = qobject_cast<QComboBox *>(indexWidget(index)); box && underMouse())
        box->showPopup();
}

bool CellTableView::edit(const QModelIndex &index, EditTrigger trigger, QEvent *event)
{
    const bool begins = QTableView::edit(index, trigger, event);
    if (begins && state() == EditingState)
        reveal(index);
    return begins;
}

/// Scrolls the table and its page until the cell is visible.
void CellTableView::reveal(const QModelIndex &index)
{
    scrollTo(index);
    for (QWidget *widget = parentWidget(); widget; widget = widget->parentWidget()) {
        auto *page = qobject_cast<QScrollArea *>(widget);
        if (!page || !page->widget())
            continue;
        const QRect cell = visualRect(index);
        const QPoint place = viewport()->mapTo(page->widget(), cell.center());
        page->ensureVisible(place.x(), place.y(), cell.width() / 2 + spacing::small, cell.height());
        return;
    }
}

void CellTableView::setColumnWidths(std::vector<ColumnWidth> widths)
{
    m_widths = std::move(widths);
    fitColumns();
}

int CellTableView::leastWidth(int column) const
{
    return std::max(m_widths[static_cast<std::size_t>(column)].least,
                    horizontalHeader()->sectionSizeHint(column) + spacing::small);
}

void CellTableView::fitColumns()
{
    int left = viewport()->width();
    int shares = 0;
    for (int column = 0; column < static_cast<int>(m_widths.size()); ++column) {
        left -= leastWidth(column);
        shares += m_widths[static_cast<std::size_t>(column)].share;
    }
    const bool tooNarrow = left < 0;
    for (int column = 0; column < static_cast<int>(m_widths.size()); ++column) {
        const int share = m_widths[static_cast<std::size_t>(column)].share;
        const int more = shares > 0 ? std::max(left, 0) * share / shares : 0;
        left -= more;
        shares -= share;
        setColumnWidth(column, leastWidth(column) + more);
    }
    if (std::exchange(m_isTooNarrow, tooNarrow) != tooNarrow)
        updateGeometry();
}

QSize CellTableView::sizeHint() const
{
    const int rows = model() ? model()->rowCount() : 0;
    const int bar = m_isTooNarrow ? horizontalScrollBar()->sizeHint().height() : 0;
    return {QTableView::sizeHint().width(), horizontalHeader()->sizeHint().height()
                                                + rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth()
                                                + bar};
}

QSize CellTableView::minimumSizeHint() const
{
    return {horizontalHeader()->minimumSectionSize() * 4, sizeHint().height()};
}

QModelIndex CellTableView::editableFrom(const QModelIndex &index, int by) const
{
    const int columns = model()->columnCount();
    const int cells = model()->rowCount() * columns;
    const int start = index.isValid() ? index.row() * columns + index.column() + by : 0;
    for (int cell = start; cell >= 0 && cell < cells; cell += by) {
        const QModelIndex candidate = model()->index(cell / columns, cell % columns);
        if (candidate.flags() & Qt::ItemIsEditable)
            return candidate;
    }
    return {};
}

QModelIndex CellTableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    if (action != MoveNext && action != MovePrevious)
        return QTableView::moveCursor(action, modifiers);
    return editableFrom(currentIndex(), action == MoveNext ? 1 : -1);
}

void CellTableView::closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint)
{
    const bool next = hint == QAbstractItemDelegate::EditNextItem;
    const bool previous = hint == QAbstractItemDelegate::EditPreviousItem;
    const bool leaves = (next || previous) && !editableFrom(currentIndex(), next ? 1 : -1).isValid();
    QTableView::closeEditor(editor, leaves ? QAbstractItemDelegate::NoHint : hint);
    if (leaves)
        focusNextPrevChild(next);
}

void CellTableView::keyPressEvent(QKeyEvent *event)
{
    const bool editing = state() == EditingState;
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() == Qt::ControlModifier) {
        Q_EMIT addRequested();
    } else if (enter && !editing && currentIndex().isValid()) {
        QTableView::edit(currentIndex());
    } else if (event->key() == Qt::Key_Insert) {
        Q_EMIT addRequested();
    } else if (event->key() == Qt::Key_Delete && event->modifiers() == Qt::ControlModifier) {
        Q_EMIT removeRequested();
    } else if (event->key() == Qt::Key_Delete && !editing) {
        model()->setData(currentIndex(), QString());
    } else if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier) {
        Q_EMIT duplicateRequested();
    } else if (event->modifiers() == Qt::AltModifier && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        Q_EMIT moveRequested(event->key() == Qt::Key_Up ? -1 : 1);
    } else {
        QTableView::keyPressEvent(event);
    }
}

void CellTableView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    viewport()->update();
    Q_EMIT currentRowChanged();
}

void CellTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void CellTableView::wheelEvent(QWheelEvent *event)
{
    event->ignore();  // all rows are visible, so the page scrolls instead
}

}  // namespace sweepscope::ui
