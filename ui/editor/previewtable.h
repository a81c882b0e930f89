#pragma once

#include <QTableView>

namespace sweepscope::ui {

/// A table of the form that only shows.
class PreviewTable : public QTableView {
    Q_OBJECT

public:
    explicit PreviewTable(QWidget *parent = nullptr);

    /// The height of the table with this many rows.
    int heightOf(int rows) const;
};

}  // namespace sweepscope::ui
