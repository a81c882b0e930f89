#include "ui/trials/trialtable.h"

#include "ui/models/trialrows.h"
#include "ui/theme/elidedheader.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int heightOfRow = 28;

}  // namespace

TrialTable::TrialTable(TrialRows *rows, QWidget *parent) : QTableView(parent), m_rows(rows)
{
    setObjectName(u"trialsTable"_s);
    setAccessibleName(tr("Trials"));
    // Connected before the view, which forgets its selection at a reset.
    connect(rows, &QAbstractItemModel::modelAboutToBeReset, this, &TrialTable::keep);
    // When the current row is removed, a view makes the next one current.
    connect(rows, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_arranging = true; });
    setHorizontalHeader(new ElidedHeader(Qt::Horizontal, this));
    setModel(rows);
    connect(rows, &QAbstractItemModel::rowsRemoved, this, [this] { m_arranging = false; });
    connect(rows, &QAbstractItemModel::modelReset, this, &TrialTable::restore);
    // Selects whole rows, including columns added later.
    connect(rows, &QAbstractItemModel::columnsInserted, this, [this] {
        selectionModel()->select(selectionModel()->selection(),
                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
    });
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    verticalHeader()->hide();
    followTextSize(verticalHeader(), [this, header = verticalHeader()] {
        header->setDefaultSectionSize(textScaled(heightOfRow));
        setIconSize(QSize(1, 1) * textScaled(spacing::iconSize));
    });
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(this, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const int trial = m_rows->trialAt(index.row()); trial != 0)
            Q_EMIT trialActivated(trial);
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (const int trial = m_rows->trialAt(index.row()); trial != 0)
            Q_EMIT trialChosen(trial);  // also for the current one
    });
}

std::vector<int> TrialTable::selectedRowNumbers() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::vector<int> TrialTable::selectedTrials() const
{
    std::vector<int> trials;
    for (const int row : selectedRowNumbers()) {
        if (const int trial = m_rows->trialAt(row); trial != 0)
            trials.push_back(trial);
    }
    return trials;
}

std::vector<int> TrialTable::trialsOfSelection() const
{
    std::vector<int> trials = selectedTrials();
    const auto *model = static_cast<const TrialTableModel *>(m_rows->sourceModel());
    if (const TrialGroup *group = chosenGroup()) {
        for (const int member : group->members)
            trials.push_back(model->trial(member).number);
    }
    std::ranges::sort(trials);
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    return trials;
}

void TrialTable::selectTrials(const std::vector<int> &trials, bool toggles)
{
    m_chosenGroup.clear();
    QItemSelection rows;
    for (const int trial : trials) {
        if (const int row = m_rows->rowOfTrial(trial); row >= 0)
            rows.select(m_rows->index(row, 0), m_rows->index(row, 0));
    }
    selectionModel()->select(rows, QItemSelectionModel::Rows
                                       | (toggles ? QItemSelectionModel::Toggle : QItemSelectionModel::ClearAndSelect));
    if (!rows.isEmpty())
        scrollTo(rows.front().topLeft());
}

int TrialTable::currentTrial() const
{
    const QModelIndex current = currentIndex();
    return current.isValid() ? m_rows->trialAt(current.row()) : 0;
}

