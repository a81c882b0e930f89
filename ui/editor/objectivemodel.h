#pragma once

#include "ui/editor/rowsmodel.h"

#include <QStringList>

namespace sweepscope::ui {

/// Further objectives: metrics that trials report, and whether the best is the smallest or the largest.
class ObjectiveModel : public RowsModel<ObjectiveDraft> {
    Q_OBJECT

public:
    using RowsModel::RowsModel;

    static QStringList goalNames();

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool isUntouched(int row) const override;

protected:
    QString cellText(int row, int column) const override;
    bool setCellText(int row, int column, const QString &text) override;
};

}  // namespace sweepscope::ui
