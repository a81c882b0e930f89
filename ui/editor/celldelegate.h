#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>

namespace sweepscope::ui {

/// Draws and edits a cell of an EditableTableModel: a red frame and a tooltip for a problem, the placeholder in an
/// empty cell. Every keystroke is committed, so that the page follows; Escape reverts it.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void setEditorData(QWidget *editor, const QModelIndex &index) const override;
    void setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const override;
    void destroyEditor(QWidget *editor, const QModelIndex &index) const override;

protected:
    bool eventFilter(QObject *editor, QEvent *event) override;
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
    /// Names the editor and stores the text that Escape restores.
    void begin(QWidget *editor, const QModelIndex &index) const;
    void commit(QWidget *editor) const;

private:
    mutable QPersistentModelIndex m_index;
    mutable QString m_before;
};

}  // namespace sweepscope::ui
