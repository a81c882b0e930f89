#pragma once

#include "ui/editor/rowsmodel.h"

namespace sweepscope::ui {

/// Named expressions that every trial must satisfy.
class ConstraintModel : public RowsModel<ConstraintDraft> {
    Q_OBJECT

public:
    using RowsModel::RowsModel;

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    QString cellText(int row, int column) const override;
    bool setCellText(int row, int column, const QString &text) override;
};

}  // namespace sweepscope::ui
