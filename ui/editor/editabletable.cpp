#include "ui/editor/editabletable.h"

#include "ui/editor/celltableview.h"
#include "ui/editor/editabletablemodel.h"
#include "ui/editor/fieldmessage.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

EditableTable::EditableTable(EditableTableModel *model, const QString &name, const QString &addText, QWidget *parent)
    : QWidget(parent),
      m_model(model),
      m_name(name),
      m_view(new CellTableView(this)),
      m_empty(new QLabel(this)),
      m_problems(new FieldMessage(this)),
      m_add(addButton(u"add"_s, u"add"_s, addText, tr("Insert"))),
      m_duplicate(addButton(u"duplicate"_s, u"duplicate"_s, tr("Duplicate"), tr("Ctrl+D"))),
      m_remove(addButton(u"remove"_s, u"delete"_s, tr("Remove"), tr("Ctrl+Delete"))),
      m_up(addButton(u"up"_s, u"up"_s, tr("Up"), tr("Alt+Up"))),
      m_down(addButton(u"down"_s, u"down"_s, tr("Down"), tr("Alt+Down")))
{
    m_view->setObjectName(name + u".table"_s);
    m_view->setModel(model);
    m_problems->setObjectName(name + u".problems"_s);
    m_empty->setObjectName(name + u".empty"_s);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(spacing::tiny);
    for (QPushButton *button : {m_add, m_duplicate, m_remove, m_up, m_down})
        buttons->addWidget(button);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_empty);
    layout->addWidget(m_view);
    layout->addLayout(buttons);
    layout->addWidget(m_problems);

    connect(m_add, &QPushButton::clicked, this, &EditableTable::addRow);
    connect(m_duplicate, &QPushButton::clicked, this, &EditableTable::duplicateRow);
    connect(m_remove, &QPushButton::clicked, this, &EditableTable::removeRow);
    connect(m_up, &QPushButton::clicked, this, [this] { moveRow(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveRow(1); });
    connect(m_view, &CellTableView::addRequested, this, &EditableTable::addRow);
    connect(m_view, &CellTableView::duplicateRequested, this, &EditableTable::duplicateRow);
    connect(m_view, &CellTableView::removeRequested, this, &EditableTable::removeRow);
    connect(m_view, &CellTableView::moveRequested, this, &EditableTable::moveRow);
    connect(m_view, &CellTableView::currentRowChanged, this, &EditableTable::followRows);
    connect(model, &QAbstractItemModel::rowsInserted, this, &EditableTable::followRows);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EditableTable::followRows);
    connect(model, &QAbstractItemModel::rowsMoved, this, &EditableTable::followRows);
    connect(model, &QAbstractItemModel::modelReset, this, &EditableTable::followRows);
    followRows();
}

QPushButton *EditableTable::addButton(const QString &name, const QString &icon, const QString &text, const QString &tip)
{
    auto *button = new QPushButton(symbolIcon(icon), text, this);
    button->setObjectName(m_name + u'.' + name);
    button->setFlat(true);
    button->setAutoDefault(false);
    button->setToolTip(tip);
    return button;
}

void EditableTable::setEmptyText(const QString &text)
{
    m_empty->setText(text);
    m_add->setFlat(text.isEmpty());
    followRows();
}

void EditableTable::addRow()
{
    const int row = m_view->currentIndex().isValid() ? m_view->currentIndex().row() + 1 : m_model->rowCount();
    if (m_model->insertRows(row, 1))
        m_view->editCell(row, 0);
}

void EditableTable::duplicateRow()
{
    const int row = m_view->currentIndex().row();
    if (m_model->duplicateRow(row))
        m_view->editCell(row + 1, 0);
}

void EditableTable::removeRow()
{
    const int row = m_view->currentIndex().row();
    const int column = std::max(0, m_view->currentIndex().column());
    if (m_model->removeRows(row, 1))
        m_view->setCurrentIndex(m_model->index(std::min(row, m_model->rowCount() - 1), column));
    if (m_model->rowCount() == 0)
        m_add->setFocus();
}

void EditableTable::moveRow(int by)
{
    const int row = m_view->currentIndex().row();
    if (row >= 0)
        m_model->moveRows({}, row, 1, {}, by > 0 ? row + 2 : row - 1);
    followRows();
}

void EditableTable::followRows()
{
    const int rows = m_model->rowCount();
    const int row = m_view->currentIndex().row();
    m_duplicate->setEnabled(row >= 0);
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < rows);
    for (QPushButton *button : {m_duplicate, m_remove, m_up, m_down})
        button->setVisible(rows > 0);
    m_empty->setVisible(rows == 0 && !m_empty->text().isEmpty());
    m_problems->setVisible(rows > 0 || !m_problems->text().isEmpty());
}

void EditableTable::showProblems(std::vector<PlacedProblem> problems)
{
    // A missing entry in a new row is no mistake yet; Start's list of problems contains it anyway.
    std::erase_if(problems, [this](const PlacedProblem &problem) {
        return problem.row >= 0 && problem.row < m_model->rowCount() && m_model->isUntouched(problem.row);
    });
    m_model->setProblems(problems);
    markProblem(m_view, !problems.empty());
    QStringList lines;
    for (const PlacedProblem &problem : problems) {
        const QString name = m_model->index(problem.row, 0).data(Qt::EditRole).toString();
        const QString line = name.isEmpty() ? problem.message : tr("%1: %2").arg(name, problem.message);
        if (!lines.contains(line))
            lines += line;
    }
    m_problems->setText(lines.join(u'\n'));
    followRows();
}

void EditableTable::focusProblem(const PlacedProblem &problem)
{
    if (problem.row >= 0 && problem.row < m_model->rowCount())
        m_view->editCell(problem.row, std::max(problem.column, 0));
    else if (m_model->rowCount() > 0)
        m_view->setFocus();
    else
        m_add->setFocus();
}

}  // namespace sweepscope::ui
