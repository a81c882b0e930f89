#include "ui/editor/previewdelegate.h"

#include "ui/editor/scalepicture.h"
#include "ui/editor/spacemodel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int pictureWidth = 84;
constexpr int leastPictureWidth = 48;

}  // namespace

void PreviewDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant picture = index.data(SpaceModel::ScaleRole);
    const int width = std::min(textScaled(pictureWidth), option.rect.width() / 2);  // the text gets the rest
    if (!picture.isValid() || width < leastPictureWidth) {
        CellDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    painter->fillRect(option.rect, background.backgroundBrush);
    QStyleOptionViewItem beside = option;
    beside.rect.setLeft(option.rect.left() + width + spacing::small);
    CellDelegate::paint(painter, beside, index);
    const QRectF area = option.rect.adjusted(spacing::small, 0, 0, 0);
    paintScale(*painter, QRectF(area.left(), area.top(), width, area.height()), picture.value<ScalePicture>(),
               option.palette);
}

}  // namespace sweepscope::ui
