#pragma once

#include <QLayout>

#include <vector>

namespace sweepscope::ui {

/// Arranges fields row by row in columns of equal width, as many as fit. A field may span columns. Rows are as high as
/// their highest field.
class FieldGrid : public QLayout {
    Q_OBJECT

public:
    /// `columnWidth` is the minimum width; at most `mostColumns` columns.
    FieldGrid(int columnWidth, int mostColumns);
    ~FieldGrid() override;

    /// Spans `span` columns, or all of them (0).
    void addField(QWidget *field, int span = 1);

    void addItem(QLayoutItem *item) override;
    int count() const override { return static_cast<int>(m_cells.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &rect) override;
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }

private:
    struct Cell {
        QLayoutItem *item;
        int span;
    };

    int arrange(const QRect &rect, bool apply) const;
    int columnsIn(int width) const;

    std::vector<Cell> m_cells;
    int m_columnWidth;
    int m_mostColumns;
    int m_nextSpan = 1;
};

}  // namespace sweepscope::ui
