#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace sweepscope::ui {

/// A bar of controls that goes on in further lines where there is no room for all of them in one, as with large texts in
/// a small window. In each line the first one that wants to grow has what room is left.
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
    void setGeometry(const QRect &area) override;

private:
    using Line = std::vector<QLayoutItem *>;

    std::vector<Line> linesIn(int width) const;
    void placeLine(const Line &line, const QRect &area) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace sweepscope::ui
