#include "ui/trials/statedelegate.h"

#include "ui/models/trialtablemodel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void StateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant progress = index.data(TrialTableModel::ProgressRole);
    if (!progress.isValid() || progress.toDouble() <= 0)
        return;
    const double share = std::clamp(progress.toDouble(), 0.0, 1.0);

    painter->save();
    painter->setPen(option.palette.color(QPalette::PlaceholderText));
    const QRect textArea = option.rect.adjusted(0, 0, -spacing::small, 0);
    painter->drawText(textArea, Qt::AlignRight | Qt::AlignVCenter, tr("%1%").arg(static_cast<int>(share * 100)));
    const QRectF track(option.rect.left() + 1, option.rect.bottom() - 2, option.rect.width() - 2, 2);
    QRectF done = track;
    done.setWidth(track.width() * share);
    painter->fillRect(track, option.palette.color(QPalette::Midlight));
    painter->fillRect(done, stateColor(sweep::TrialState::Running));
    painter->restore();
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QFontMetrics metrics(option.font);
    const int widest = std::max(metrics.horizontalAdvance(stateText(sweep::TrialState::Completed)),
                                metrics.horizontalAdvance(stateText(sweep::TrialState::Running) + u"  100%"_s));
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setWidth(std::max(size.width(), widest + spacing::iconSize + 3 * spacing::small));
    return size;
}

}  // namespace sweepscope::ui
