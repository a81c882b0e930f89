#pragma once

#include "sweep/parameter.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace sweepscope::ui {

/// The parameters of the first trials of a search, a row per trial.
class FirstPointsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `points` are those of trials 1, 2, …
    void setPoints(const std::vector<std::string> &names, const std::vector<sweep::ParameterSet> &points);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<std::string> m_names;
    std::vector<sweep::ParameterSet> m_points;
};

}  // namespace sweepscope::ui
