#pragma once

#include "ui/editor/celldelegate.h"

#include <QStringList>

namespace sweepscope::ui {

/// A cell with one of a few words.
class ChoiceDelegate : public CellDelegate {
    Q_OBJECT

public:
    ChoiceDelegate(const QStringList &words, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;

private:
    QStringList m_words;
};

}  // namespace sweepscope::ui
