#pragma once

#include "ui/editor/celldelegate.h"

namespace sweepscope::ui {

/// The values that a row results in: a small picture of their scale, and the values.
class PreviewDelegate : public CellDelegate {
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
