#pragma once

#include "ui/editor/rowsmodel.h"

namespace sweepscope::ui {

/// Named expressions that every trial must satisfy: its parameters, or what it reports.
class ConstraintModel : public RowsModel<ConstraintDraft> {
    Q_OBJECT

public:
    /// `meaning` is the header of the expressions, `example` the placeholder of an empty one.
    ConstraintModel(const QString &meaning, const QString &example, QObject *parent);

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool isUntouched(int row) const override;

protected:
    QString cellText(int row, int column) const override;
    bool setCellText(int row, int column, const QString &text) override;

private:
    QString m_meaning;
    QString m_example;
};

}  // namespace sweepscope::ui
