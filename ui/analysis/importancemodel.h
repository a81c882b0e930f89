#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QAbstractListModel>

namespace sweepscope::ui {

/// The parameters of a figure, the most important first.
class ImportanceModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        ShareRole = Qt::UserRole,  ///< double, of 1; of the longest bar it is LongestRole
        LongestRole,
        IdRole,  ///< QString, the parameter's name
    };

    using QAbstractListModel::QAbstractListModel;

    void setFigure(const FigurePtr &figure);
    int rowOf(const QString &id) const;  ///< -1: it is not there

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString name;
        double share = 0;
        bool operator==(const Row &) const = default;
    };
    std::vector<Row> m_rows;
};

}  // namespace sweepscope::ui
