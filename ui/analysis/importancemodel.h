#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QAbstractListModel>

namespace sweepscope::ui {

/// The parameters of a figure, most important first.
class ImportanceModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        ShareRole = Qt::UserRole,  ///< double, share of 1
        LowRole,                   ///< double, ends of the share's interval
        HighRole,
        LongestRole,  ///< double, the largest end of an interval
        IdRole,       ///< QString, name of the parameter
    };

    using QAbstractListModel::QAbstractListModel;

    /// `importance`: of some or all trials of the figure. Without a figure, the model is empty.
    void setImportance(const FigurePtr &figure, const analysis::Importance &importance);
    int rowOf(const QString &id) const;  ///< -1 if there is none

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString name;
        double share = 0;
        double low = 0;
        double high = 0;
        bool operator==(const Row &) const = default;
    };
    std::vector<Row> m_rows;
};

}  // namespace sweepscope::ui
