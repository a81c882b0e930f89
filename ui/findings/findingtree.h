#pragma once

#include <QTreeView>

namespace sweepscope::ui {

/// Rows are as high as their text; a click, Enter or Space expands and collapses a group, as Left and Right do in every
/// tree.
class FindingTree : public QTreeView {
    Q_OBJECT

public:
    explicit FindingTree(QWidget *parent = nullptr);

    /// With the frame; the rows of expanded groups included.
    int heightOfRows() const;

Q_SIGNALS:
    /// By mouse or keyboard.
    void findingChosen(const QModelIndex &index);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void choose(const QModelIndex &index);
};

}  // namespace sweepscope::ui