void TrialTable::setCurrentTrial(int trialNumber)
{
    if (trialNumber == currentTrial() && !isOnGroup())
        return;
    const QScopedValueRollback arranging(m_arranging, true);
    const bool keepsSelection = selectedTrials().size() > 1;
    const int row = m_rows->rowOfTrial(trialNumber);
    if (row < 0) {
        selectionModel()->clearCurrentIndex();
        if (!keepsSelection)
            selectionModel()->clearSelection();
        return;
    }
    const int before = horizontalScrollBar()->value();
    // Regardless of modifier keys.
    selectionModel()->setCurrentIndex(m_rows->index(row, 0),
                                      keepsSelection ? QItemSelectionModel::NoUpdate
                                                     : QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(m_rows->index(row, 0));
    horizontalScrollBar()->setValue(before);  // go to the row without scrolling to a column
}

bool TrialTable::isOnGroup() const
{
    return currentIndex().isValid() && currentTrial() == 0;
}

/// Groups cannot be selected. Expanding another one leaves the chosen one as it is.
const TrialGroup *TrialTable::chosenGroup() const
{
    for (int row = 0; !m_chosenGroup.isEmpty() && row < m_rows->rowCount(); ++row) {
        const TrialGroup *group = m_rows->group(row);
        if (group && group->title == m_chosenGroup)
            return group;
    }
    return nullptr;
}

void TrialTable::clearTrials()
{
    const QScopedValueRollback arranging(m_arranging, true);
    m_chosenGroup.clear();
    selectionModel()->clear();
}

/// A view that becomes visible scrolls to its current cell.
bool TrialTable::event(QEvent *event)
{
    const int before = horizontalScrollBar()->value();
    const bool handled = QTableView::event(event);
    if (event->type() == QEvent::Show)
        horizontalScrollBar()->setValue(before);
    return handled;
}

void TrialTable::keep()
{
    m_keptTrials = selectedTrials();
    m_keptCurrent = currentTrial();
    const int first = rowAt(0);
    const int offset = currentIndex().row() - first;
    const bool isSeen = currentIndex().isValid() && first >= 0 && offset >= 0
                        && rowViewportPosition(currentIndex().row()) < viewport()->height();
    m_keptOffset = isSeen ? std::optional(offset) : std::nullopt;
}

void TrialTable::restore()
{
    {
        const QScopedValueRollback arranging(m_arranging, true);
        const QScopedValueRollback restoring(m_restoring, true);
        const int before = horizontalScrollBar()->value();
        QItemSelection selection;
        for (const int trial : m_keptTrials) {
            if (const int row = m_rows->rowOfTrial(trial); row >= 0)
                selection.select(m_rows->index(row, 0), m_rows->index(row, m_rows->columnCount() - 1));
        }
        selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        if (const int row = m_rows->rowOfTrial(m_keptCurrent); row >= 0) {
            selectionModel()->setCurrentIndex(m_rows->index(row, 0), QItemSelectionModel::NoUpdate);
            if (m_keptOffset) {  // stays where it was in the window
                updateGeometries();
                verticalScrollBar()->setValue(row - *m_keptOffset);
            }
            scrollTo(m_rows->index(row, 0));
            horizontalScrollBar()->setValue(before);
        }
    }
    Q_EMIT selectedTrialsChanged();
}

void TrialTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    if (!m_restoring)
        Q_EMIT selectedTrialsChanged();
}

void TrialTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    const int trial = current.isValid() ? m_rows->trialAt(current.row()) : 0;
    if (trial != 0 && !m_restoring)
        m_chosenGroup.clear();
    if (trial != 0 && !m_arranging)
        Q_EMIT trialChosen(trial);
    if (!current.isValid() || trial != 0 || m_arranging)
        return;
    m_chosenGroup = m_rows->group(current.row())->title;
    Q_EMIT selectedTrialsChanged();  // those of the group
}

void TrialTable::fold(int row, bool folded)
{
    {
        const QScopedValueRollback arranging(m_arranging, true);
        m_rows->setFolded(row, folded);
        selectionModel()->setCurrentIndex(m_rows->index(row, 0), QItemSelectionModel::NoUpdate);
    }
    Q_EMIT selectedTrialsChanged();
}

void TrialTable::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex current = currentIndex();
    const bool onGroup = current.isValid() && m_rows->group(current.row());
    const bool opens = event->key() == Qt::Key_Right || event->key() == Qt::Key_Plus;
    const bool closes = event->key() == Qt::Key_Left || event->key() == Qt::Key_Minus;
    const bool toggles =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (onGroup && (opens || closes || toggles)) {
        fold(current.row(), toggles ? !m_rows->isFolded(current.row()) : closes);
        return;
    }
    QTableView::keyPressEvent(event);
}

/// A click on the name of a group expands it and leaves the curves as they are; elsewhere it chooses the group.
bool TrialTable::folds(const QMouseEvent &event) const
{
    const QModelIndex index = indexAt(event.position().toPoint());
    return index.isValid() && index.column() == 0 && m_rows->group(index.row()) && event.button() == Qt::LeftButton
           && event.modifiers() == Qt::NoModifier;
}

void TrialTable::mousePressEvent(QMouseEvent *event)
{
    m_isFolding = folds(*event);
    if (!m_isFolding)
        QTableView::mousePressEvent(event);
}

void TrialTable::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_isFolding)
        QTableView::mouseMoveEvent(event);
}

void TrialTable::mouseReleaseEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (std::exchange(m_isFolding, false)) {
        if (folds(*event))
            fold(index.row(), !m_rows->isFolded(index.row()));
        return;
    }
    QTableView::mouseReleaseEvent(event);
    if (!index.isValid() || event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier)
        return;
    if (m_rows->group(index.row()))
        return;
    if (static_cast<TrialTableModel *>(m_rows->sourceModel())->columnKind(index.column())
        == TrialTableModel::Column::Star)
        Q_EMIT starClicked(m_rows->trialAt(index.row()));
}

}  // namespace sweepscope::ui
