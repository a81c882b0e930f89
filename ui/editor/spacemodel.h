#pragma once

#include "ui/editor/rowsmodel.h"

namespace sweepscope::ui {

/// The search space: one row per parameter, in declaration order.
class SpaceModel : public RowsModel<DimensionDraft> {
    Q_OBJECT

public:
    /// ScalePicture; invalid if there is none.
    enum SpaceRole { ScaleRole = PlaceholderRole + 1 };

    using RowsModel::RowsModel;

    /// Sets the search method, which decides how ranges are previewed.
    void setMethod(sweep::SearchMethod method);

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "Values", "Categories", "Uniform", "Log-uniform", "Integer": as in the kind column, in this order.
    static QStringList kindNames();

    bool isUntouched(int row) const override;

protected:
    QString cellText(int row, int column) const override;
    bool setCellText(int row, int column, const QString &text) override;
    bool isCellEditable(int row, int column) const override;
    int columnSpan(int row, int column) const override;

private:
    QString preview(int row, bool shortForm) const;
    QVariant scale(int row) const;
    QString placeholder(int row, int column) const;

    sweep::SearchMethod m_method = sweep::SearchMethod::Grid;
};

}  // namespace sweepscope::ui
