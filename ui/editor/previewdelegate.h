#pragma once

#include "ui/editor/celldelegate.h"

namespace sweepscope::ui {

/// Draws the values of a row: a small picture of their scale, and the values.
class PreviewDelegate : public CellDelegate {
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

}  // namespace sweepscope::ui
