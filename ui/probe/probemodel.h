#pragma once

#include "diagnosis/batchprobe.h"

#include <QAbstractTableModel>

#include <optional>

namespace sweepscope::ui {

/// The measurements of a probe: a row for each value.
class ProbeModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column { Value, Throughput, Share, Utilization, Memory, Trial, Remark };
    static constexpr int columns = 7;
    /// A number to sort by; invalid if there is none.
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setProbe(const diagnosis::BatchProbe &probe);
    int trialAt(int row) const { return m_probe.measurements[static_cast<std::size_t>(row)].trial; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::optional<double> number(const diagnosis::BatchMeasurement &measurement, Column column) const;
    QString text(const diagnosis::BatchMeasurement &measurement, Column column) const;

    diagnosis::BatchProbe m_probe;
};

}  // namespace sweepscope::ui
