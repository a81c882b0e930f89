#pragma once

#include <QAbstractItemDelegate>
#include <QTableView>

#include <vector>

namespace sweepscope::ui {

/// A table as high as its rows that is edited like a form: a click or a key edits a cell, Tab goes to the next editable
/// cell, and leaves the table after the last one or while no cell is edited.
class CellTableView : public QTableView {
    Q_OBJECT

public:
    explicit CellTableView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    /// The least width of a column, and its share of the extra width.
    struct ColumnWidth {
        int least;
        int share;
    };
    void setColumnWidths(std::vector<ColumnWidth> widths);
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
    bool edit(const QModelIndex &index, EditTrigger trigger, QEvent *event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void reveal(const QModelIndex &index);
    void followRows();
    void fitColumns();
    int leastWidth(int column) const;
    QModelIndex editableFrom(const QModelIndex &index, int by) const;

    std::vector<ColumnWidth> m_widths;
    bool m_isTooNarrow = false;  ///< for all columns: shows a scroll bar
};

}  // namespace sweepscope::ui
