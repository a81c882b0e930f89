#include "ui/editor/celldelegate.h"

#include "ui/editor/editabletablemodel.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto *view = qobject_cast<const QAbstractItemView *>(option->widget);
    const bool ofCurrentRow = view && view->currentIndex().row() == index.row();
    option->state &= ~(QStyle::State_Selected | QStyle::State_HasFocus);
    if (ofCurrentRow)
        option->backgroundBrush = hoverColor(option->palette);
    const bool note = index.data(EditableTableModel::NoteRole).toBool();
    const bool wrong = !index.data(EditableTableModel::ProblemRole).toString().isEmpty();
    if (option->text.isEmpty()) {
        option->text = index.data(EditableTableModel::PlaceholderRole).toString();
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
    } else if (note && wrong) {
        option->palette.setColor(QPalette::Text, problemColor(option->palette));
        option->icon = symbolIcon(u"warning"_s, QPalette::Text);
        option->features |= QStyleOptionViewItem::HasDecoration;
    } else if (note) {
        option->palette.setColor(QPalette::Text, subtleTextColor(option->palette));
    }
}

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const bool note = index.data(EditableTableModel::NoteRole).toBool();
    const bool wrong = !note && !index.data(EditableTableModel::ProblemRole).toString().isEmpty();
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const bool current = view && view->hasFocus() && view->currentIndex() == index;
    if (!wrong && !current)
        return;
    painter->save();
    painter->setPen(QPen(wrong ? problemColor(option.palette) : focusColor(option.palette), wrong && current ? 2 : 1));
    painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    painter->restore();
}

void CellDelegate::begin(QWidget *editor, const QModelIndex &index) const
{
    const QString column = index.model()->headerData(index.column(), Qt::Horizontal).toString();
    editor->setObjectName(u"cellEditor"_s);
    editor->setAccessibleName(column);
    m_index = index;
    m_before = index.data(Qt::EditRole).toString();
}

void CellDelegate::commit(QWidget *editor) const
{
    Q_EMIT const_cast<CellDelegate *>(this)->commitData(editor);
}

QWidget *CellDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    auto *editor = new QLineEdit(parent);
    editor->setFrame(false);
    editor->setPlaceholderText(index.data(EditableTableModel::PlaceholderRole).toString());
    begin(editor, index);
    connect(editor, &QLineEdit::textEdited, this, [this, editor] { commit(editor); });
    return editor;
}

void CellDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    auto *line = qobject_cast<QLineEdit *>(editor);
    const QString text = index.data(Qt::EditRole).toString();
    if (line && line->text() != text)
        line->setText(text);
}

void CellDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    if (const auto *line = qobject_cast<QLineEdit *>(editor))
        model->setData(index, line->text(), Qt::EditRole);
}

void CellDelegate::destroyEditor(QWidget *editor, const QModelIndex &index) const
{
    m_index = QPersistentModelIndex();
    QStyledItemDelegate::destroyEditor(editor, index);
}

bool CellDelegate::eventFilter(QObject *editor, QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress;
    if (isKey && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape && m_index.isValid()) {
        const QModelIndex index = m_index;
        auto *model = const_cast<QAbstractItemModel *>(index.model());
        model->setData(index, m_before, Qt::EditRole);
        if (auto *widget = qobject_cast<QWidget *>(editor))
            setEditorData(widget, index);
    }
    return QStyledItemDelegate::eventFilter(editor, event);
}

}  // namespace sweepscope::ui
