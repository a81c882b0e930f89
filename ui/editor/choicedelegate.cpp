#include "ui/editor/choicedelegate.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QComboBox>
#include <QPainter>
#include <QPainterPath>

namespace sweepscope::ui {

ChoiceDelegate::ChoiceDelegate(const QStringList &words, QObject *parent) : CellDelegate(parent), m_words(words) {}

void ChoiceDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    CellDelegate::paint(painter, option, index);
    const QPointF tip(option.rect.right() - spacing::medium, option.rect.center().y() + 2);
    QPainterPath chevron(tip - QPointF(4, 4));
    chevron.lineTo(tip);
    chevron.lineTo(tip + QPointF(4, -4));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(subtleTextColor(option.palette), 1.4));
    painter->drawPath(chevron);
    painter->restore();
}

QWidget *ChoiceDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    auto *editor = new QComboBox(parent);
    editor->addItems(m_words);
    begin(editor, index);
    connect(editor, &QComboBox::activated, this, [this, editor] { commit(editor); });
    return editor;
}

void ChoiceDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    if (auto *box = qobject_cast<QComboBox *>(editor))
        box->setCurrentText(index.data(Qt::EditRole).toString());
}

void ChoiceDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    if (const auto *box = qobject_cast<QComboBox *>(editor))
        model->setData(index, box->currentText(), Qt::EditRole);
}

}  // namespace sweepscope::ui
