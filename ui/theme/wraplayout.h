#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// A row of controls that wraps to further rows if they do not fit, such as large text in a small window. In each row
/// the first item that expands, or ignores its hint, gets the extra width.
class WrapLayout : public QLayout {
    Q_OBJECT

public:
    using QLayout::QLayout;
    ~WrapLayout() override;

    void addItem(QLayoutItem *item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    /// The least width in which nothing wraps, with the margins.
    int widthOfOneRow() const;
    void setGeometry(const QRect &area) override;

private:
    using Line = std::vector<QLayoutItem *>;

    std::vector<Line> linesIn(int width) const;
    int roomIn(const Line &line, int width) const;
    int betweenLines() const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace sweepscope::ui
