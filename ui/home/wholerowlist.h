#pragma once

#include <QListView>

namespace sweepscope::ui {

/// A list with rows of one height, scrolled by rows: the last one is not cut.
class WholeRowList : public QListView {
public:
    using QListView::QListView;

protected:
    void updateGeometries() override;
};

/// Two lists, one below the other, have room for `rows` rows. Returns how many the lower one gets if they have these numbers
/// of rows: each gets all of its rows if possible, else a share.
int rowsOfLowerList(int rows, int upper, int lower);

}  // namespace sweepscope::ui
