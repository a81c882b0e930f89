#pragma once

#include <QTreeView>

namespace sweepscope::ui {

/// Rows as high as their sentences, and groups that a click, Enter or Space opens and closes; as in every tree, the arrows
/// to the right and left do too.
class FindingTree : public QTreeView {
    Q_OBJECT

public:
    explicit FindingTree(QWidget *parent = nullptr);

Q_SIGNALS:
    /// By a click or a key.
    void findingChosen(const QModelIndex &index);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void choose(const QModelIndex &index);
};

}  // namespace sweepscope::ui
