#pragma once

#include <QHeaderView>

namespace sweepscope::ui {

/// A header that elides its titles in the middle, because long names often begin alike. QHeaderView cuts them if there is a
/// style sheet.
class ElidedHeader : public QHeaderView {
public:
    /// With the settings of the headers that QTableView creates.
    explicit ElidedHeader(Qt::Orientation orientation, QWidget *parent = nullptr);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int section) const override;
};

}  // namespace sweepscope::ui
