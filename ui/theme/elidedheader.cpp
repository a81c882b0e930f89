#include "ui/theme/elidedheader.h"

#include <QStyle>
#include <QStyleOptionHeader>

namespace sweepscope::ui {

namespace {

constexpr int aroundTitle = 18;  ///< the padding of both sides, and the border

}  // namespace

ElidedHeader::ElidedHeader(Qt::Orientation orientation, QWidget *parent) : QHeaderView(orientation, parent)
{
    setSectionsClickable(true);
    setHighlightSections(true);
}

void ElidedHeader::initStyleOptionForIndex(QStyleOptionHeader *option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    int room = (orientation() == Qt::Horizontal ? sectionSize(section) : width()) - aroundTitle;
    if (!option->icon.isNull())
        room -= style()->pixelMetric(QStyle::PM_SmallIconSize, option, this)
                + 2 * style()->pixelMetric(QStyle::PM_HeaderMargin, option, this);
    if (option->sortIndicator != QStyleOptionHeader::None)
        room -= style()->pixelMetric(QStyle::PM_HeaderMarkSize, option, this);
    if (option->fontMetrics.horizontalAdvance(option->text) > room)
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideMiddle, room);
}

}  // namespace sweepscope::ui
