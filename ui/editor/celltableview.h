#pragma once

#include <QAbstractItemDelegate>
#include <QTableView>

namespace sweepscope::ui {

/// A table that is as high as its rows and is filled in like a form: a click or a key edits a cell, Tab goes to the
/// next cell that can be edited, and leaves the table after the last one or when nothing is being edited.
class CellTableView : public QTableView {
    Q_OBJECT

public:
    explicit CellTableView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    void editCell(int row, int column);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void addRequested();
    void removeRequested();
    void duplicateRequested();
    void moveRequested(int by);
    void currentRowChanged();

protected:
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void followRows();
    QModelIndex editableFrom(const QModelIndex &index, int by) const;
};

}  // namespace sweepscope::ui
