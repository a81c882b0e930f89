#include "ui/findings/findingtree.h"

#include "ui/findings/findingdelegate.h"

#include <QKeyEvent>
#include <QResizeEvent>

namespace sweepscope::ui {

FindingTree::FindingTree(QWidget *parent) : QTreeView(parent)
{
    setItemDelegate(new FindingDelegate(this));
    setHeaderHidden(true);
    setExpandsOnDoubleClick(false);
    setEditTriggers(NoEditTriggers);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeView::clicked, this, &FindingTree::choose);
}

int FindingTree::heightOfRows() const
{
    QModelIndex last = model()->index(model()->rowCount() - 1, 0);
    if (isExpanded(last))
        last = model()->index(model()->rowCount(last) - 1, 0, last);
    return visualRect(last).bottom() + 1 + verticalOffset() + 2 * frameWidth();
}

void FindingTree::choose(const QModelIndex &index)
{
    if (model()->hasChildren(index))
        setExpanded(index, !isExpanded(index));
    else
        Q_EMIT findingChosen(index);
}

void FindingTree::keyPressEvent(QKeyEvent *event)
{
    const bool isChosen =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (isChosen && currentIndex().isValid())
        choose(currentIndex());
    else
        QTreeView::keyPressEvent(event);
}

void FindingTree::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        scheduleDelayedItemsLayout();  // a sentence may need more lines now
}

}  // namespace sweepscope::ui
