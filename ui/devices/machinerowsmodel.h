#pragma once

#include "protocol/machinestatus.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// A row for each machine of the workspace, that of the engine first.
class MachineRowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column { Machine, Gpus, Cores, Trials, Clock, State };
    static constexpr int columns = static_cast<int>(Column::State) + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// `here`: devices of the engine's machine.
    void showMachines(const std::vector<protocol::DeviceStatus> &here,
                      const std::vector<protocol::MachineStatus> &others);

    /// Whether any machine has GPUs.
    bool hasGpus() const;
    /// Empty for the engine's machine.
    QString name(int row) const;
    /// -1 if it is not there.
    int rowOf(const QString &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        protocol::MachineStatus machine;  ///< without a name: the engine's
        protocol::MachineUse use;
    };
    static QString text(const Row &row, Column column);
    static QString toolTip(const Row &row, Column column);

    std::vector<Row> m_rows;
};

}  // namespace sweepscope::ui
